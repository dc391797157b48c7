import { defineConfig } from 'vitest/config'
import LongestFirst from './longest-first.ts'
import { nodeProjects } from './projects.ts'

/** The projects on Node, and `edge` inside workerd (its own config). */
export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    reporters: ['default', './test/run/closing-line.ts'],
    projects: [...nodeProjects, './test/edge/vitest.config.ts'],
    sequence: { sequencer: LongestFirst },
  },
})

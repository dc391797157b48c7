import { defineConfig } from 'vitest/config'
import LongestFirst from './longest-first.ts'
import { nodeProjects } from './projects.ts'

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    reporters: ['default', './test/run/closing-line.ts'],
    projects: nodeProjects,
    sequence: { sequencer: LongestFirst },
  },
})

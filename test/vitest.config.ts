import { defineConfig } from 'vitest/config'

/** One project per runtime: `node` here, `edge` inside workerd (its own config). */
export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    reporters: ['default', './test/run/closing-line.ts'],
    projects: ['./test/vitest.node.config.ts', './test/edge/vitest.config.ts'],
  },
})

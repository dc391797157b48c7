import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    name: 'node',
    include: ['test/**/*.test.ts'],
    exclude: ['test/edge/**', 'test/bench/**', '**/node_modules/**'],
    environment: 'node',
    pool: 'forks',
    maxWorkers: 2,
    // Guards against hangs, not bounds: machines that run tests do other work, too.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 120_000 } },
  },
})

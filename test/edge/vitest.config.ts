import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

/** Runs inside workerd, with the bindings of wrangler.toml kept in memory. */
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  plugins: [
    cloudflareTest({
      main: './test/edge/worker.ts',
      wrangler: { configPath: new URL('../../wrangler.toml', import.meta.url).pathname },
    }),
  ],
  test: {
    name: 'edge',
    include: ['test/edge/**/*.test.ts'],
    globalSetup: ['./test/edge/origins.ts'],
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})

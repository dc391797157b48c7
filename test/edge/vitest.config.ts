import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
import { computing } from '../projects.ts'

/**
 * Libraries without source maps: all modules of a test file go to its worker in one message of at most 32 MB, and the
 * map of the barcode library alone has ten.
 */
const withoutMaps = {
  name: 'libraries-without-maps',
  enforce: 'post' as const,
  // Code that stays as it is would keep the map too.
  transform: (code: string, id: string) =>
    /\/node_modules\/|\.json$/.test(id) ? { code: `${code}\n`, map: { mappings: '' as const } } : undefined,
}

/** Runs inside workerd, with the bindings of wrangler.toml kept in memory. */
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  plugins: [
    cloudflareTest({
      main: './test/edge/worker.ts',
      wrangler: { configPath: new URL('../../wrangler.toml', import.meta.url).pathname },
    }),
    withoutMaps,
  ],
  test: {
    name: 'edge',
    include: ['test/edge/**/*.test.ts'],
    globalSetup: ['./test/helpers/run-folder.ts', './test/edge/doc-pages.ts', './test/edge/origins.ts'],
    ...computing,
    // To start workerd and to load the modules into it takes longer than most files; each uses names of its own.
    isolate: false,
    // Guards against hangs, not bounds: machines that run tests do other work, too.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 120_000 } },
    // As on Node: the closing line names what passed only the second time.
    retry: 1,
  },
})

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { temporaryFolder } from './temporary-folder.ts'

const root = new URL('../..', import.meta.url).pathname
const require = createRequire(import.meta.url)

/** Names the folder of the script of the Worker and its modules, where one was made for the whole run. */
export const bundleVariable = 'PLATEN_EDGE_BUNDLE'
/** What Miniflare is given for the Worker: its modules and the bindings of wrangler.toml, as JSON. */
export const optionsFile = 'miniflare.json'

const moduleTypes = { js: 'ESModule', sql: 'Text', wasm: 'CompiledWasm', bin: 'Data' } as const

/**
 * Bundles the Worker once for all files that run it, since that takes longer than a start. Beside it are its configuration,
 * without the command that runs before a bundle, what Miniflare takes of it, and what wrangler said.
 */
export default function bundleEdge(): () => void {
  const folder = temporaryFolder('edge-bundle')
  const wrangler = `${root}node_modules/wrangler/bin/wrangler.js`
  const said = execFileSync(process.execPath, [wrangler, 'deploy', '--dry-run', '--outdir', folder], {
    cwd: root,
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 10_000_000,
  })
  writeFileSync(join(folder, 'said.txt'), said)
  const config = readFileSync(`${root}wrangler.toml`, 'utf8')
    .replace(/^\[build\]\ncommand = .*$/m, '')
    .replace(/^(directory|migrations_dir) = "/gm, `$1 = "${root}`)
  writeFileSync(join(folder, 'wrangler.toml'), config)
  writeFileSync(join(folder, optionsFile), JSON.stringify(miniflareOptions(folder)))
  process.env[bundleVariable] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

/** The bindings as wrangler reads them, and the files of the bundle, of which the script comes first. */
function miniflareOptions(folder: string): object {
  const { unstable_getMiniflareWorkerOptions } = require('wrangler') as typeof import('wrangler')
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(folder, 'wrangler.toml'))
  const { modulesRules: _, ...bindings } = workerOptions
  const modules = readdirSync(folder)
    .map((name) => ({ name, type: moduleTypes[name.split('.').at(-1) as keyof typeof moduleTypes] }))
    .filter(({ type }) => type !== undefined)
    .toSorted((a, b) => Number(b.type === 'ESModule') - Number(a.type === 'ESModule'))
    .map(({ name, type }) => ({ type, path: join(folder, name) }))
  return { ...bindings, name: 'platen', modules, modulesRoot: folder }
}

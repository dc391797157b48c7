import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleVariable } from './edge-target.ts'

const root = new URL('../..', import.meta.url).pathname

/**
 * Bundles the Worker once for all files that run it, since half of the time that it takes to start one is that of its
 * bundle. Beside it are its configuration, without the command that runs before a bundle, and what wrangler said.
 */
export default function bundleEdge(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'edge-bundle-'))
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
  process.env[bundleVariable] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

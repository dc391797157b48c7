import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleVariable } from './edge-target.ts'

const root = new URL('../..', import.meta.url).pathname

/** Bundles the Worker once for all files that run it: half of what it takes to start one is its bundle. */
export default function bundleEdge(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'edge-bundle-'))
  const wrangler = `${root}node_modules/wrangler/bin/wrangler.js`
  execFileSync(process.execPath, [wrangler, 'deploy', '--dry-run', '--outdir', folder], {
    cwd: root,
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  process.env[bundleVariable] = join(folder, 'worker.js')
  return () => rmSync(folder, { recursive: true, force: true })
}

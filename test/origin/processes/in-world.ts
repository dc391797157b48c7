/**
 * Does in a process of its own, which a test starts as root with or without namespaces, what the service does, and
 * prints what came of it as JSON. Usage: in-world.ts trial|office|browser|bare FOLDER PORT [required|best]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createConfinement, type IsolationPolicy } from '../../../origin/processes/confine.ts'
import {
  type BrowserEngine,
  createEngine as createBrowser,
} from '../../../plugins/engines/chromium/engine.ts'
import chromium from '../../../plugins/engines/chromium/index.ts'
import {
  createEngine as createOffice,
  type OfficeEngine,
} from '../../../plugins/engines/libreoffice/engine.ts'
import libreoffice from '../../../plugins/engines/libreoffice/index.ts'
import { findInstallation } from '../../../plugins/engines/libreoffice/installation.ts'
import type { Host } from '../../../shared/plugin/contract.ts'
import type { Confine } from '../../../shared/plugin/processes.ts'
import { engineUnder, originHost } from '../../helpers/engines.ts'

const [what = '', folder = '', , wanted = 'best'] = process.argv.slice(2)

const works: Readonly<Record<string, () => Promise<unknown>>> = {
  trial: () => createConfinement(wanted as IsolationPolicy).state(),
  office,
  browser: () => browser(originHost()),
  bare: () => browser({ ...originHost(), confine: withNetwork() }),
}
console.log(JSON.stringify(await works[what]?.()))
process.exit(0)

/** An office alone reads a document that asks for a file and a picture, without what the engine does about both before. */
async function office() {
  const { confine } = createConfinement(wanted as IsolationPolicy)
  const found = await findInstallation({})
  if (found.kind === 'none') throw new Error(found.because)
  const program = found.kind === 'uno' ? found.installation.program : found.program
  const own = join(folder, 'own')
  const words = ['--headless', `-env:UserInstallation=file://${own}/profile`, '--convert-to', 'txt:Text']
  const confined = await confine(program, [...words, '--outdir', own, join(own, 'links.fodt')], {
    own: [own],
    sockets: ['/tmp'],
  })
  const env = {
    PATH: process.env['PATH'],
    HOME: own,
    TMPDIR: own,
    SAL_USE_VCLPLUGIN: 'svp',
    LD_LIBRARY_PATH: dirname(program),
  }
  const start = () => once(spawn(confined.command, confined.args, { cwd: own, env, stdio: 'ignore' }), 'exit')
  // With a new profile it puts its extensions in order first, and asks for a second start.
  const [status] = await start()
  if (status === 81) await start()
  const { engine, convert } = engineUnder<OfficeEngine>(
    { ...libreoffice, create: createOffice },
    originHost(),
  )
  await convert('{\\rtf1 Hello}', 'rtf', 'odt', { deadlineMs: 300_000 })
  const users = usersBelow(engine.stats()?.pids ?? [])
  await engine.stop?.()
  return { text: readFileSync(join(own, 'links.txt'), 'utf8'), users }
}

/** A page that asks for files of many kinds, through the engine; nothing outside of the browser answers. */
async function browser(host: Host) {
  const { engine, convert } = engineUnder<BrowserEngine>({ ...chromium, create: createBrowser }, host)
  const page = readFileSync(join(folder, 'page.html'), 'utf8')
  const { warnings, bytes } = await convert(page, 'html', 'pdf', { deadlineMs: 300_000 })
  const users = usersBelow(engine.stats()?.pids ?? [])
  await engine.stop?.()
  return { users, warnings: warnings.length, size: bytes.length }
}

/** Stands for a system that can close no network: the launcher raises neither of its two fences. */
function withNetwork(): Confine {
  const text = readFileSync(new URL('../../../origin/processes/confine.pl', import.meta.url), 'utf8')
  const open = text.replace('refuse_sockets() || $network', '0').replace('= leave_network()', '= 0')
  const launcher = join(folder, 'open.pl')
  writeFileSync(launcher, open)
  return createConfinement('best', ['perl', launcher]).confine
}

/** The effective users of these processes and of all below them. */
function usersBelow(pids: readonly number[]): readonly number[] {
  const parents = new Map<number, { readonly parent: number; readonly user: number }>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8')
      const parent = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1])
      const user = Number(/^Uid:\s+\d+\s+(\d+)/m.exec(status)?.[1])
      parents.set(Number(name), { parent, user })
    } catch {
      // It is gone.
    }
  }
  const below = (pid: number): boolean =>
    pids.includes(pid) || (parents.has(pid) && below(parents.get(pid)?.parent ?? 0))
  return [...new Set([...parents].filter(([pid]) => below(pid)).map(([, { user }]) => user))]
}

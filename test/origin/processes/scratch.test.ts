import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createScratch } from '../../../origin/processes/scratch.ts'
import { createServices, type OriginServices } from '../../../origin/services.ts'
import { bytesOf, fromBytes } from '../../../shared/plugin/byte-source.ts'
import { testConfig } from '../../helpers/origin-config.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
/** The part of names that stands for this machine. */
const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)

function dataDir(): string {
  const folder = temporaryFolder('scratch-test')
  folders.push(folder)
  return folder
}

describe('folders of a service', () => {
  it('are empty each time, and removed at the end', async () => {
    const scratch = createScratch(dataDir())
    const folder = await scratch.folder('office')
    writeFileSync(join(folder, 'left'), '')
    expect(readdirSync(await scratch.folder('office'))).toEqual([])
    await scratch.remove()
    expect(existsSync(dirname(folder))).toBe(false)
  })

  it('of a dead process are removed at the start', async () => {
    const place = dataDir()
    vi.stubEnv('TMPDIR', place)
    const dead = 4_194_304 // above the highest process ID of Linux
    const names = ['', 'trial-', 'web-'].map((purpose) => `platen-${purpose}${machine}-${dead}-abcdef`)
    for (const name of names) mkdirSync(join(place, name))
    mkdirSync(join(place, 'platen-of-somebody-else'))
    await createScratch(join(place, 'data')).sweep()
    vi.unstubAllEnvs()
    expect(readdirSync(place)).toEqual(['platen-of-somebody-else'])
  })

  it('of a dead process take the sockets of its programs along, but not those of a running one', async () => {
    const place = dataDir()
    vi.stubEnv('TMPDIR', place)
    const [dead, running, other] = [61_181, 61_182, 12_345]
    const engine = join(place, `platen-${machine}-4194304-abcdef`, 'libreoffice')
    for (const user of [dead, running, other]) {
      mkdirSync(join(engine, String(user)), { recursive: true })
      chownSync(join(engine, String(user)), user, user)
      const socket = createServer().listen(join(place, `socket-${user}`))
      await once(socket, 'listening')
      chownSync(join(place, `socket-${user}`), user, user)
      onTestFinished(() => void socket.close())
    }
    writeFileSync(join(place, 'file'), '')
    chownSync(join(place, 'file'), dead, dead)
    const program = spawn('sleep', ['600'], { uid: running })
    await once(program, 'spawn')
    onTestFinished(() => void program.kill())
    // Several origins may start at once.
    await Promise.all(Array.from({ length: 8 }, () => createScratch(join(place, 'data')).sweep()))
    vi.unstubAllEnvs()
    expect(readdirSync(place).sort()).toEqual(['file', `socket-${other}`, `socket-${running}`])
  })

  it('are created once there is space, also when there was none before', async () => {
    const place = dataDir()
    chmodSync(place, 0o755)
    const taken = join(place, 'scratch')
    writeFileSync(taken, 'no folder')
    // Where the programs of root have theirs.
    vi.stubEnv('TMPDIR', taken)
    const scratch = createScratch(place)
    await expect(scratch.folder('office')).rejects.toThrow()
    rmSync(taken)
    expect(existsSync(await scratch.folder('office'))).toBe(true)
    await scratch.remove()
    vi.unstubAllEnvs()
  })

  it('belong to one service, also when two of one process share a parent folder', async () => {
    const shared = dataDir()
    const [one, two] = [createScratch(shared), createScratch(shared)]
    const kept = join(await one.folder('office'), 'profile')
    writeFileSync(kept, '')
    const other = await two.folder('office')
    expect(existsSync(kept)).toBe(true)
    await two.remove()
    expect([existsSync(kept), existsSync(other)]).toEqual([true, false])
    await one.remove()
  })

  it.each([
    ['of a process that is gone', (pid: number, on: string) => `platen-${on}-${2 ** 22 + pid}-000000`, true],
    ['of an earlier process of our number', (pid: number, on: string) => `platen-${on}-${pid}-000000`, true],
    ['of another machine', (pid: number) => `platen-00000000-${2 ** 22 + pid}-000000`, false],
    ['of a process that runs', (_: number, on: string) => `platen-${on}-${process.ppid}-000000`, false],
    ['of somebody else', () => 'notes', false],
  ])('what is left %s', async (_, nameOf, goes) => {
    const shared = dataDir()
    const first = createScratch(shared)
    const base = dirname(await first.folder('office'))
    const [, machine = ''] = base.slice(base.lastIndexOf('/') + 1).split('-')
    const left = join(dirname(base), nameOf(process.pid, machine))
    mkdirSync(left)
    const before = new Date(Date.now() - process.uptime() * 1000 - 60_000)
    utimesSync(left, before, before)
    const second = createScratch(shared)
    await second.folder('office')
    expect([existsSync(left), existsSync(base)]).toEqual([!goes, true])
    rmSync(left, { recursive: true, force: true })
    await Promise.all([first.remove(), second.remove()])
  })
})

it('a folder that programs of other users cannot enter is reported at the start, and by what needs it', async () => {
  expect(process.getuid?.()).toBe(0)
  const closed = dataDir()
  const inner = join(closed, 'tmp')
  mkdirSync(inner, { mode: 0o777 })
  chmodSync(closed, 0o700)
  const { config, remove } = await testConfig({ logLevel: 'error' })
  vi.stubEnv('TMPDIR', inner)
  const lines: string[] = []
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => lines.push(String(text)) > 0)
  const service = await createServices(config).finally(() => write.mockRestore())
  try {
    expect(lines.join('')).toContain('scratch.closed')
    expect(lines.join('')).toContain(closed)
    expect(lines.join('')).toContain('TMPDIR')
    const source = fromBytes(new TextEncoder().encode('{\\rtf1 Hello}'))
    const job = { source, from: 'rtf', to: 'odt', letter: 'L', deadline: Date.now() + 200_000 }
    const convert = () => service.converter.convert({ ...job, signal: new AbortController().signal })
    await expect(convert()).rejects.toMatchObject({
      code: 'convert.closed-folder',
      hint: expect.stringContaining('chmod o+x'),
    })
    const office = async () => (await service.converter.health()).find(({ letter }) => letter === 'L')
    expect(await office()).toMatchObject({ ok: false, because: expect.stringContaining('temporary files') })
    chmodSync(closed, 0o711)
    expect((await bytesOf((await convert()).value)).length).toBeGreaterThan(1000)
    expect(await office()).toMatchObject({ ok: true })
  } finally {
    vi.unstubAllEnvs()
    await service.stop()
    await remove()
  }
})

it('two services in one process convert beside each other', async () => {
  // Only the owner may enter these data folders, so programs of the user `nobody` get a folder of the system.
  const prepared = await Promise.all([testConfig(), testConfig()])
  const services: OriginServices[] = []
  const convert = async (service: OriginServices) => {
    const { value } = await service.converter.convert({
      source: fromBytes(new TextEncoder().encode('{\\rtf1 Hello}')),
      from: 'rtf',
      to: 'odt',
      letter: 'L',
      deadline: Date.now() + 200_000,
      signal: new AbortController().signal,
    })
    return (await bytesOf(value)).length
  }
  try {
    for (const { config } of prepared) {
      const service = await createServices(config)
      services.push(service)
      expect(await convert(service)).toBeGreaterThan(1000)
    }
    const sizes = await Promise.all(services.flatMap((service) => [convert(service), convert(service)]))
    for (const size of sizes) expect(size).toBeGreaterThan(1000)
    await services.pop()?.stop()
    expect(await convert(services[0] as OriginServices)).toBeGreaterThan(1000)
  } finally {
    await Promise.all(services.map((service) => service.stop()))
    for (const { remove } of prepared) await remove()
  }
})

import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serverFlags } from '../../../origin/setup/run.mjs'
import { freePort } from '../../helpers/free-port.ts'
import { platen } from '../../helpers/platen-cli.ts'
import { useTemporary } from '../../helpers/temporary.ts'

const temporary = useTemporary()
const main = new URL('../../../origin/cli/main.ts', import.meta.url).pathname

it.each([[['webserver']], [[]]])('serves with %j until it is stopped', async (command) => {
  const folder = temporary()
  await mkdir(folder)
  const port = await freePort()
  const args = [...command, '--port', String(port), '-w', folder, '--prewarm', 'false']
  const child = spawn(process.execPath, [main, ...args], { env: { ...process.env, SERVICE_PORT: '1' } })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  let said = ''
  child.stdout.on('data', (chunk) => (said += chunk))
  await expect
    .poll(() => said)
    .toContain(
      `platen listens on http://127.0.0.1:${port}\nTemplate studio: off. With --studio it opens at http://127.0.0.1:${port}/\n`,
    )
  expect((await fetch(`http://127.0.0.1:${port}/status`)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
})

it('suggests a similar command', async () => {
  expect(await platen(temporary(), 'rendr', 'a.docx')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^Unknown command "rendr"\. Did you mean "render"\?\n/),
  })
})

/** Only root may start programs as another user, which is what is tried before a unit is written. */
describe.runIf(process.getuid?.() === 0)('before it writes a unit', () => {
  it.each([
    [
      'there is no such user',
      ['--user', 'nobody-at-all'],
      /^There is no user nobody-at-all\. Create one with: /,
    ],
    [
      "the folder is another user's",
      ['--user', 'nobody', '-w', '/etc'],
      /^\/etc cannot be written by nobody, /,
    ],
    [
      'an option keeps it from starting',
      ['--user', 'nobody', '--bind', '203.0.113.1'],
      /not start as nobody|may not be read by nobody/,
    ],
  ])('reports when %s', async (_, args, expected) => {
    const folder = temporary()
    chmodSync(dirname(folder), 0o755)
    const { code, err } = await platen('/', 'install', '-w', folder, ...args)
    expect([code, err]).toEqual([2, expect.stringMatching(expected)])
    expect(existsSync('/etc/systemd/system/platen.service')).toBe(false)
  })
})

const server = new URL('../../../origin/server.ts', import.meta.url).pathname
/** Named after this process: another run of the tests on this machine makes its own. */
const throwAway = `platen-trial-${process.pid}`
/** Other users may not be able to read the code when it is below a home folder. */
const nobodyReads = (path: string) =>
  spawnSync('/usr/bin/test', ['-r', path], { uid: 65534, gid: 65534, cwd: '/' }).status === 0
const canMakeUsers = process.getuid?.() === 0 && existsSync('/usr/sbin/useradd') && nobodyReads(server)

describe.runIf(canMakeUsers)('the unit that install writes', () => {
  beforeAll(() => execFileSync('/usr/sbin/useradd', ['--system', '--no-create-home', throwAway]))
  afterAll(() => execFileSync('/usr/sbin/userdel', [throwAway]))

  it('starts a service as its user, which answers and stops on a signal', async () => {
    const base = temporary()
    await mkdir(base)
    for (let folder = base; folder !== '/tmp' && folder !== '/'; folder = dirname(folder))
      chmodSync(folder, 0o755)
    const [work, file, port] = [`${base}/work`, `${base}/platen.service`, await freePort()]
    const options = ['--user', throwAway, '-w', work, '--port', String(port), '--prewarm', 'false']
    const { code, out, err } = await platen('/', 'install', '--unit', file, ...options)
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain(`Checked: the service starts as ${throwAway}.\n${file} is written.`)

    const unit = readFileSync(file, 'utf8')
    const [, user, cwd, command] =
      /^User=(.*)\nWorkingDirectory=(.*)\n[\s\S]*^ExecStart=(.*)$/m.exec(unit) ?? []
    expect([user, cwd]).toEqual([throwAway, work])
    const env = Object.fromEntries(
      [...unit.matchAll(/^Environment="([^=]+)=(.*)"$/gm)].map(([, name, value]) => [name, value]),
    )
    const [program = '', ...words] = wordsOf(command ?? '')
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, throwAway])))
    const child = spawn(program, words, { uid, gid, cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const ended = new Promise((resolve) => child.once('close', (...how) => resolve(how)))
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk))
    await expect.poll(() => said).toContain(`platen listens on http://127.0.0.1:${port}\n`)
    const answer = await fetch(`http://127.0.0.1:${port}/status`)
    expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ success: true })])
    expect(statSync(work).uid).toBe(uid)
    expect(readdirSync(work).map((name) => statSync(`${work}/${name}`).uid)).not.toContain(0)
    child.kill('SIGTERM')
    expect(await ended, said).toEqual([0, null])
  })
})

/** The words of an ExecStart line as systemd reads them. */
function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word]) =>
    word!.replace(/\\(.)/g, '$1').replaceAll('%%', '%').replaceAll('$$', '$'),
  )
}

it('writes a systemd unit with the options quoted as needed', async () => {
  const folder = temporary('a "b" 5%$x')
  const { code, out } = await platen(
    '/',
    'install',
    '--print',
    '--user',
    'www-data',
    '-w',
    folder,
    '--lang',
    'fr',
  )
  expect(code).toBe(0)
  const [, words = ''] = /^ExecStart=(.*)$/m.exec(out) ?? []
  const read = wordsOf(words)
  const [serverAt, flags] = [1 + serverFlags.length, read.slice(1, 1 + serverFlags.length)]
  expect(flags).toEqual(serverFlags)
  expect(read.slice(serverAt + 1)).toEqual(['-w', folder, '--lang', 'fr', '--workdir', folder])
  expect(read[serverAt]).toMatch(/\/origin\/server\.ts$/)
  expect(out).toContain(`\nWorkingDirectory=${folder.replace('%', '%%')}\n`)
  expect(out).toContain('\nUser=www-data\n')
  for (const wrong of [['--user', 'a b'], ['--port', 'x'], ['--unknown']])
    expect((await platen('/', 'install', '--print', ...wrong)).code).toBe(2)
})

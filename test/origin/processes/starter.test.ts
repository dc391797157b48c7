import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, describe, expect, it } from 'vitest'
import { createStarter, directStarter, type ProgramStarter } from '../../../origin/processes/starter.ts'
import { kill } from '../../helpers/kill.ts'
import { processesBelow } from '../../helpers/processes.ts'

const small = createStarter('perl')
afterAll(() => small.stop())

async function run(starter: ProgramStarter, args: readonly string[], env = {}) {
  const [output, complaints]: [Buffer[], Buffer[]] = [[], []]
  const started = starter.start({
    command: 'perl',
    args: ['-e', ...args],
    cwd: '/',
    env: { PATH: process.env['PATH'], ...env },
    onOutput: (chunk) => output.push(Buffer.from(chunk)),
    onComplaint: (chunk) => complaints.push(Buffer.from(chunk)),
  })
  const end = await started.ended
  return { end, output: Buffer.concat(output), complaints: Buffer.concat(complaints).toString() }
}

const starters = () => processesBelow(process.pid).filter(({ args }) => args.includes('starter.pl'))
const programs = (name: string) => processesBelow(1).filter(({ args }) => args.includes(name))

describe.each([
  ['a small process', small],
  ['this process', directStarter],
])('a program that %s starts', (_, starter) => {
  it('has its arguments, its variables, its folder and no input, and nothing else of the service', async () => {
    const script =
      'print join "|", @ARGV, $ENV{A}, scalar(keys %ENV), readlink("/proc/self/cwd"), scalar(<STDIN>) // "none", getpgrp == $$'
    const { end, output } = await run(starter, [script, 'ä b', '', "c'"], { A: '1=2' })
    expect([end, output.toString()]).toEqual([{ code: 0 }, "ä b||c'|1=2|2|/|none|1"])
    const open = await run(starter, [
      'opendir D, "/proc/self/fd"; print join " ", sort grep /\\d/ && $_ < 100, readdir D',
    ])
    expect(open.output.toString()).toBe('0 1 2 3') // the last is the folder itself
  })

  it('returns all of its outputs, its status, and the signal that ended it', async () => {
    const loud = await run(starter, ['print "x" x 3_000_000; print STDERR "no"; exit 7'])
    expect([loud.end, loud.output.length, loud.complaints]).toEqual([{ code: 7 }, 3_000_000, 'no'])
    expect((await run(starter, ['kill 15, $$; sleep 9'])).end).toEqual({ signal: 15 })
    const many = await Promise.all(
      Array.from({ length: 20 }, (_none, at) => run(starter, [`print ${at}; exit ${at}`])),
    )
    expect(many.map(({ end, output }) => [end, output.toString()])).toEqual(
      many.map((_none, at) => [{ code: at }, String(at)]),
    )
  })

  it('ends with its children, which would keep its output open, and when it is killed before it runs', async () => {
    expect((await run(starter, ['fork or do { sleep 300 }; exit 3'])).end).toEqual({ code: 3 })
    const nothing = {
      command: 'perl',
      args: ['-e', 'sleep 300'],
      cwd: '/',
      env: {},
      onOutput() {},
      onComplaint() {},
    }
    const started = starter.start({ ...nothing, env: { PATH: process.env['PATH'] } })
    started.kill()
    expect(await started.ended).toEqual({ signal: 9 })
  })

  it('that does not exist fails', async () => {
    const absent = {
      command: '/nowhere/program',
      args: [],
      cwd: '/',
      env: {},
      onOutput() {},
      onComplaint() {},
    }
    const end = await starter.start(absent).ended.catch((error: NodeJS.ErrnoException) => error.code)
    expect(end).toBeOneOf(['ENOENT', expect.objectContaining({ code: 127 })])
  })
})

describe('the small process', () => {
  it('is started again after it was killed, and what it ran is reported as lost', async () => {
    const running = run(small, ['sleep 300', 'lost program'])
    await expect.poll(() => programs('lost program').length).toBe(1)
    const [starter, ...others] = starters()
    expect(others).toEqual([])
    kill(starter!.pid)
    expect((await running).end).toEqual({ lost: true })
    await expect.poll(() => programs('lost program')).toEqual([])
    expect((await run(small, ['print "again"'])).output.toString()).toBe('again')
  })

  it('is replaced when it hangs', async () => {
    await run(small, ['1'])
    const [starter] = starters()
    kill(starter!.pid, 'SIGSTOP')
    const nothing = { command: 'perl', args: ['-e', '1'], cwd: '/', env: {}, onOutput() {}, onComplaint() {} }
    const started = small.start(nothing)
    started.kill()
    expect(await started.ended).toEqual({ lost: true })
    expect((await run(small, ['print "again"'])).output.toString()).toBe('again')
  })

  it('ends with the service, however that ends, and with it the children of programs', async () => {
    const script = new URL('../../../origin/processes/starter.pl', import.meta.url).pathname
    const starter = spawn('perl', [script, String(process.pid)], { stdio: ['pipe', 'ignore', 'ignore'] })
    const texts = ['1', '/', '0', 'perl', '-e', 'fork; sleep 300 # orphans-of-a-service']
    const body = Buffer.from(texts.map((text) => `${text}\0`).join(''))
    const length = Buffer.alloc(4)
    length.writeUInt32LE(body.length)
    starter.stdin.write(Buffer.concat([length, body]))
    await expect.poll(() => programs('orphans-of-a-service')).toHaveLength(2)
    starter.stdin.end()
    await expect.poll(() => programs('orphans-of-a-service')).toEqual([])
  })

  it('is the parent that a confined program sees', async () => {
    const { output } = await run(small, ['print $ARGV[0] eq "parent=" . getppid', `parent=${process.pid}`])
    expect(output.toString()).toBe('1')
  })

  it('where there is none, a program could not be started', async () => {
    await expect(run(createStarter('/nowhere/perl'), ['1'])).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it.each(['SIGKILL', 'SIGTERM'] as const)('ends with the service that gets %s', async (signal) => {
    const script = `
      import { createStarter } from '${new URL('../../../origin/processes/starter.ts', import.meta.url).pathname}'
      const args = ['-e', 'sleep 300', 'program of a service']
      createStarter('perl').start({ command: 'perl', args, cwd: '/', env: {}, onOutput() {}, onComplaint() {} })
      setInterval(() => {}, 1000)`
    const service: ChildProcess = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
      stdio: 'ignore',
    })
    const own = () => processesBelow(1).filter(({ args }) => args.endsWith(`starter.pl ${service.pid}`))
    await expect.poll(() => own().length).toBe(1)
    service.kill(signal)
    await once(service, 'exit')
    await expect.poll(own).toEqual([])
    for (const { pid } of programs('program of a service')) kill(pid)
  })

  it('lets a process end that has nothing else to do', async () => {
    const script = `
      import { createStarter } from '${new URL('../../../origin/processes/starter.ts', import.meta.url).pathname}'
      const starter = createStarter('perl')
      const start = () => starter.start({ command: 'perl', args: ['-e', 'print 1'], cwd: '/', env: {}, onOutput: (text) => process.stdout.write(text), onComplaint() {} }).ended
      await start()
      await start()`
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script])
    let printed = ''
    child.stdout.on('data', (chunk) => (printed += chunk))
    const [code] = await once(child, 'exit')
    expect([code, printed]).toEqual([0, '11'])
  })
})

import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createConfinement } from '../../../origin/processes/confine.ts'
import { createProgramRunner } from '../../../origin/processes/run-program.ts'
import type { ErrorCode } from '../../../shared/errors/catalogue.ts'
import type { ProgramResult, ProgramRun } from '../../../shared/plugin/processes.ts'
import { canMount } from '../../helpers/allowed.ts'
import { useTemporary } from '../../helpers/temporary.ts'

const { confine } = createConfinement('best')
const place = useTemporary()
let folder = ''
beforeAll(() => {
  folder = place()
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o755)
})
afterAll(() => expect(readdirSync(folder)).toEqual([]))

const shell = (script: string, more: Partial<ProgramRun> = {}, where = folder): Promise<ProgramResult> =>
  createProgramRunner({ confine, folder: async () => where, now: Date.now })({
    title: 'The program',
    program: 'sh',
    args: ['-c', script],
    files: {},
    doing: 'trying',
    deadline: Date.now() + 200_000,
    signal: new AbortController().signal,
    ...more,
  })
const codeOf = (running: Promise<unknown>): Promise<ErrorCode | string> =>
  running.then(
    () => 'no error',
    (error: { code?: string }) => error.code ?? String(error),
  )

const never = new AbortController().signal

describe('a program that runs once', () => {
  it('returns the files in the order of their numbers, and the error output', async () => {
    const files = { 'in.txt': new TextEncoder().encode('given') }
    const made = await shell(
      'cat in.txt; echo oops >&2; for n in 10 9 1; do echo $n > page-$n; done; exit 3',
      { files },
    )
    expect([made.code, made.stderr, new TextDecoder().decode(made.stdout)]).toEqual([3, 'oops\n', 'given'])
    expect([...made.files.keys()]).toEqual(['page-1', 'page-9', 'page-10'])
  })

  it.each<[string, string, Partial<ProgramRun>, string]>([
    ['killed with -9', 'kill -9 $$', {}, 'convert.crashed'],
    [
      'killed with -9 after it wrote half',
      'printf "%%PDF-1.4 half" > made.pdf; kill -9 $$',
      {},
      'convert.crashed',
    ],
    ['not there', '', { program: 'no-such-program' }, 'convert.engine-off'],
    ['too slow', 'sleep 30', { deadline: Date.now() + 300 }, 'convert.timeout'],
    ['busy for too long', 'while :; do :; done', { limits: { cpuSeconds: 1 } }, 'convert.timeout'],
    [
      'writing too large a file',
      'head -c 9000000 /dev/zero > made',
      { limits: { fileBytes: 1e6 } },
      'not whole',
    ],
    ['cancelled', 'sleep 30', { signal: AbortSignal.timeout(200) }, 'TimeoutError'],
  ])('%s', async (_, script, more, code) => {
    const deadline = more.deadline === undefined ? {} : { deadline: Date.now() + 300 }
    const ended = await shell(script, { ...more, ...deadline }).then(
      ({ code: status }) => (status === 0 ? 'no error' : 'not whole'),
      (error: { code?: string; name?: string }) => (typeof error.code === 'string' ? error.code : error.name),
    )
    expect(ended === 'convert.memory' && code === 'not whole' ? code : ended).toBe(code)
  })

  it('reports that it waited when others ran until its deadline', async () => {
    const run = createProgramRunner({ confine, folder: async () => folder, now: Date.now })
    const others = new AbortController()
    const sleeper = (ms: number, signal: AbortSignal): ProgramRun => ({
      title: 'The program',
      program: 'sleep',
      args: ['30'],
      files: {},
      doing: 'trying',
      deadline: Date.now() + ms,
      signal,
    })
    const running = Array.from({ length: availableParallelism() }, () =>
      codeOf(run(sleeper(200_000, others.signal))),
    )
    expect(await codeOf(run(sleeper(300, AbortSignal.timeout(300))))).toBe('convert.busy')
    others.abort()
    await Promise.all(running)
  })

  it('reports that it waited when that left too little time', async () => {
    let skew = 0
    const run = createProgramRunner({ confine, folder: async () => folder, now: () => Date.now() + skew })
    const others = new AbortController()
    const sleeper = (ms: number, signal: AbortSignal): ProgramRun => ({
      title: 'The program',
      program: 'sleep',
      args: ['30'],
      files: {},
      doing: 'trying',
      deadline: Date.now() + ms,
      signal,
    })
    const running = Array.from({ length: availableParallelism() }, () =>
      codeOf(run(sleeper(200_000, others.signal))),
    )
    const late = codeOf(run(sleeper(90_500, never)))
    skew = 90_000
    others.abort()
    await Promise.all(running)
    expect(await late).toBe('convert.waited')
  })

  it('is started once more when it was killed, and not a third time', async () => {
    const scripts = ['kill -9 $$', 'echo whole', 'kill -9 $$', 'kill -9 $$', 'echo whole']
    const run = createProgramRunner({
      confine: (_, __, options) => confine('sh', ['-c', scripts.shift() ?? ''], options),
      folder: async () => folder,
      now: Date.now,
    })
    const given = {
      title: 'The program',
      program: 'sh',
      args: [],
      files: {},
      doing: 'trying',
      deadline: Date.now() + 200_000,
      signal: never,
    }
    expect(new TextDecoder().decode((await run(given)).stdout)).toBe('whole\n')
    expect(await codeOf(run(given))).toBe('convert.crashed')
    expect(scripts).toEqual(['echo whole'])
  })

  it('ends with all its child processes', async () => {
    const made = await shell('sleep 987 & echo $!')
    const pid = Number(new TextDecoder().decode(made.stdout))
    await expect.poll(() => runs(pid)).toBe(false)
  })

  it('ignores links among the files it wrote', async () => {
    const made = await shell('echo own > made; ln -s /etc/passwd link; ln -s made again; mkdir more')
    expect([...made.files.keys()]).toEqual(['made'])
  })

  it('never starts when it is aborted before', async () => {
    const given = new AbortController()
    const files = {
      get 'in.txt'() {
        given.abort()
        return new Uint8Array()
      },
    }
    await expect(
      shell('sleep 3000', { files, deadline: Date.now() + 3e6, signal: given.signal }),
    ).rejects.toThrow(/abort/)
  })

  it('reports a folder that cannot be created, and tries again', async () => {
    let ready = false
    const run = createProgramRunner({
      confine,
      folder: async () => {
        if (!ready) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
        return folder
      },
      now: Date.now,
    })
    const wanted: ProgramRun = {
      title: 'The program',
      program: 'true',
      args: [],
      files: {},
      doing: 'trying',
      deadline: Date.now() + 200_000,
      signal: new AbortController().signal,
    }
    expect(await codeOf(run(wanted))).toBe('convert.disk')
    ready = true
    expect((await run(wanted)).code).toBe(0)
  })
})

describe('a disk that is full', () => {
  // Some containers do not allow mounting.
  it.runIf(canMount())('is reported when either the document or its result does not fit', async () => {
    const small = place()
    mkdirSync(small, { recursive: true })
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=755', 'tmpfs', small])
    try {
      const large = { 'in.bin': new Uint8Array(2 * 2 ** 20) }
      expect(await codeOf(shell('true', { files: large }, small))).toBe('convert.disk')
      expect(await codeOf(shell('head -c 3000000 /dev/zero > made', {}, small))).toBe('convert.disk')
      expect((await shell('echo room > made', {}, small)).files.size).toBe(1)
      expect(readdirSync(small)).toEqual([])
    } finally {
      execFileSync('umount', ['--lazy', small])
    }
  })
})

function runs(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

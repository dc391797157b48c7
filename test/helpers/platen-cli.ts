import { execFile } from 'node:child_process'
import { vi } from 'vitest'
import { readConfig } from '../../origin/config.ts'

const main = new URL('../../origin/cli/main.ts', import.meta.url).pathname

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

const started = new Set<string | undefined>()
let previous: Promise<unknown> = Promise.resolve()

/**
 * The `platen` command in a working folder. The first of each name in a test process is started as an operator does it; later ones
 * run in the test process, one after the other, since half of the time of a short command is that of its start.
 */
export function platen(folder: string, ...args: readonly string[]): Promise<Ran> {
  if (!started.has(args[0])) {
    started.add(args[0])
    return startPlaten(folder, ...args).ended
  }
  const ran = previous.then(() => runHere(folder, args))
  previous = ran.catch(() => undefined)
  return ran
}

async function runHere(folder: string, args: readonly string[]): Promise<Ran> {
  const { runCommandLine } = await import('../../origin/cli/run.ts')
  const workdir = process.env.SERVICE_WORKDIR
  process.env.SERVICE_WORKDIR = folder
  try {
    return await withPrinted(() => runCommandLine(args))
  } finally {
    if (workdir === undefined) delete process.env.SERVICE_WORKDIR
    else process.env.SERVICE_WORKDIR = workdir
  }
}

/** What a command prints while it runs in this process, and its status. */
async function withPrinted(run: () => Promise<number>): Promise<Ran> {
  const [out, err]: [string[], string[]] = [[], []]
  const line = (to: string[]) => (text: unknown) => void to.push(`${text}\n`)
  const part = (to: string[]) => (text: unknown, done?: unknown) => {
    to.push(typeof text === 'string' ? text : Buffer.from(text as Uint8Array).toString())
    if (typeof done === 'function') done()
    return true
  }
  const spies = [
    vi.spyOn(console, 'log').mockImplementation(line(out)),
    vi.spyOn(console, 'error').mockImplementation(line(err)),
    vi.spyOn(process.stdout, 'write').mockImplementation(part(out)),
    vi.spyOn(process.stderr, 'write').mockImplementation(part(err)),
  ]
  try {
    const code = await run()
    return { code, out: out.join('').trim(), err: err.join('').trim() }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

/** The same, and a word of it on the way: `says` waits for a text on its standard error, or for the end. */
export function startPlaten(
  folder: string,
  ...args: readonly string[]
): { readonly ended: Promise<Ran>; says(text: string): Promise<void> } {
  const env = { ...process.env, SERVICE_WORKDIR: folder }
  const { promise: ended, resolve } = Promise.withResolvers<Ran>()
  const child = execFile(process.execPath, [main, ...args], { env }, (error, out, err) =>
    resolve({ code: error === null ? 0 : Number(error.code), out: out.trim(), err: err.trim() }),
  )
  let said = ''
  child.stderr?.on('data', (chunk) => (said += chunk))
  const says = async (text: string) => {
    let over = false
    void ended.then(() => (over = true))
    while (!said.includes(text) && !over) await new Promise((done) => setTimeout(done, 20))
  }
  return { ended, says }
}

export interface AccountCommandOptions {
  readonly options?: readonly string[]
  readonly asProcess?: readonly string[] // actions; all when absent
}

/**
 * The same for `platen accounts` without a process for each command. The first of each action is one all the same, or of
 * each in `asProcess`: it shares the database with the service as the command of an operator does. `options` are added to
 * each command, such as those that name a database elsewhere.
 */
export function accountCommands(
  folder: string,
  { options = [], asProcess }: AccountCommandOptions = {},
): (...args: readonly string[]) => Promise<Ran> {
  const seen = new Set<string>()
  return async (...args) => {
    const [name = '', action = ''] = args
    if (name !== 'accounts') return platen(folder, ...args)
    if (!seen.has(action) && asProcess?.includes(action) !== false) {
      seen.add(action)
      return platen(folder, ...args, ...options)
    }
    const rest = [...args.slice(2), ...options]
    const { accounts } = await import('../../origin/cli/accounts.ts')
    const { config } = readConfig(['--workdir', folder], {})
    return withPrinted(() => accounts.run(() => config, [action, ...rest]))
  }
}

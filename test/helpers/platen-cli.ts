import { execFile } from 'node:child_process'
import { vi } from 'vitest'
import { readConfig } from '../../origin/config.ts'

const main = new URL('../../origin/cli/main.ts', import.meta.url).pathname

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** The `platen` command in a working folder. */
export function platen(folder: string, ...args: readonly string[]): Promise<Ran> {
  return startPlaten(folder, ...args).ended
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
    const [out, err]: [string[], string[]] = [[], []]
    const log = vi.spyOn(console, 'log').mockImplementation((line) => void out.push(String(line)))
    const error = vi.spyOn(console, 'error').mockImplementation((line) => void err.push(String(line)))
    try {
      const code = await accounts.run(() => config, [action, ...rest])
      return { code, out: out.join('\n').trim(), err: err.join('\n').trim() }
    } finally {
      log.mockRestore()
      error.mockRestore()
    }
  }
}

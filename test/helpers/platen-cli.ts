import { execFile } from 'node:child_process'

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

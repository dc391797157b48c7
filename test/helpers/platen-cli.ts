import { execFile } from 'node:child_process'

const main = new URL('../../origin/cli/main.ts', import.meta.url).pathname

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** The `platen` command in a working folder. */
export function platen(folder: string, ...args: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    const env = { ...process.env, SERVICE_WORKDIR: folder }
    execFile(process.execPath, [main, ...args], { env }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out: out.trim(), err: err.trim() }),
    )
  })
}

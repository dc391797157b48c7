import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { unlessMissing } from './programs.ts'
import { temporaryFolder } from './temporary-folder.ts'

const execute = promisify(execFile)

async function inFolder<T>(bytes: Uint8Array, use: (folder: string, file: string) => Promise<T>): Promise<T> {
  const folder = temporaryFolder('platen-look')
  try {
    const file = join(folder, 'file.pdf')
    await writeFile(file, bytes)
    return await use(folder, file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What a program prints about a file, one character a byte; '@' in its arguments stands for the file. */
export const look = (bytes: Uint8Array, command: string, ...args: readonly string[]): Promise<string> =>
  inFolder(bytes, async (_folder, file) => {
    const given = args.map((arg) => (arg === '@' ? file : arg))
    const options = { encoding: 'latin1', maxBuffer: 64 * 1024 * 1024 } as const
    const { stdout } = await execute(command, given, options).catch((error: unknown) => {
      throw unlessMissing(error)
    })
    return stdout
  })

/** The files that a PDF embeds, by Poppler. */
export const attachedFiles = (
  bytes: Uint8Array,
): Promise<readonly { readonly name: string; readonly text: string }[]> =>
  inFolder(bytes, async (folder, file) => {
    const out = join(folder, 'out')
    await mkdir(out)
    await execute('pdfdetach', ['-saveall', '-o', out, file]).catch((error: unknown) => {
      throw unlessMissing(error)
    })
    const names = (await readdir(out)).sort()
    return Promise.all(names.map(async (name) => ({ name, text: await readFile(join(out, name), 'utf8') })))
  })

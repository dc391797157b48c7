import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Converts every file of a folder beside itself in one run, with a profile of its own. */
export async function convertFolder(folder: string, to: string, profile: string): Promise<void> {
  const files = (await readdir(folder)).map((name) => join(folder, name))
  const own = `-env:UserInstallation=file://${profile}`
  await promisify(execFile)(
    'soffice',
    [own, '--headless', '--convert-to', to, '--outdir', folder, ...files],
    {
      timeout: 100_000,
    },
  )
}

export const asCsv = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true'

import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Ends an office that hangs. It is no bound of speed: a machine that runs tests does other work, too. */
const hangGuardMs = 600_000

/** Converts every file of a folder beside itself in one run, with a profile of its own. */
export async function convertFolder(folder: string, to: string, profile: string): Promise<void> {
  const files = (await readdir(folder)).map((name) => join(folder, name))
  const own = `-env:UserInstallation=file://${profile}`
  await promisify(execFile)(
    'soffice',
    [own, '--headless', '--convert-to', to, '--outdir', folder, ...files],
    { timeout: hangGuardMs },
  )
}

export const asCsv = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true'

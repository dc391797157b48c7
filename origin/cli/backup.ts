import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite'
import type { OriginConfig } from '../config.ts'
import { databaseFile } from '../storage/open.ts'
import { type LocalCommand, UsageError } from './command.ts'
import { readCommandLine } from './flags.ts'

/** A backup contains the database, the files, and `config/` with keys and settings. */
const [filesName, configName] = ['blobs', 'config']

const allPages = 2 ** 31 - 1

/** Copies the data of a stand-alone origin to a folder, also while it runs. */
export const backupCommand: LocalCommand = {
  local: true,
  usage: 'platen backup FOLDER [--workdir FOLDER]',
  summary:
    'Copies the database, the files and the configuration of this machine to a new folder. The service may run meanwhile.',
  async run(readConfig, args) {
    const { folder, config } = parse(readConfig, args)
    const source = join(config.dataDir, databaseFile)
    if (config.databaseUrl !== '' || config.blobsUrl.length > 0) {
      console.error(
        'The records or files of this service are on other servers. Back them up with the tools of those servers.',
      )
      return 1
    }
    if (!existsSync(source)) {
      console.error(`There is no database in ${config.dataDir}. Set --workdir or SERVICE_DATA_DIR.`)
      return 1
    }
    await mkdir(folder, { recursive: true, mode: 0o700 })
    if ((await readdir(folder)).length > 0) {
      console.error(`${folder} is not empty. Name a new folder.`)
      return 1
    }
    // The database is copied first: a file is written before its row, so each row of the copy has its file. A file
    // that is deleted in between belongs to a render or template that was about to expire.
    const database = new DatabaseSync(source, { readOnly: true })
    try {
      // In one step, because a copy in several steps restarts each time the service writes in between.
      await copyDatabase(database, join(folder, databaseFile), { rate: allPages })
    } finally {
      database.close()
    }
    await copyFolder(join(config.dataDir, filesName), join(folder, filesName))
    await copyFolder(join(config.workdir, configName), join(folder, configName))
    console.log(
      `The backup is in ${folder}. It holds keys and documents: keep it where only you can read it.`,
    )
    return 0
  },
}

/** Puts a backup into the data folder of an origin that has none yet. */
export const restoreCommand: LocalCommand = {
  local: true,
  usage: 'platen restore FOLDER [--workdir FOLDER]',
  summary: 'Restores a backup into a data folder that has no database yet. Stop the service first.',
  async run(readConfig, args) {
    const { folder, config } = parse(readConfig, args)
    if (!existsSync(join(folder, databaseFile))) {
      console.error(`${folder} holds no backup: ${databaseFile} is missing.`)
      return 1
    }
    if (existsSync(join(config.dataDir, databaseFile))) {
      console.error(
        `There is a database in ${config.dataDir} already. Move it away, or name another --workdir.`,
      )
      return 1
    }
    await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
    await chmod(config.dataDir, 0o700)
    await copyFolder(join(folder, filesName), join(config.dataDir, filesName))
    await copyFolder(join(folder, configName), join(config.workdir, configName))
    // The database is copied last, so that an interrupted restore can be repeated.
    await cp(join(folder, databaseFile), join(config.dataDir, databaseFile))
    console.log(`Restored to ${config.dataDir}. The next start brings the database up to date.`)
    return 0
  },
}

function parse(
  readConfig: (workdir?: string) => OriginConfig,
  args: readonly string[],
): { readonly folder: string; readonly config: OriginConfig } {
  const options = { workdir: { type: 'string', short: 'w' } } as const
  const { values, positionals } = readCommandLine({ args: [...args], options, allowPositionals: true })
  const [folder] = positionals
  if (folder === undefined || positionals.length > 1) throw new UsageError('Name one folder.')
  return { folder, config: readConfig(values.workdir) }
}

/** Copies the current content of a folder. Files that a running service deletes meanwhile are no longer needed. */
async function copyFolder(from: string, to: string): Promise<void> {
  const entries = await ifExists(readdir(from, { withFileTypes: true }))
  if (entries === undefined) return
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const entry of entries) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyFolder(source, target)
    else await ifExists(cp(source, target, { preserveTimestamps: true }))
  }
}

/** Resolves to undefined for a file that no longer exists. */
async function ifExists<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

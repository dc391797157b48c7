import { readdir, readFile } from 'node:fs/promises'
import type { Migration } from '../../shared/records/migrate.ts'

const folder = new URL('../../shared/records/migrations/', import.meta.url)

/** Reads all migrations of `shared/records/migrations` for `migrate`. */
export async function readMigrations(): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql'))
  return Promise.all(
    names.map(async (name) => ({ name, sql: await readFile(new URL(name, folder), 'utf8') })),
  )
}

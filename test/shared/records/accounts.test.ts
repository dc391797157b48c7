import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ownTables } from '../../../shared/records/accounts.ts'

/** Tables that keep rows of a removed account, and why. */
const kept: Readonly<Record<string, string>> = {
  revoked_tokens: 'Its tokens must not open a later account of the same name.',
  queue_jobs: 'An entry without the row of its job is dropped when it is delivered.',
}

test('the rows of a removed account go from every table that has an account, but for those with a reason', () => {
  const folder = new URL('../../../shared/records/migrations/', import.meta.url)
  const migrations = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'))
  const created = migrations.join('\n').matchAll(/CREATE TABLE (\w+) \(\n(.*?)\n\)/gs)
  const withAccount = [...created].filter(([, , columns]) => /^ {2}account /m.test(columns!))
  const tables = withAccount.map(([, table]) => table!)
  expect(tables.length).toBeGreaterThan(5)
  expect([...ownTables, ...Object.keys(kept)].toSorted()).toEqual(tables.toSorted())
})

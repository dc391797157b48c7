/**
 * The index of names, which a search reads instead of all names: the table `template_grams` has a row for each folded name
 * of an account and each of its trigrams. The last two characters and the last one are rows as well, so that every
 * sequence of one or two characters begins a row. Versions of one name share its rows. All rows of a name are
 * written and removed together.
 */
import type { Sql, SqlValue, Statement } from '../ports/sql.ts'
import { foldedName, maxFolded, nameBits } from './text.ts'

/** The columns of `nameBits`. */
export const bitColumns = ['name_bits_0', 'name_bits_1', 'name_bits_2', 'name_bits_3', 'name_bits_4'] as const

/** The columns of `templates` that a search compares, with their values for a name. */
export function nameColumns(name: string): Readonly<Record<string, SqlValue>> {
  const folded = foldedName(name)
  const bits = nameBits(folded)
  return {
    name_folded: folded,
    ...Object.fromEntries(bitColumns.map((column, set) => [column, bits[set] ?? 0])),
    name_indexed: 1,
  }
}

/** SQL: the numbers from 1 to the length of the longest name. */
const positions = `positions(n) AS MATERIALIZED (SELECT 1 UNION ALL SELECT n + 1 FROM positions WHERE n < ${maxFolded})`
/** SQL: the row of the table at one position of a name. At the end of the name it is shorter. */
const gramAt = (name: string) => `substr(${name}, n, 3)`

/**
 * SQL: adds the names of the table expression `names(account, name)`, except those that are there. LIMIT makes PostgreSQL look
 * each name up in the index, where it would else read the whole table.
 */
const insertNames = `INSERT INTO template_grams (account, gram, name)
  SELECT DISTINCT names.account, ${gramAt('names.name')}, names.name FROM names CROSS JOIN positions
  WHERE n <= length(names.name) AND (SELECT g.gram FROM template_grams g WHERE g.account = names.account
    AND g.gram = substr(names.name, 1, 3) AND g.name = names.name LIMIT 1) IS NULL
  ON CONFLICT DO NOTHING`

/** A statement that adds a name to the index. It belongs in the transaction that writes the version. */
export function addName(account: string, name: string): Statement {
  return {
    text: `WITH RECURSIVE ${positions}, names(account, name) AS (SELECT CAST(?1 AS TEXT), CAST(?2 AS TEXT)) ${insertNames}`,
    values: [account, foldedName(name)],
  }
}

/** A folded name of an account. */
export interface NameKey {
  readonly account: string
  readonly folded: string
}

/** A statement that removes the names that no version has any more. At most 50 names, since D1 allows 100 values. */
export function removeUnusedNames(names: readonly NameKey[]): Statement {
  const pairs = names.map((_, index) => `(?${2 * index + 1}, ?${2 * index + 2})`).join(', ')
  return {
    text: `WITH RECURSIVE ${positions}, names(account, name) AS (VALUES ${pairs})
      DELETE FROM template_grams WHERE (account, gram, name) IN (
        SELECT names.account, ${gramAt('names.name')}, names.name FROM names CROSS JOIN positions
        WHERE n <= length(names.name) AND (SELECT t.version_id FROM templates t WHERE t.account = names.account AND t.name_folded = names.name
          LIMIT 1) IS NULL)`,
    values: names.flatMap(({ account, folded }) => [account, folded]),
  }
}

/** The folded name that a version has now, or undefined when there is no such version. */
export async function findFoldedName(
  sql: Sql,
  account: string,
  versionId: string,
): Promise<string | undefined> {
  const [row] = await sql.query<{ name_folded: string }>({
    text: 'SELECT t.name_folded FROM templates t WHERE t.account = ?1 AND t.version_id = ?2',
    values: [account, versionId],
  })
  return row?.name_folded
}

/** Versions that one call of `indexNames` takes, with two values each in a statement: D1 allows 100. */
const versionsPerCall = 45

/**
 * Adds the names of some versions, of all accounts, that were stored before there was an index. Returns false when
 * none are left. The versions are bound as values, since PostgreSQL compares a list from a query with all rows of the table
 * where it has no statistics.
 */
export async function indexNames(sql: Sql): Promise<boolean> {
  const rows = await sql.query<{ account: string; version_id: string; name_folded: string }>({
    text: `SELECT t.account, t.version_id, t.name_folded FROM templates t WHERE t.name_indexed = 0 LIMIT ${versionsPerCall}`,
    values: [],
  })
  if (rows.length === 0) return false
  const pairs = rows.map((_, index) => `(?${2 * index + 1}, ?${2 * index + 2})`).join(', ')
  await sql.batch([
    {
      text: `WITH RECURSIVE ${positions}, given(account, name) AS (VALUES ${pairs}),
        names(account, name) AS (SELECT DISTINCT given.account, given.name FROM given) ${insertNames}`,
      values: rows.flatMap(({ account, name_folded }) => [account, name_folded]),
    },
    {
      text: `UPDATE templates SET name_indexed = 1 WHERE (account, version_id) IN (VALUES ${pairs})`,
      values: rows.flatMap(({ account, version_id }) => [account, version_id]),
    },
  ])
  return rows.length === versionsPerCall
}

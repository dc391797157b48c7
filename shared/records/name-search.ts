/** The search of a list: by ID, by a part of a name, and by names that are similar. */
import { entryOf } from '../entry-of.ts'
import type { Sql, SqlValue, Statement } from '../ports/sql.ts'
import { bitColumns } from './name-index.ts'
import { foldedName, gramBit, trigrams } from './text.ts'

/** Adds a value to those of a statement and returns its placeholder. */
export type Bind = (value: SqlValue) => string

/** The trigrams of a search that are compared. */
const maxGrams = 10
/** The maximum number of names and versions that are compared one by one; beyond, the list is read in its order. */
const maxCandidates = 1000

/**
 * How many of the trigrams of a search a name must contain: about half, so that similar names match. Two
 * swapped letters, the most common typing error, change at most four trigrams, so no more than
 * `count - 4` are required, but always two.
 */
function requiredTrigrams(count: number): number {
  return Math.max(2, Math.min(Math.ceil(count * 0.45), count - 4))
}

/** SQL: an ID of the version or of its template equals the text. */
const idMatches = (search: string, bind: Bind) =>
  [`t.version_id = ${bind(search.toLowerCase())}`, `t.template_id = ${bind(search)}`] as const

/**
 * SQL: the folded name in a column contains the text, or about half of its trigrams. `replace` finds a text in both
 * dialects. LIKE would need escaping, and D1 limits its patterns to 50 bytes.
 */
function nameMatches(column: string, search: string, bind: Bind): string {
  const folded = foldedName(search)
  const contains = (text: string) => `replace(${column}, ${bind(text)}, '') <> ${column}`
  const grams = trigrams(folded, maxGrams)
  if (grams.length < 2) return contains(folded)
  // A name that contains the whole text has all of its trigrams.
  const hasGrams = sum(grams.map((gram) => oneWhere(contains(gram))))
  return `(${contains(folded)} OR ${hasGrams} >= ${bind(requiredTrigrams(grams.length))})`
}

/**
 * SQL: the version in `t` matches a search. The comparison of names is slow, so the bits of the name are compared first.
 */
export function searchCondition(search: string, bind: Bind): string {
  const grams = trigrams(foldedName(search), maxGrams)
  const matches = nameMatches('t.name_folded', search, bind)
  const ids = idMatches(search, bind)
  if (grams.length < 2) return `(${[...ids, matches].join(' OR ')})`
  const hasBits = sum(grams.map((gram) => oneWhere(hasBit(gram, bind))))
  // CASE makes the database skip the slow comparison.
  const required = bind(requiredTrigrams(grams.length))
  return `(${ids.join(' OR ')} OR CASE WHEN ${hasBits} >= ${required} THEN ${matches} ELSE FALSE END)`
}

const oneWhere = (condition: string) => `CASE WHEN ${condition} THEN 1 ELSE 0 END`

/** SQL: the name may have a trigram. */
function hasBit(gram: string, bind: Bind): string {
  const { set, value } = gramBit(gram)
  return `(t.${bitColumns[set]} & CAST(${bind(value)} AS BIGINT)) <> 0`
}

/** SQL for a sum, nested as a balanced tree because databases limit the depth of an expression. */
function sum(terms: readonly string[]): string {
  if (terms.length === 1) return terms[0]!
  const half = terms.length >> 1
  return `(${sum(terms.slice(0, half))} + ${sum(terms.slice(half))})`
}

/** The rows of the index that every matching name has at least one of. */
export type Candidates =
  | { readonly kind: 'grams'; readonly grams: readonly string[] }
  | { readonly kind: 'prefix'; readonly prefix: string } // one or two characters that begin such a row

/** The versions among which a search looks. */
interface SearchScope {
  readonly search: string
  readonly deployedOnly: boolean
}

/**
 * Chooses the rows of the index in which a search looks for names. A name that has `required` of `count` trigrams has at
 * least one of any `count - required + 1`, so the rarest ones are enough. Returns undefined where they lead to many
 * versions, which are found sooner in the order of the list, and while the account has names that are not indexed.
 */
export async function findCandidates(
  sql: Sql,
  account: string,
  scope: SearchScope,
): Promise<Candidates | undefined> {
  const folded = foldedName(scope.search)
  if (folded === '') return undefined
  const grams = trigrams(folded, maxGrams)
  const all: readonly Candidates[] =
    grams.length === 0
      ? [{ kind: 'prefix', prefix: folded }]
      : grams.map((gram) => ({ kind: 'grams', grams: [gram] }))
  const [row] = await sql.query<Record<string, number>>(countStatement(account, all))
  if (row === undefined || row['unindexed'] !== 0) return undefined
  const counted = all.map((each, index) => ({ each, count: entryOf(row, `count_${index}`) ?? 0 }))
  const needed = grams.length < 2 ? 1 : grams.length - requiredTrigrams(grams.length) + 1
  const rarest = counted.sort((a, b) => a.count - b.count).slice(0, needed)
  if (rarest.reduce((total, { count }) => total + count, 0) > maxCandidates) return undefined
  const candidates: Candidates =
    grams.length === 0
      ? { kind: 'prefix', prefix: folded }
      : { kind: 'grams', grams: rarest.flatMap(({ each }) => (each.kind === 'grams' ? each.grams : [])) }
  const [versions] = await sql.query<{ count: number }>(versionCount(account, scope, candidates))
  return versions === undefined || versions.count > maxCandidates ? undefined : candidates
}

/** Counts the names that have each of the candidates, up to a little over the maximum. */
function countStatement(account: string, all: readonly Candidates[]): Statement {
  const values: SqlValue[] = [account]
  const bind: Bind = (value) => `?${values.push(value)}`
  const counts = all.map(
    (each, index) => `(SELECT COUNT(*) FROM (SELECT 1 FROM template_grams g
      WHERE ${inIndex(each, bind)} LIMIT ${maxCandidates + 1}) AS counted) AS count_${index}`,
  )
  return {
    text: `SELECT ${counts.join(', ')}, (SELECT COUNT(*) FROM (SELECT 1 FROM templates t
      WHERE t.account = ?1 AND t.name_indexed = 0 LIMIT 1) AS rest) AS unindexed`,
    values,
  }
}

function versionCount(account: string, scope: SearchScope, candidates: Candidates): Statement {
  const values: SqlValue[] = [account]
  const bind: Bind = (value) => `?${values.push(value)}`
  return {
    text: `SELECT COUNT(*) AS count FROM (SELECT 1 FROM ${namedVersions(scope, candidates, bind)}
      LIMIT ${maxCandidates + 1}) AS counted`,
    values,
  }
}

/** The last code point, which no text of a name is after. */
const lastCharacter = '\u{10FFFF}'

/** SQL: the row of the index in `g` belongs to the account of ?1 and is one of the candidates. */
function inIndex(candidates: Candidates, bind: Bind): string {
  if (candidates.kind === 'grams')
    return `g.account = ?1 AND g.gram IN (${candidates.grams.map((gram) => bind(gram)).join(', ')})`
  const { prefix } = candidates
  return `g.account = ?1 AND g.gram >= ${bind(prefix)} AND g.gram <= ${bind(prefix + lastCharacter)}`
}

/**
 * SQL: the versions `t` whose names are candidates and match the search. SQLite keeps the order of tables around CROSS
 * JOIN, and the sign keeps it from reading the index of all deployed versions once for each name.
 */
function namedVersions({ search, deployedOnly }: SearchScope, candidates: Candidates, bind: Bind): string {
  return `(SELECT DISTINCT g.name FROM template_grams g
      WHERE ${inIndex(candidates, bind)} AND ${nameMatches('g.name', search, bind)}) AS named
    CROSS JOIN templates t WHERE t.account = ?1 AND t.name_folded = named.name${deployedOnly ? ' AND +t.deployed = 1' : ''}`
}

/**
 * SQL: the IDs of the versions that match a search, some more than once, found through indexes: by the IDs in the text, and
 * among the names of the candidates. The account is ?1.
 */
export function searchedVersions(scope: SearchScope, candidates: Candidates, bind: Bind): string {
  const byId = idMatches(scope.search, bind).map(
    (condition) => `SELECT t.version_id FROM templates t WHERE t.account = ?1 AND ${condition}`,
  )
  return [...byId, `SELECT t.version_id FROM ${namedVersions(scope, candidates, bind)}`].join(' UNION ALL ')
}

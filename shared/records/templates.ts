import type { Sql, SqlValue, Statement } from '../ports/sql.ts'
import { fold, trigrams } from './text.ts'

/**
 * A row of `templates`, which is one version of a template. Every statement that a caller can cause is
 * limited to one account. A row whose `expire_at` has passed is invisible, except to the cleanup and to an
 * upload that revives it.
 */
export interface TemplateRow {
  readonly account: string
  readonly versionId: string
  readonly templateId: string | null // null: stored without versioning
  readonly contentHash: string // SHA-256 of the file alone, the cache key of compiled plans
  readonly blob: string // key of the file
  readonly sampleBlob: string | null // key of the sample data
  readonly format: string // format id
  readonly size: number // bytes
  readonly name: string
  readonly comment: string
  readonly category: string
  readonly tags: readonly string[]
  readonly origin: number
  readonly createdAt: number // seconds
  readonly deployedAt: number // seconds; 0: not deployed
  readonly deployOrder: number // decides between equal deployedAt: the later deployment wins
  readonly expireAt: number // seconds; 0: never
}

/** The columns that `readTemplateRow` reads, of the table alias `t`. */
export const templateColumns = `t.account, t.version_id, t.template_id, t.content_hash, t.blob, t.sample_blob, t.format, t.size,
  t.name, t.comment, t.category, t.tags, t.origin, t.created_at, t.deployed_at, t.deploy_order, t.expire_at`

/** Converts a database row with `templateColumns`. */
export function readTemplateRow(row: Record<string, SqlValue>): TemplateRow {
  return {
    account: String(row['account']),
    versionId: String(row['version_id']),
    templateId: row['template_id'] === null ? null : String(row['template_id']),
    contentHash: String(row['content_hash']),
    blob: String(row['blob']),
    sampleBlob: row['sample_blob'] === null ? null : String(row['sample_blob']),
    format: String(row['format']),
    size: Number(row['size']),
    name: String(row['name']),
    comment: String(row['comment']),
    category: String(row['category']),
    tags: JSON.parse(String(row['tags'])) as string[],
    origin: Number(row['origin']),
    createdAt: Number(row['created_at']),
    deployedAt: Number(row['deployed_at']),
    deployOrder: Number(row['deploy_order']),
    expireAt: Number(row['expire_at']),
  }
}

async function first(sql: Sql, text: string, values: readonly SqlValue[]): Promise<TemplateRow | undefined> {
  const [row] = await sql.query({ text, values })
  return row === undefined ? undefined : readTemplateRow(row)
}

/** Finds a version by its Version ID, unless it has expired. `now` is in seconds. */
export function findVersion(sql: Sql, account: string, versionId: string, now: number) {
  return first(
    sql,
    `SELECT ${templateColumns} FROM templates t
     WHERE t.account = ?1 AND t.version_id = ?2 AND (t.expire_at = 0 OR t.expire_at > ?3)`,
    [account, versionId, now],
  )
}

/**
 * Like `findVersion`, but also finds an expired row that has not been removed yet. An upload may revive it.
 */
export function findVersionEvenExpired(sql: Sql, account: string, versionId: string) {
  return first(sql, `SELECT ${templateColumns} FROM templates t WHERE t.account = ?1 AND t.version_id = ?2`, [
    account,
    versionId,
  ])
}

/**
 * Finds the version that is deployed under a Template ID: the one with the latest deployedAt that has not
 * expired.
 */
export function findDeployed(sql: Sql, account: string, templateId: string, now: number) {
  return first(
    sql,
    `SELECT ${templateColumns} FROM templates t
     WHERE t.account = ?1 AND t.template_id = ?2 AND t.deployed_at > 0 AND (t.expire_at = 0 OR t.expire_at > ?3)
     ORDER BY t.deployed_at DESC, t.deploy_order DESC LIMIT 1`,
    [account, templateId, now],
  )
}

/**
 * SQL for the order of a version among those deployed in the same second. It is the order that the version
 * got when its request began, unless another version with the same or a later order has been recorded since:
 * then it is one more than that. The version that is recorded last is the deployed one.
 */
function lastOf({
  template,
  deployedAt,
  order,
}: Readonly<Record<'template' | 'deployedAt' | 'order', string>>) {
  return `COALESCE((SELECT o.deploy_order + 1 FROM templates o WHERE o.account = ?1 AND o.template_id = ${template}
    AND o.deployed_at = ${deployedAt} AND o.version_id <> ?2 AND o.deploy_order >= ${order}
    ORDER BY o.deploy_order DESC LIMIT 1), ${order})`
}

/** Inserts a version with its tags, or replaces the row of the same Version ID. */
export async function saveTemplate(sql: Sql, row: TemplateRow): Promise<void> {
  const values: SqlValue[] = [
    row.account,
    row.versionId,
    row.templateId,
    row.contentHash,
    row.blob,
    row.sampleBlob,
    row.format,
    row.size,
    row.name,
    fold(row.name),
    row.comment,
    row.category,
    JSON.stringify(row.tags),
    row.origin,
    row.createdAt,
    row.deployedAt,
    row.deployOrder,
    row.expireAt,
  ]
  const names = `account, version_id, template_id, content_hash, blob, sample_blob, format, size, name, name_folded,
    comment, category, tags, origin, created_at, deployed_at, deploy_order, expire_at`
  const columns = names.split(',').map((name) => name.trim())
  const replaced = columns.slice(2).map((name) => `${name} = excluded.${name}`)
  const placeholder = (name: string) => `?${columns.indexOf(name) + 1}`
  const order = {
    template: placeholder('template_id'),
    deployedAt: placeholder('deployed_at'),
    order: placeholder('deploy_order'),
  }
  const placeholders = columns.map((name) => (name === 'deploy_order' ? lastOf(order) : placeholder(name)))
  await sql.batch([
    {
      text: `INSERT INTO templates (${names}) VALUES (${placeholders.join(', ')})
        ON CONFLICT (account, version_id) DO UPDATE SET ${replaced.join(', ')}`,
      values,
    },
    ...tagStatements(row.account, row.versionId, row.tags),
  ])
}

/**
 * Statements that replace the tags of a version. `follows` is an additional SQL condition. In it ?3 is the
 * JSON text of the new tags, so that it can test whether the row was updated.
 */
function tagStatements(
  account: string,
  versionId: string,
  tags: readonly string[],
  follows = '',
): Statement[] {
  const list = JSON.stringify(tags)
  const condition = follows === '' ? [] : [list]
  const statements: Statement[] = [
    {
      text: `DELETE FROM template_tags WHERE account = ?1 AND version_id = ?2 ${follows}`,
      values: [account, versionId, ...condition],
    },
  ]
  // All tags together have at most 100 characters, so there are at most 100 tags. 50 in a statement stay
  // below the 100 values that D1 allows.
  for (let start = 0; start < tags.length; start += 50) {
    const some = tags.slice(start, start + 50)
    const rows = some.map((_, at) => `(?${at + 4})`).join(', ')
    statements.push({
      text: `INSERT INTO template_tags (account, version_id, tag)
        SELECT ?1, ?2, new.column1 FROM (VALUES ${rows}) AS new WHERE ?3 = ?3 ${follows}`,
      values: [account, versionId, list, ...some],
    })
  }
  return statements
}

/** The fields that a PATCH request changes. Absent fields keep their value. */
export interface TemplateChange {
  readonly templateId?: string
  readonly name?: string
  readonly comment?: string
  readonly category?: string
  readonly tags?: readonly string[]
  readonly deployedAt?: number
  readonly deployOrder?: number
  readonly expireAt?: number
}

/**
 * Changes one version that has not expired. Returns false when there is none, or when `unlessDeployed`
 * applies: the version deployed under that Template ID has the time `from` or, unless `exactly`, a later one.
 * This condition is part of the statement, so that of two concurrent calls only one can satisfy it, even if
 * both passed an earlier check.
 */
export async function changeTemplate(
  sql: Sql,
  key: { readonly account: string; readonly versionId: string; readonly now: number },
  change: TemplateChange,
  unlessDeployed?: Deployment,
): Promise<boolean> {
  const values: SqlValue[] = [key.account, key.versionId, key.now]
  const bind = (value: SqlValue) => `?${values.push(value)}`
  const sets: string[] = []
  const template = change.templateId === undefined ? 'templates.template_id' : bind(change.templateId)
  if (change.templateId !== undefined) sets.push(`template_id = ${template}`)
  if (change.name !== undefined)
    sets.push(`name = ${bind(change.name)}`, `name_folded = ${bind(fold(change.name))}`)
  if (change.comment !== undefined) sets.push(`comment = ${bind(change.comment)}`)
  if (change.category !== undefined) sets.push(`category = ${bind(change.category)}`)
  if (change.tags !== undefined) sets.push(`tags = ${bind(JSON.stringify(change.tags))}`)
  if (change.deployedAt !== undefined) {
    const deployedAt = bind(change.deployedAt)
    sets.push(`deployed_at = ${deployedAt}`)
    if (change.deployOrder !== undefined)
      sets.push(`deploy_order = ${lastOf({ template, deployedAt, order: bind(change.deployOrder) })}`)
  }
  if (change.expireAt !== undefined) sets.push(`expire_at = ${bind(change.expireAt)}`)
  const guard = unlessDeployed === undefined ? '' : ` AND ${deploymentFits(unlessDeployed, bind)}`
  // The tags are replaced in the same transaction, and only if the row was changed.
  const follows =
    'AND EXISTS (SELECT 1 FROM templates t WHERE t.account = ?1 AND t.version_id = ?2 AND t.tags = ?3)'
  const [changed] = await sql.batch([
    {
      text: `UPDATE templates SET ${sets.join(', ')}
        WHERE account = ?1 AND version_id = ?2 AND (expire_at = 0 OR expire_at > ?3)${guard}`,
      values,
    },
    ...(change.tags === undefined ? [] : tagStatements(key.account, key.versionId, change.tags, follows)),
  ])
  return changed === 1
}

/** A deployment that must not exist, see `changeTemplate`. */
interface Deployment {
  readonly templateId: string
  readonly from: number // seconds, compared with deployedAt
  readonly exactly: boolean // whether only the same time conflicts
}

/**
 * SQL for the condition of `changeTemplate`. With `exactly` a version of the same time conflicts only if no
 * later one is deployed, because only the latest one counts as deployed.
 */
function deploymentFits(
  { templateId, from, exactly }: Deployment,
  bind: (value: SqlValue) => string,
): string {
  const [id, time] = [bind(templateId), bind(from)]
  const any = (condition: string) => `EXISTS (SELECT 1 FROM templates o WHERE o.account = ?1
    AND o.template_id = ${id} AND o.deployed_at ${condition} ${time} AND (o.expire_at = 0 OR o.expire_at > ?3))`
  return exactly ? `(NOT ${any('=')} OR ${any('>')})` : `NOT ${any('>=')}`
}

/** Expires one version, or all versions of a Template ID, now. Returns how many had not expired before. */
export async function expireTemplates(
  sql: Sql,
  account: string,
  which: { readonly versionId: string } | { readonly templateId: string },
  now: number,
): Promise<number> {
  const [column, id] =
    'versionId' in which ? ['version_id', which.versionId] : ['template_id', which.templateId]
  const [changed] = await sql.batch([
    {
      text: `UPDATE templates SET expire_at = ?3
        WHERE account = ?1 AND ${column} = ?2 AND (expire_at = 0 OR expire_at > ?3)`,
      values: [account, id, now],
    },
  ])
  return changed ?? 0
}

/** The conditions of a list. Absent members do not filter. */
export interface TemplateFilter {
  readonly templateId?: string
  readonly versionId?: string
  readonly category?: string
  readonly origin?: number
  readonly includeVersions: boolean // false: only the deployed version of each template
  readonly search?: string // compared with names and ids
  /** The sort key of the last row of the previous page. */
  readonly after?: { readonly deployedAt: number; readonly versionId: string }
  readonly limit: number
}

/**
 * SQL: a row is the deployed version of its Template ID if no other version that has not expired is deployed
 * later.
 */
const isDeployed = `t.deployed_at > 0 AND NOT EXISTS (SELECT 1 FROM templates o
  WHERE o.account = t.account AND o.template_id = t.template_id
    AND (o.expire_at = 0 OR o.expire_at > ?2)
    AND (o.deployed_at, o.deploy_order) > (t.deployed_at, t.deploy_order))`

/** SQL: the row belongs to the account of ?1 and has not expired at the time of ?2. */
const isVisible = 't.account = ?1 AND (t.expire_at = 0 OR t.expire_at > ?2)'

/** Lists at most `limit` versions, the newest deployment first, equal ones by Version ID. */
export async function listTemplates(
  sql: Sql,
  account: string,
  filter: TemplateFilter,
  now: number,
): Promise<readonly TemplateRow[]> {
  const values: SqlValue[] = [account, now]
  const bind = (value: SqlValue) => `?${values.push(value)}`
  const conditions = [isVisible]
  const deployedOnly = !filter.includeVersions && filter.versionId === undefined
  if (deployedOnly && filter.search === undefined) conditions.push(isDeployed)
  if (filter.templateId !== undefined) conditions.push(`t.template_id = ${bind(filter.templateId)}`)
  if (filter.versionId !== undefined) conditions.push(`t.version_id = ${bind(filter.versionId)}`)
  if (filter.category !== undefined) conditions.push(`t.category = ${bind(filter.category)}`)
  if (filter.origin !== undefined) conditions.push(`t.origin = ${bind(filter.origin)}`)
  if (filter.search !== undefined) {
    const found = searchCondition(filter.search, bind)
    // The text comparison is the expensive part. CASE makes the database skip it for versions that are not
    // deployed.
    conditions.push(deployedOnly ? `CASE WHEN ${isDeployed} THEN ${found} ELSE FALSE END` : found)
  }
  if (filter.after !== undefined) {
    const deployedAt = bind(filter.after.deployedAt)
    conditions.push(
      `(t.deployed_at < ${deployedAt} OR (t.deployed_at = ${deployedAt} AND t.version_id > ${bind(filter.after.versionId)}))`,
    )
  }
  const rows = await sql.query({
    text: `SELECT ${templateColumns} FROM templates t WHERE ${conditions.join(' AND ')}
      ORDER BY t.deployed_at DESC, t.version_id LIMIT ${bind(filter.limit)}`,
    values,
  })
  return rows.map(readTemplateRow)
}

/**
 * SQL: an id equals the text, or the name contains the text, or the name contains about half of the trigrams
 * of the text. `replace` finds a text in both dialects. LIKE would need escaping, and D1 limits its patterns
 * to 50 bytes.
 */
function searchCondition(search: string, bind: (value: SqlValue) => string): string {
  const folded = fold(search)
  const contains = (text: string) => `replace(t.name_folded, ${bind(text)}, '') <> t.name_folded`
  const choices = [
    `t.version_id = ${bind(search.toLowerCase())}`,
    `t.template_id = ${bind(search)}`,
    contains(folded),
  ]
  const grams = trigrams(folded, 10)
  if (grams.length >= 2) {
    const shared = grams.map((gram) => `CASE WHEN ${contains(gram)} THEN 1 ELSE 0 END`)
    choices.push(`${sum(shared)} >= ${bind(requiredTrigrams(grams.length))}`)
  }
  return `(${choices.join(' OR ')})`
}

/**
 * How many of the trigrams of a search a name must contain: about half, so that similar names match. Two
 * swapped letters, the most common typing error, change at most four trigrams, so no more than
 * `count - 4` are required, but always two.
 */
function requiredTrigrams(count: number): number {
  return Math.max(2, Math.min(Math.ceil(count * 0.45), count - 4))
}

/** SQL for a sum, nested as a balanced tree because databases limit the depth of an expression. */
function sum(terms: readonly string[]): string {
  if (terms.length === 1) return terms[0]!
  const half = terms.length >> 1
  return `(${sum(terms.slice(0, half))} + ${sum(terms.slice(half))})`
}

/** The categories of the deployed templates of an account, sorted. */
export async function listCategories(sql: Sql, account: string, now: number): Promise<readonly string[]> {
  const rows = await sql.query({
    text: `SELECT DISTINCT t.category AS name FROM templates t
      WHERE ${isVisible} AND t.category <> '' AND ${isDeployed}`,
    values: [account, now],
  })
  return sorted(rows)
}

/** The tags of the deployed templates of an account, sorted. */
export async function listTags(sql: Sql, account: string, now: number): Promise<readonly string[]> {
  const rows = await sql.query({
    text: `SELECT DISTINCT g.tag AS name FROM template_tags g
      JOIN templates t ON t.account = g.account AND t.version_id = g.version_id
      WHERE ${isVisible} AND ${isDeployed}`,
    values: [account, now],
  })
  return sorted(rows)
}

/** The names sorted by code unit. They are sorted here because databases differ in their order of letters. */
function sorted(rows: readonly Record<string, SqlValue>[]): string[] {
  return rows.map((row) => String(row['name'])).sort()
}

/** Finds rows of all accounts that expired at or before `cutoff`, in seconds. They are due for removal. */
export async function findSweepable(
  sql: Sql,
  cutoff: number,
  limit: number,
): Promise<readonly TemplateRow[]> {
  const rows = await sql.query({
    text: `SELECT ${templateColumns} FROM templates t WHERE t.expire_at > 0 AND t.expire_at <= ?1 LIMIT ?2`,
    values: [cutoff, limit],
  })
  return rows.map(readTemplateRow)
}

/**
 * Removes an expired row and its tags. Returns false if an upload has revived it: its files must then stay.
 */
export async function removeSwept(sql: Sql, row: TemplateRow, cutoff: number): Promise<boolean> {
  const [changed] = await sql.batch(
    withTags(row, {
      text: `DELETE FROM templates
        WHERE account = ?1 AND version_id = ?2 AND blob = ?3 AND expire_at > 0 AND expire_at <= ?4`,
      values: [row.account, row.versionId, row.blob, cutoff],
    }),
  )
  return changed === 1
}

/** A statement that removes a row, followed by one that removes its tags if the row is gone. */
export function withTags({ account, versionId }: TemplateRow, removal: Statement): readonly Statement[] {
  return [
    removal,
    {
      text: `DELETE FROM template_tags WHERE account = ?1 AND version_id = ?2
        AND NOT EXISTS (SELECT 1 FROM templates t WHERE t.account = ?1 AND t.version_id = ?2)`,
      values: [account, versionId],
    },
  ]
}

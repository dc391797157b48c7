import { AppError } from '../errors/app-error.ts'
import type { Sql, SqlValue, Statement } from '../ports/sql.ts'
import { aroundChange, replaceExpired } from './deployed.ts'
import { batchHolding, type KeyedAnswer } from './idempotency-keys.ts'
import { addName, findFoldedName, type NameKey, nameColumns, removeUnusedNames } from './name-index.ts'
import { type Candidates, findCandidates, searchCondition, searchedVersions } from './name-search.ts'
import { foldedName } from './text.ts'

/** The forms of identifiers in paths and metadata (specification 2.5). */
const versionIdForm = /^[0-9a-f]{64}$/i
const templateIdForm = /^[1-9][0-9]{0,18}$/
const greatestTemplateId = '9223372036854775807'

export type TemplateRef =
  | { readonly kind: 'version'; readonly id: string } // 64 lower-case hex characters
  | { readonly kind: 'template'; readonly id: string } // decimal, a positive 63-bit integer

/** Whether the text is a Template ID: a decimal integer from 1 to 2^63 - 1. */
export function isTemplateId(text: string): boolean {
  return templateIdForm.test(text) && (text.length < 19 || text <= greatestTemplateId)
}

/** Whether the text is a Version ID: 64 hex digits in upper or lower case. */
export function isVersionId(text: string): boolean {
  return versionIdForm.test(text)
}

/** Parses an ID from a path. Throws 'api.id.invalid', so that a malformed ID never reaches storage. */
export function parseTemplateRef(text: string): TemplateRef {
  if (isVersionId(text)) return { kind: 'version', id: text.toLowerCase() }
  if (isTemplateId(text)) return { kind: 'template', id: text }
  throw new AppError('api.id.invalid')
}

/**
 * A row of `templates`, which is one version of a template. Every statement that a caller can cause is
 * limited to one account. A row whose `expire_at` has passed, or that is deleted, is invisible, except to the cleanup and to
 * an upload that revives it.
 */
export interface TemplateRow {
  readonly account: string
  readonly versionId: string
  readonly templateId: string | null // null: stored without versioning
  readonly contentHash: string // SHA-256 of the file alone, the cache key of compiled plans
  readonly blob: string // key of the file
  readonly sampleBlob: string | null // key of the sample data
  readonly checksBlob: string | null // key of the cases, which other versions may share
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
  readonly expireAt: number // seconds; 0: never; negative: deleted at that time
}

/** The columns that `readTemplateRow` reads, of the table alias `t`. */
export const templateColumns = `t.account, t.version_id, t.template_id, t.content_hash, t.blob, t.sample_blob, t.checks_blob, t.format, t.size,
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
    checksBlob: row['checks_blob'] === null ? null : String(row['checks_blob']),
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

/**
 * Inserts a version with its tags, or replaces the row of the same Version ID. The answer of a call with an idempotency key
 * is kept in the same transaction. Throws 'api.key.running' when another call has taken the key.
 */
export async function saveTemplate(sql: Sql, row: TemplateRow, keyed?: KeyedAnswer): Promise<void> {
  const cells: Readonly<Record<string, SqlValue>> = {
    account: row.account,
    version_id: row.versionId,
    template_id: row.templateId,
    content_hash: row.contentHash,
    blob: row.blob,
    sample_blob: row.sampleBlob,
    checks_blob: row.checksBlob,
    format: row.format,
    size: row.size,
    name: row.name,
    ...nameColumns(row.name),
    comment: row.comment,
    category: row.category,
    tags: JSON.stringify(row.tags),
    origin: row.origin,
    created_at: row.createdAt,
    deployed_at: row.deployedAt,
    deploy_order: row.deployOrder,
    expire_at: row.expireAt,
  }
  const columns = Object.keys(cells)
  const replaced = columns.slice(2).map((name) => `${name} = excluded.${name}`)
  const placeholder = (name: string) => `?${columns.indexOf(name) + 1}`
  const order = {
    template: placeholder('template_id'),
    deployedAt: placeholder('deployed_at'),
    order: placeholder('deploy_order'),
  }
  const placeholders = columns.map((name) => (name === 'deploy_order' ? lastOf(order) : placeholder(name)))
  const { before, after } = aroundChange(row, row.createdAt)
  await batchHolding(sql, keyed, [
    ...before,
    {
      text: `INSERT INTO templates (${columns.join(', ')}) VALUES (${placeholders.join(', ')})
        ON CONFLICT (account, version_id) DO UPDATE SET ${replaced.join(', ')}`,
      values: Object.values(cells),
    },
    ...tagStatements(row.account, row.versionId, row.tags),
    ...after,
    addName(row.account, row.name),
    ...(await withoutOldName(sql, row, row.name)),
  ])
}

/** Statements that remove the name that a version had before from the index, if no version has it any more. */
async function withoutOldName(
  sql: Sql,
  { account, versionId }: Pick<TemplateRow, 'account' | 'versionId'>,
  name: string,
): Promise<readonly Statement[]> {
  const folded = await findFoldedName(sql, account, versionId)
  return folded === undefined || folded === foldedName(name) ? [] : [removeUnusedNames([{ account, folded }])]
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
    const tagsOfStatement = tags.slice(start, start + 50)
    const rows = tagsOfStatement.map((_, tagIndex) => `(?${tagIndex + 4})`).join(', ')
    statements.push({
      text: `INSERT INTO template_tags (account, version_id, tag)
        SELECT ?1, ?2, new.column1 FROM (VALUES ${rows}) AS new WHERE ?3 = ?3 ${follows}`,
      values: [account, versionId, list, ...tagsOfStatement],
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
  if (change.name !== undefined) {
    sets.push(`name = ${bind(change.name)}`)
    for (const [column, value] of Object.entries(nameColumns(change.name)))
      sets.push(`${column} = ${bind(value)}`)
  }
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
  const { before, after } = aroundChange(key, key.now)
  const results = await sql.batch([
    ...before,
    {
      text: `UPDATE templates SET ${sets.join(', ')}
        WHERE account = ?1 AND version_id = ?2 AND (expire_at = 0 OR expire_at > ?3)${guard}`,
      values,
    },
    ...(change.tags === undefined ? [] : tagStatements(key.account, key.versionId, change.tags, follows)),
    ...after,
    ...(change.name === undefined ? [] : await renamed(sql, key, change.name)),
  ])
  return results[before.length] === 1
}

/** Statements that bring the index up to date after a version may have got another name. */
async function renamed(
  sql: Sql,
  key: { readonly account: string; readonly versionId: string },
  name: string,
): Promise<readonly Statement[]> {
  const newName: NameKey = { account: key.account, folded: foldedName(name) }
  // The version may have expired, or another deployment may forbid the change: then nothing has the new name.
  return [addName(key.account, name), ...(await withoutOldName(sql, key, name)), removeUnusedNames([newName])]
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
  const hasVersion = (condition: string) => `EXISTS (SELECT 1 FROM templates o WHERE o.account = ?1
    AND o.template_id = ${id} AND o.deployed_at ${condition} ${time} AND (o.expire_at = 0 OR o.expire_at > ?3))`
  return exactly ? `(NOT ${hasVersion('=')} OR ${hasVersion('>')})` : `NOT ${hasVersion('>=')}`
}

/** The key of the cases of the version that was stored last under a Template ID. Null when it has none. */
export async function findNewestChecks(
  sql: Sql,
  account: string,
  templateId: string,
  now: number,
): Promise<string | null> {
  const [row] = await sql.query({
    text: `SELECT t.checks_blob FROM templates t
      WHERE t.account = ?1 AND t.template_id = ?2 AND (t.expire_at = 0 OR t.expire_at > ?3)
      ORDER BY t.created_at DESC, t.deploy_order DESC LIMIT 1`,
    values: [account, templateId, now],
  })
  return row === undefined || row['checks_blob'] === null ? null : String(row['checks_blob'])
}

/** Gives a version that has not expired other cases, or none. Returns false when there is no such version. */
export async function changeChecks(
  sql: Sql,
  key: { readonly account: string; readonly versionId: string; readonly now: number },
  blob: string | null,
): Promise<boolean> {
  const [changed] = await sql.batch([
    {
      text: `UPDATE templates SET checks_blob = ?4
        WHERE account = ?1 AND version_id = ?2 AND (expire_at = 0 OR expire_at > ?3)`,
      values: [key.account, key.versionId, key.now, blob],
    },
  ])
  return changed === 1
}

/**
 * Deletes one version, or all versions of a Template ID. Returns how many were neither deleted nor expired before. A negative
 * `expire_at` has passed for every clock, so that of concurrent calls one deletes a version, although each has read its clock
 * before, and no call that began earlier still finds or changes it.
 */
export async function deleteTemplates(
  sql: Sql,
  account: string,
  selection: { readonly versionId: string } | { readonly templateId: string },
  now: number,
): Promise<number> {
  const [column, id] =
    'versionId' in selection ? ['version_id', selection.versionId] : ['template_id', selection.templateId]
  const [changed] = await sql.batch([
    {
      text: `UPDATE templates SET expire_at = 0 - CAST(?3 AS BIGINT)
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

/** SQL: the row belongs to the account of ?1 and has not expired at the time of ?2. */
const isVisible = 't.account = ?1 AND (t.expire_at = 0 OR t.expire_at > ?2)'

/** Whether a list has only the version of each template that is deployed. */
const isDeployedOnly = ({ includeVersions, versionId }: TemplateFilter) =>
  !includeVersions && versionId === undefined

/** Lists at most `limit` versions, the newest deployment first, equal ones by Version ID. */
export async function listTemplates(
  sql: Sql,
  account: string,
  filter: TemplateFilter,
  now: number,
): Promise<readonly TemplateRow[]> {
  if (!filter.includeVersions) await replaceExpired(sql, account, now)
  const { search } = filter
  const candidates =
    search === undefined
      ? undefined
      : await findCandidates(sql, account, { search, deployedOnly: isDeployedOnly(filter) })
  const rows = await sql.query(listStatement({ account, filter, now, candidates }))
  return rows.map(readTemplateRow)
}

/**
 * The statement of a list. The inner query finds the versions in an index that has all columns that it reads; only those
 * of the page are then read from the table. A search with candidates begins with these.
 */
export function listStatement({
  account,
  filter,
  now,
  candidates,
}: {
  readonly account: string
  readonly filter: TemplateFilter
  readonly now: number
  readonly candidates?: Candidates | undefined
}): Statement {
  const values: SqlValue[] = [account, now]
  const bind = (value: SqlValue) => `?${values.push(value)}`
  const conditions = [isVisible]
  const deployedOnly = isDeployedOnly(filter)
  if (deployedOnly) conditions.push('t.deployed = 1')
  if (filter.templateId !== undefined) conditions.push(`t.template_id = ${bind(filter.templateId)}`)
  if (filter.versionId !== undefined) conditions.push(`t.version_id = ${bind(filter.versionId)}`)
  if (filter.category !== undefined) conditions.push(`t.category = ${bind(filter.category)}`)
  if (filter.origin !== undefined) conditions.push(`t.origin = ${bind(filter.origin)}`)
  if (filter.after !== undefined) {
    const deployedAt = bind(filter.after.deployedAt)
    conditions.push(
      `t.deployed_at <= ${deployedAt}`,
      `(t.deployed_at < ${deployedAt} OR t.version_id > ${bind(filter.after.versionId)})`,
    )
  }
  let source = 'templates t WHERE'
  if (filter.search !== undefined && candidates !== undefined) {
    const ids = searchedVersions({ search: filter.search, deployedOnly }, candidates, bind)
    source = `(SELECT DISTINCT found.version_id FROM (${ids}) AS found) AS hits CROSS JOIN templates t WHERE t.version_id = hits.version_id AND`
  } else if (filter.search !== undefined) conditions.push(searchCondition(filter.search, bind))
  return {
    // SQLite keeps the order of tables around CROSS JOIN, and so looks each version of the page up by its key.
    text: `SELECT ${templateColumns} FROM (
        SELECT t.version_id FROM ${source} ${conditions.join(' AND ')}
        ORDER BY t.deployed_at DESC, t.version_id LIMIT ${bind(filter.limit)}) AS page
      CROSS JOIN templates t WHERE t.account = ?1 AND t.version_id = page.version_id
      ORDER BY t.deployed_at DESC, t.version_id`,
    values,
  }
}

/** The categories of the deployed templates of an account, sorted. */
export async function listCategories(sql: Sql, account: string, now: number): Promise<readonly string[]> {
  await replaceExpired(sql, account, now)
  return sorted(await sql.query(distinctStatement({ table: 'templates', column: 'category' }, account)))
}

/** The tags of the deployed templates of an account, sorted. */
export async function listTags(sql: Sql, account: string, now: number): Promise<readonly string[]> {
  await replaceExpired(sql, account, now)
  return sorted(await sql.query(distinctStatement({ table: 'template_tags', column: 'tag' }, account)))
}

/**
 * The statement that returns the different values of a column among the deployed templates of an account, without empty
 * ones. It jumps from one value to the next in an index, so that its cost depends on how many different values there are.
 */
export function distinctStatement(
  { table, column }: { readonly table: string; readonly column: string },
  account: string,
): Statement {
  const smallestAbove = (after: string) =>
    `(SELECT MIN(n.${column}) FROM ${table} n WHERE n.account = ?1 AND n.deployed = 1 AND n.${column} > ${after})`
  return {
    text: `WITH RECURSIVE found(name) AS (
        SELECT ${smallestAbove("''")} AS name UNION ALL SELECT ${smallestAbove('found.name')} FROM found WHERE found.name IS NOT NULL)
      SELECT name FROM found WHERE name IS NOT NULL`,
    values: [account],
  }
}

/** The names sorted by code unit. They are sorted here because databases differ in their order of letters. */
function sorted(rows: readonly Record<string, SqlValue>[]): string[] {
  return rows.map((row) => String(row['name'])).sort()
}

/** SQL: the row expired or was deleted at or before the time ?1. */
const isSweepable = `((expire_at > 0 AND expire_at <= ?1)
  OR (expire_at < 0 AND expire_at >= 0 - CAST(?1 AS BIGINT)))`

/** Finds rows of all accounts that expired or were deleted at or before `cutoff`, in seconds. They are due for removal. */
export async function findSweepable(
  sql: Sql,
  cutoff: number,
  limit: number,
): Promise<readonly TemplateRow[]> {
  const rows = await sql.query({
    text: `SELECT ${templateColumns} FROM templates t WHERE ${isSweepable} LIMIT ?2`,
    values: [cutoff, limit],
  })
  return rows.map(readTemplateRow)
}

/** Rows that `removeSwept` takes at once, with two values each: D1 allows 100 in a statement. */
export const maxSwept = 45

/**
 * Removes expired rows and their tags, and returns those that are gone. Call `replaceExpired` for their accounts before.
 * A row that an upload has revived stays, and its files must stay too.
 */
export async function removeSwept(
  sql: Sql,
  rows: readonly TemplateRow[],
  cutoff: number,
): Promise<readonly TemplateRow[]> {
  const keys = rows.flatMap(({ account, versionId }) => [account, versionId])
  const pairs = (from: number) =>
    rows.map((_, rowIndex) => `(?${2 * rowIndex + from}, ?${2 * rowIndex + from + 1})`).join(', ')
  const deletedRows = await sql.query<{ account: string; version_id: string; blob: string }>({
    text: `DELETE FROM templates WHERE (account, version_id) IN (VALUES ${pairs(2)})
      AND ${isSweepable} RETURNING account, version_id, blob`,
    values: [cutoff, ...keys],
  })
  await sql.batch([
    {
      text: `DELETE FROM template_tags WHERE (account, version_id) IN (VALUES ${pairs(1)})
        AND NOT EXISTS (SELECT 1 FROM templates t
          WHERE t.account = template_tags.account AND t.version_id = template_tags.version_id)`,
      values: keys,
    },
    removeUnusedNames(rows.map(({ account, name }) => ({ account, folded: foldedName(name) }))),
  ])
  const removed = new Set(deletedRows.map((row) => `${row.account} ${row.version_id} ${row.blob}`))
  return rows.filter(({ account, versionId, blob }) => removed.has(`${account} ${versionId} ${blob}`))
}

/** A statement that removes a row, followed by those that remove its tags and its name if they are not used any more. */
export function withTags(
  { account, versionId, name }: TemplateRow,
  removal: Statement,
): readonly Statement[] {
  return [
    removal,
    {
      text: `DELETE FROM template_tags WHERE account = ?1 AND version_id = ?2
        AND NOT EXISTS (SELECT 1 FROM templates t WHERE t.account = ?1 AND t.version_id = ?2)`,
      values: [account, versionId],
    },
    removeUnusedNames([{ account, folded: foldedName(name) }]),
  ]
}

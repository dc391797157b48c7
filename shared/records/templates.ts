import type { Sql, SqlValue, Statement } from '../ports/sql.ts'
import { fold, trigrams } from './text.ts'

/**
 * The rows of `templates`. Every statement names the account. A row whose `expire_at` has passed is invisible to all
 * of them except the sweep.
 */
export interface TemplateRow {
  readonly account: string
  readonly versionId: string
  readonly templateId: string | null // null: stored without versioning
  readonly contentHash: string // SHA-256 of the file alone: what compiled plans are cached by
  readonly blob: string
  readonly sampleBlob: string | null
  readonly format: string
  readonly size: number // bytes
  readonly name: string
  readonly comment: string
  readonly category: string
  readonly tags: readonly string[]
  readonly origin: number
  readonly createdAt: number // seconds
  readonly deployedAt: number // seconds; 0: never chosen by Template ID
  readonly deployOrder: number // decides between equal deployedAt: the later deployment wins
  readonly expireAt: number // seconds; 0: never
}

export const templateColumns = `t.account, t.version_id, t.template_id, t.content_hash, t.blob, t.sample_blob, t.format, t.size,
  t.name, t.comment, t.category, t.tags, t.origin, t.created_at, t.deployed_at, t.deploy_order, t.expire_at`

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

/** The version with exactly this id, unless it has expired. */
export function findVersion(sql: Sql, account: string, versionId: string, now: number) {
  return first(
    sql,
    `SELECT ${templateColumns} FROM templates t
     WHERE t.account = ?1 AND t.version_id = ?2 AND (t.expire_at = 0 OR t.expire_at > ?3)`,
    [account, versionId, now],
  )
}

/** As findVersion, but an expired row whose file is still kept is found too: what an upload may revive. */
export function findVersionEvenExpired(sql: Sql, account: string, versionId: string) {
  return first(sql, `SELECT ${templateColumns} FROM templates t WHERE t.account = ?1 AND t.version_id = ?2`, [
    account,
    versionId,
  ])
}

/** The version that a Template ID stands for now: the greatest deployedAt that is not expired. */
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
 * The order of a version among those deployed in the same second: the one it was given when its request began, or a later
 * one where another was recorded meanwhile. What is recorded last is the one deployed.
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

/** Inserts a version, or replaces the row of the same version id. */
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
  const place = (name: string) => `?${columns.indexOf(name) + 1}`
  const order = {
    template: place('template_id'),
    deployedAt: place('deployed_at'),
    order: place('deploy_order'),
  }
  const places = columns.map((name) => (name === 'deploy_order' ? lastOf(order) : place(name)))
  await sql.batch([
    {
      text: `INSERT INTO templates (${names}) VALUES (${places.join(', ')})
        ON CONFLICT (account, version_id) DO UPDATE SET ${replaced.join(', ')}`,
      values,
    },
    ...tagStatements(row.account, row.versionId, row.tags),
  ])
}

/** Makes `tags` the tags of a version. `follows` may name the list as ?3, to run only when the row has it. */
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
  // The list is at most 100 characters in all, hence at most 100 tags; 50 a statement stays below D1's 100 values.
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

/** What PATCH changes. Fields left out stay. */
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
 * Changes one visible version. `unlessDeployed` makes it fail (false) when, at that very moment, the version deployed
 * under that Template ID is of that time or, unless `exactly`, of a later one: two calls at once cannot both pass the
 * check made before.
 */
export async function changeTemplate(
  sql: Sql,
  key: { readonly account: string; readonly versionId: string; readonly now: number },
  change: TemplateChange,
  unlessDeployed?: Deployment,
): Promise<boolean> {
  const values: SqlValue[] = [key.account, key.versionId, key.now]
  const put = (value: SqlValue) => `?${values.push(value)}`
  const sets: string[] = []
  const template = change.templateId === undefined ? 'templates.template_id' : put(change.templateId)
  if (change.templateId !== undefined) sets.push(`template_id = ${template}`)
  if (change.name !== undefined)
    sets.push(`name = ${put(change.name)}`, `name_folded = ${put(fold(change.name))}`)
  if (change.comment !== undefined) sets.push(`comment = ${put(change.comment)}`)
  if (change.category !== undefined) sets.push(`category = ${put(change.category)}`)
  if (change.tags !== undefined) sets.push(`tags = ${put(JSON.stringify(change.tags))}`)
  if (change.deployedAt !== undefined) {
    const deployedAt = put(change.deployedAt)
    sets.push(`deployed_at = ${deployedAt}`)
    if (change.deployOrder !== undefined)
      sets.push(`deploy_order = ${lastOf({ template, deployedAt, order: put(change.deployOrder) })}`)
  }
  if (change.expireAt !== undefined) sets.push(`expire_at = ${put(change.expireAt)}`)
  const guard = unlessDeployed === undefined ? '' : ` AND ${deploymentFits(unlessDeployed, put)}`
  // The tags follow in the same transaction, and only when the change was made.
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

interface Deployment {
  readonly templateId: string
  readonly from: number // deployedAt
  readonly exactly: boolean
}

/** Older versions of the very time do not matter to `exactly`: only the latest one is deployed. */
function deploymentFits({ templateId, from, exactly }: Deployment, put: (value: SqlValue) => string): string {
  const [id, time] = [put(templateId), put(from)]
  const any = (condition: string) => `EXISTS (SELECT 1 FROM templates o WHERE o.account = ?1
    AND o.template_id = ${id} AND o.deployed_at ${condition} ${time} AND (o.expire_at = 0 OR o.expire_at > ?3))`
  return exactly ? `(NOT ${any('=')} OR ${any('>')})` : `NOT ${any('>=')}`
}

/** Expires one version, or all versions of a Template ID, now. Returns how many were visible before. */
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

export interface TemplateFilter {
  readonly templateId?: string
  readonly versionId?: string
  readonly category?: string
  readonly origin?: number
  readonly includeVersions: boolean
  readonly search?: string
  readonly after?: { readonly deployedAt: number; readonly versionId: string }
  readonly limit: number
}

/** A row is the deployed one of its Template ID when no visible sibling is deployed later. */
const isDeployed = `t.deployed_at > 0 AND NOT EXISTS (SELECT 1 FROM templates o
  WHERE o.account = t.account AND o.template_id = t.template_id
    AND (o.expire_at = 0 OR o.expire_at > ?2)
    AND (o.deployed_at, o.deploy_order) > (t.deployed_at, t.deploy_order))`

const isVisible = 't.account = ?1 AND (t.expire_at = 0 OR t.expire_at > ?2)'

/** Newest deployment first, then by version id; at most `limit` rows. */
export async function listTemplates(
  sql: Sql,
  account: string,
  filter: TemplateFilter,
  now: number,
): Promise<readonly TemplateRow[]> {
  const values: SqlValue[] = [account, now]
  const put = (value: SqlValue) => `?${values.push(value)}`
  const conditions = [isVisible]
  const deployedOnly = !filter.includeVersions && filter.versionId === undefined
  if (deployedOnly && filter.search === undefined) conditions.push(isDeployed)
  if (filter.templateId !== undefined) conditions.push(`t.template_id = ${put(filter.templateId)}`)
  if (filter.versionId !== undefined) conditions.push(`t.version_id = ${put(filter.versionId)}`)
  if (filter.category !== undefined) conditions.push(`t.category = ${put(filter.category)}`)
  if (filter.origin !== undefined) conditions.push(`t.origin = ${put(filter.origin)}`)
  if (filter.search !== undefined) {
    const found = searchCondition(filter.search, put)
    // The names of versions that are not deployed are many, and looking into them is what costs.
    conditions.push(deployedOnly ? `CASE WHEN ${isDeployed} THEN ${found} ELSE FALSE END` : found)
  }
  if (filter.after !== undefined) {
    const deployedAt = put(filter.after.deployedAt)
    conditions.push(
      `(t.deployed_at < ${deployedAt} OR (t.deployed_at = ${deployedAt} AND t.version_id > ${put(filter.after.versionId)}))`,
    )
  }
  const rows = await sql.query({
    text: `SELECT ${templateColumns} FROM templates t WHERE ${conditions.join(' AND ')}
      ORDER BY t.deployed_at DESC, t.version_id LIMIT ${put(filter.limit)}`,
    values,
  })
  return rows.map(readTemplateRow)
}

/**
 * A name holds the text, or shares about half of its three-letter runs with it; an id is the text. `replace` finds a text
 * in both dialects; LIKE would need escaping, and D1 takes patterns of 50 bytes only.
 */
function searchCondition(search: string, put: (value: SqlValue) => string): string {
  const folded = fold(search)
  const holds = (text: string) => `replace(t.name_folded, ${put(text)}, '') <> t.name_folded`
  const choices = [
    `t.version_id = ${put(search.toLowerCase())}`,
    `t.template_id = ${put(search)}`,
    holds(folded),
  ]
  const runs = trigrams(folded, 10)
  if (runs.length >= 2) {
    const shared = runs.map((run) => `CASE WHEN ${holds(run)} THEN 1 ELSE 0 END`)
    choices.push(`${sum(shared)} >= ${put(neededRuns(runs.length))}`)
  }
  return `(${choices.join(' OR ')})`
}

/** About half of the runs, but no more than what two letters that changed places, the commonest slip, leave: they break four. */
function neededRuns(count: number): number {
  return Math.max(2, Math.min(Math.ceil(count * 0.45), count - 4))
}

/** A sum as a balanced tree: databases limit how deep an expression may be. */
function sum(terms: readonly string[]): string {
  if (terms.length === 1) return terms[0]!
  const half = terms.length >> 1
  return `(${sum(terms.slice(0, half))} + ${sum(terms.slice(half))})`
}

/** Names of the categories that deployed templates are in, sorted. */
export async function listCategories(sql: Sql, account: string, now: number): Promise<readonly string[]> {
  const rows = await sql.query({
    text: `SELECT DISTINCT t.category AS name FROM templates t
      WHERE ${isVisible} AND t.category <> '' AND ${isDeployed}`,
    values: [account, now],
  })
  return sorted(rows)
}

/** Tags that deployed templates carry, sorted. */
export async function listTags(sql: Sql, account: string, now: number): Promise<readonly string[]> {
  const rows = await sql.query({
    text: `SELECT DISTINCT g.tag AS name FROM template_tags g
      JOIN templates t ON t.account = g.account AND t.version_id = g.version_id
      WHERE ${isVisible} AND ${isDeployed}`,
    values: [account, now],
  })
  return sorted(rows)
}

/** Sorted here, by code unit, because databases disagree about the order of letters. */
function sorted(rows: readonly Record<string, SqlValue>[]): string[] {
  return rows.map((row) => String(row['name'])).sort()
}

/** Rows whose file is no longer kept: expired at or before `cutoff`. */
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

/** Removes a swept row, unless it was revived meanwhile: false then, and its files must stay. */
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

/** The removal of a row, and that of its tags when the row is gone. */
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

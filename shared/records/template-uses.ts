import type { Sql } from '../ports/sql.ts'
import { readTemplateRow, type TemplateRow, templateColumns, withTags } from './templates.ts'

/*
 * When templates without versioning were last used, in days since 1970; 0: not known. Kept only where a retention is
 * set. Templates with versions are never looked at here.
 */

/** A day never goes back: of two calls the later day stays. */
export async function noteUse(
  sql: Sql,
  row: Pick<TemplateRow, 'account' | 'versionId'>,
  day: number,
): Promise<void> {
  await sql.batch([
    {
      text: `UPDATE templates SET used_day = ?3
        WHERE account = ?1 AND version_id = ?2 AND template_id IS NULL AND used_day < ?3`,
      values: [row.account, row.versionId, day],
    },
  ])
}

/** Templates of which nothing is known begin to count today. */
export async function beginUses(sql: Sql, day: number): Promise<void> {
  await sql.batch([
    { text: 'UPDATE templates SET used_day = ?1 WHERE template_id IS NULL AND used_day = 0', values: [day] },
  ])
}

/** What was known is not kept up any more: it must not be believed when a retention is set again. */
export async function forgetUses(sql: Sql): Promise<void> {
  await sql.batch([
    { text: 'UPDATE templates SET used_day = 0 WHERE template_id IS NULL AND used_day > 0', values: [] },
  ])
}

/** Templates last used before that day. */
export async function findUnused(sql: Sql, before: number, limit: number): Promise<readonly TemplateRow[]> {
  const rows = await sql.query({
    text: `SELECT ${templateColumns} FROM templates t
      WHERE t.template_id IS NULL AND t.used_day > 0 AND t.used_day < ?1 LIMIT ?2`,
    values: [before, limit],
  })
  return rows.map(readTemplateRow)
}

/** Removes the row, unless it was used or changed meanwhile: false then, and its files must stay. */
export async function removeUnused(sql: Sql, row: TemplateRow, before: number): Promise<boolean> {
  const [changed] = await sql.batch(
    withTags(row, {
      text: `DELETE FROM templates WHERE account = ?1 AND version_id = ?2 AND blob = ?3
        AND template_id IS NULL AND used_day > 0 AND used_day < ?4`,
      values: [row.account, row.versionId, row.blob, before],
    }),
  )
  return changed === 1
}

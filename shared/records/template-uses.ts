import type { Sql } from '../ports/sql.ts'
import { readTemplateRow, type TemplateRow, templateColumns, withTags } from './templates.ts'

/*
 * The column `used_day` records the day on which a template without versioning was last used, in days since 1970.
 * 0 means unknown. It is maintained only while a retention is set. No function here touches templates with
 * versioning.
 */

/** Records a use on `day`. An earlier day never replaces a later one. */
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

/** Counts all templates without a recorded use as used on `day`. */
export async function beginUses(sql: Sql, day: number): Promise<void> {
  await sql.batch([
    { text: 'UPDATE templates SET used_day = ?1 WHERE template_id IS NULL AND used_day = 0', values: [day] },
  ])
}

/**
 * Erases all recorded uses when no retention is set. They are no longer updated, so they would be wrong when
 * a retention is set again.
 */
export async function forgetUses(sql: Sql): Promise<void> {
  await sql.batch([
    { text: 'UPDATE templates SET used_day = 0 WHERE template_id IS NULL AND used_day > 0', values: [] },
  ])
}

/** Finds templates of all accounts that were last used before a day. */
export async function findUnused(sql: Sql, before: number, limit: number): Promise<readonly TemplateRow[]> {
  const rows = await sql.query({
    text: `SELECT ${templateColumns} FROM templates t
      WHERE t.template_id IS NULL AND t.used_day > 0 AND t.used_day < ?1 LIMIT ?2`,
    values: [before, limit],
  })
  return rows.map(readTemplateRow)
}

/**
 * Removes the row and its tags. Returns false if the template has been used or changed since: its files must
 * then stay.
 */
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

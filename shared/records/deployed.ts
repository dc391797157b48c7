/**
 * The column `deployed`: 1 for the version that is deployed under its Template ID, and for each template without
 * versioning. It is written together with what changes it, so that lists need not compare versions. Only time changes it
 * without a statement: a deployed version that has expired, or has been deleted, is replaced before the next list (`replaceExpired`).
 * The tags of a version have the same column.
 */
import type { Sql, SqlValue, Statement } from '../ports/sql.ts'

/** SQL: the version of a Template ID that is deployed at the time `now`. */
const electedOf = (template: string, now: string, except = '') => `(SELECT o.version_id FROM templates o
  WHERE o.account = ?1 AND o.template_id = ${template} AND o.deployed_at > 0
    AND (o.expire_at = 0 OR o.expire_at > ${now}) ${except}
  ORDER BY o.deployed_at DESC, o.deploy_order DESC LIMIT 1)`

/** SQL: the Template ID of the version ?2. NULL without versioning. */
const ownTemplate = '(SELECT v.template_id FROM templates v WHERE v.account = ?1 AND v.version_id = ?2)'
/** SQL: the versions that count as deployed under that Template ID. */
const ownDeployed = `SELECT d.version_id FROM templates d
  WHERE d.account = ?1 AND d.deployed = 1 AND d.template_id = ${ownTemplate}`

interface VersionKey {
  readonly account: string
  readonly versionId: string
}

/**
 * The statements around a change of one version, which may move it to another Template ID: those before it make another
 * version of its template the deployed one, those after it decide anew. All belong in the transaction of the change. `now`
 * is in seconds.
 */
export function aroundChange(
  { account, versionId }: VersionKey,
  now: number,
): { readonly before: readonly Statement[]; readonly after: readonly Statement[] } {
  const values: readonly SqlValue[] = [account, versionId, now]
  const key: readonly SqlValue[] = [account, versionId]
  const clear: readonly Statement[] = [
    {
      text: `UPDATE template_tags SET deployed = 0 WHERE account = ?1 AND version_id IN (${ownDeployed})`,
      values: key,
    },
    {
      text: `UPDATE templates SET deployed = 0 WHERE account = ?1 AND deployed = 1 AND template_id = ${ownTemplate}`,
      values: key,
    },
  ]
  const elect = (except = ''): readonly Statement[] => [
    {
      text: `UPDATE templates SET deployed = 1
        WHERE account = ?1 AND version_id = ${electedOf(ownTemplate, '?3', except)}`,
      values,
    },
    {
      text: `UPDATE template_tags SET deployed = 1 WHERE account = ?1 AND version_id IN (${ownDeployed})`,
      values: key,
    },
  ]
  return {
    before: [...clear, ...elect('AND o.version_id <> ?2')],
    after: [
      {
        text: `UPDATE templates SET deployed = CASE WHEN template_id IS NULL AND deployed_at > 0 THEN 1 ELSE 0 END
          WHERE account = ?1 AND version_id = ?2`,
        values: key,
      },
      {
        text: `UPDATE template_tags SET deployed = COALESCE((SELECT t.deployed FROM templates t
          WHERE t.account = ?1 AND t.version_id = ?2), 0) WHERE account = ?1 AND version_id = ?2`,
        values: key,
      },
      ...clear,
      ...elect(),
    ],
  }
}

/** SQL: the condition of a deployed version, in the table alias `s`, that is deleted or had expired at the time ?2. */
const hasExpired = 's.account = ?1 AND s.deployed = 1 AND s.expire_at <> 0 AND s.expire_at <= ?2'

/**
 * Replaces the deployed versions of an account that have expired or are deleted by the ones that are deployed now. Usually there are
 * none, which one look into an index shows. `now` is in seconds.
 */
export async function replaceExpired(sql: Sql, account: string, now: number): Promise<void> {
  const values = [account, now]
  const [expiredRow] = await sql.query({
    text: `SELECT s.version_id FROM templates s WHERE ${hasExpired} LIMIT 1`,
    values,
  })
  if (expiredRow === undefined) return
  const successors = `SELECT ${electedOf('s.template_id', '?2')} FROM templates s WHERE ${hasExpired}`
  const expired = `SELECT s.version_id FROM templates s WHERE ${hasExpired}`
  await sql.batch([
    {
      text: `UPDATE template_tags SET deployed = 0 WHERE account = ?1 AND version_id IN (${expired})`,
      values,
    },
    {
      text: `UPDATE template_tags SET deployed = 1 WHERE account = ?1 AND version_id IN (${successors})`,
      values,
    },
    {
      text: `UPDATE templates SET deployed = 1 WHERE account = ?1 AND version_id IN (${successors})`,
      values,
    },
    {
      text: `UPDATE templates SET deployed = 0
        WHERE account = ?1 AND deployed = 1 AND expire_at <> 0 AND expire_at <= ?2`,
      values,
    },
  ])
}

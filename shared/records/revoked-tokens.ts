import type { Sql } from '../ports/sql.ts'

/** A row of `revoked_tokens`: a token that is refused although it has not expired. */
export interface RevokedToken {
  readonly account: string
  readonly token: string // SHA-256 of the signed part of the token, lower-case hex
  readonly expiresAt: number // seconds
}

export async function saveRevoked(sql: Sql, { account, token, expiresAt }: RevokedToken): Promise<void> {
  await sql.batch([
    {
      text: `INSERT INTO revoked_tokens (account, token, expires_at) VALUES (?1, ?2, ?3)
        ON CONFLICT (account, token) DO NOTHING`,
      values: [account, token, expiresAt],
    },
  ])
}

export async function isRevoked(sql: Sql, account: string, token: string): Promise<boolean> {
  const rows = await sql.query({
    text: 'SELECT 1 AS one FROM revoked_tokens WHERE account = ?1 AND token = ?2',
    values: [account, token],
  })
  return rows.length > 0
}

/**
 * Removes the rows of tokens that expired before `cutoff`, in seconds. Such tokens are refused without a row.
 */
export async function removeRevokedBefore(sql: Sql, cutoff: number): Promise<void> {
  await sql.batch([{ text: 'DELETE FROM revoked_tokens WHERE expires_at < ?1', values: [cutoff] }])
}

import type { Sql } from '../ports/sql.ts'

/** The rows of `revoked_tokens`. */
export interface RevokedToken {
  readonly account: string
  readonly token: string // SHA-256 of what its signature covers, hex
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
  const found = await sql.query({
    text: 'SELECT 1 AS one FROM revoked_tokens WHERE account = ?1 AND token = ?2',
    values: [account, token],
  })
  return found.length > 0
}

/** Those that have expired are refused anyway. */
export async function removeRevokedBefore(sql: Sql, cutoff: number): Promise<void> {
  await sql.batch([{ text: 'DELETE FROM revoked_tokens WHERE expires_at < ?1', values: [cutoff] }])
}

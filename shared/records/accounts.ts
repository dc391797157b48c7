import type { Sql, SqlValue } from '../ports/sql.ts'

/** The account of all callers while authentication is off, and of tokens that name no account. */
export const ownAccount = 'self'

/** A row of `accounts`, which holds the customers of a hosted service. */
export interface AccountRow {
  readonly name: string
  readonly monthlyCredits: number | null // null: unlimited
  readonly createdAt: number // seconds
  readonly closedAt: number | null // seconds
}

export const tokenKinds = ['test', 'production'] as const
export type TokenKind = (typeof tokenKinds)[number]

/** A row of `account_tokens`, which lists the tokens that were issued. */
export interface AccountToken {
  readonly account: string
  readonly token: string // SHA-256 of the signed part of the token, lower-case hex
  readonly kind: TokenKind
  readonly label: string
  readonly createdAt: number // seconds
  readonly expiresAt: number // seconds
  readonly endsAt: number | null // seconds; the token is refused from then on although it has not expired
}

const optional = (value: SqlValue | undefined) =>
  value === null || value === undefined ? null : Number(value)

function readAccount(row: Record<string, SqlValue>): AccountRow {
  return {
    name: String(row['name']),
    monthlyCredits: optional(row['monthly_credits']),
    createdAt: Number(row['created_at']),
    closedAt: optional(row['closed_at']),
  }
}

/** Throws 'storage.conflict' when an account of this name exists. */
export async function saveAccount(sql: Sql, row: AccountRow): Promise<void> {
  await sql.batch([
    {
      text: 'INSERT INTO accounts (name, monthly_credits, created_at, closed_at) VALUES (?1, ?2, ?3, ?4)',
      values: [row.name, row.monthlyCredits, row.createdAt, row.closedAt],
    },
  ])
}

export async function findAccount(sql: Sql, name: string): Promise<AccountRow | undefined> {
  const [row] = await sql.query({
    text: 'SELECT name, monthly_credits, created_at, closed_at FROM accounts WHERE name = ?1',
    values: [name],
  })
  return row === undefined ? undefined : readAccount(row)
}

/** All accounts by name, each with the credits that it used in `month`, such as '2026-11'. */
export async function listAccounts(
  sql: Sql,
  month: string,
): Promise<readonly (AccountRow & { readonly used: number })[]> {
  const rows = await sql.query({
    text: `SELECT a.name, a.monthly_credits, a.created_at, a.closed_at, COALESCE(c.used, 0) AS used
      FROM accounts a LEFT JOIN account_credits c ON c.account = a.name AND c.month = ?1 ORDER BY a.name`,
    values: [month],
  })
  return rows.map((row) => ({ ...readAccount(row), used: Number(row['used']) }))
}

/**
 * Sets the monthly credits of an account; null makes it unlimited. Returns false when there is no such
 * account.
 */
export async function setAllowance(sql: Sql, name: string, monthlyCredits: number | null): Promise<boolean> {
  const changed = await sql.query({
    text: 'UPDATE accounts SET monthly_credits = ?2 WHERE name = ?1 RETURNING name',
    values: [name, monthlyCredits],
  })
  return changed.length === 1
}

/**
 * Closes an account at a time in seconds; null opens it again. Returns false when there is no such account.
 */
export async function setClosed(sql: Sql, name: string, closedAt: number | null): Promise<boolean> {
  const changed = await sql.query({
    text: 'UPDATE accounts SET closed_at = ?2 WHERE name = ?1 RETURNING name',
    values: [name, closedAt],
  })
  return changed.length === 1
}

/**
 * Removes an account and its rows in `ownTables`. The cleanup deletes the files that no row refers to any more.
 * The tokens of the account are recorded as revoked until they expire, so that they do not open a later account
 * of the same name.
 */
export async function removeAccount(sql: Sql, name: string): Promise<void> {
  await sql.batch([
    {
      text: `INSERT INTO revoked_tokens (account, token, expires_at)
        SELECT account, token, expires_at FROM account_tokens WHERE account = ?1
        ON CONFLICT (account, token) DO NOTHING`,
      values: [name],
    },
    ...ownTables.map((table) => ({ text: `DELETE FROM ${table} WHERE account = ?1`, values: [name] })),
    { text: 'DELETE FROM accounts WHERE name = ?1', values: [name] },
  ])
}

/** The tables whose rows are removed with their account; add new ones here. */
export const ownTables = [
  'template_tags',
  'templates',
  'template_grams',
  'renders',
  'jobs',
  'idempotency_keys',
  'account_tokens',
  'account_credits',
  'open_charges',
] as const

export async function saveToken(sql: Sql, row: AccountToken): Promise<void> {
  await sql.batch([
    {
      text: `INSERT INTO account_tokens (account, token, kind, label, created_at, expires_at, ends_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)`,
      values: [row.account, row.token, row.kind, row.label, row.createdAt, row.expiresAt, row.endsAt],
    },
  ])
}

/** The issued tokens of an account, the newest first. */
export async function listTokens(sql: Sql, account: string): Promise<readonly AccountToken[]> {
  const rows = await sql.query({
    text: `SELECT token, kind, label, created_at, expires_at, ends_at FROM account_tokens
      WHERE account = ?1 ORDER BY created_at DESC, token`,
    values: [account],
  })
  return rows.map((row) => ({
    account,
    token: String(row['token']),
    kind: row['kind'] === 'test' ? 'test' : 'production',
    label: String(row['label']),
    createdAt: Number(row['created_at']),
    expiresAt: Number(row['expires_at']),
    endsAt: optional(row['ends_at']),
  }))
}

/** Ends a token at a time in seconds. A token that ends earlier already keeps its end. */
export async function endToken(sql: Sql, account: string, token: string, endsAt: number): Promise<void> {
  await sql.batch([
    {
      text: `UPDATE account_tokens SET ends_at = ?3
        WHERE account = ?1 AND token = ?2 AND (ends_at IS NULL OR ends_at > ?3)`,
      values: [account, token, endsAt],
    },
  ])
}

/**
 * Returns whether an account is closed and when one of its tokens ends, or undefined when there is no such
 * account. A token that was never listed has no end.
 */
export async function findStanding(
  sql: Sql,
  account: string,
  token: string,
): Promise<{ readonly closed: boolean; readonly endsAt: number | null } | undefined> {
  const [row] = await sql.query({
    text: `SELECT a.closed_at, t.ends_at FROM accounts a
      LEFT JOIN account_tokens t ON t.account = a.name AND t.token = ?2 WHERE a.name = ?1`,
    values: [account, token],
  })
  return row === undefined
    ? undefined
    : { closed: row['closed_at'] !== null, endsAt: optional(row['ends_at']) }
}

/** SQL: whether account `a`, whose name is ?1, can pay ?3 credits in the month ?2. */
export const affordable = `(a.monthly_credits IS NULL OR
  COALESCE((SELECT c.used FROM account_credits c WHERE c.account = ?1 AND c.month = ?2), 0) + CAST(?3 AS BIGINT)
  <= a.monthly_credits)`

/**
 * SQL that charges the credits if the account can pay them. The statement before it in its transaction tests
 * the same condition, and `condition` whether it took effect, so either both do or neither.
 */
export const takeAffordable = (condition: string) => `INSERT INTO account_credits (account, month, used)
  SELECT a.name, CAST(?2 AS TEXT), CAST(?3 AS BIGINT) FROM accounts a WHERE a.name = ?1 AND ${affordable} ${condition}
  ON CONFLICT (account, month) DO UPDATE SET used = account_credits.used + excluded.used`

/** Credits that were charged for a render whose outcome is not recorded yet. */
export interface OpenCharge {
  readonly account: string
  readonly id: string
  readonly month: string // such as 2026-11, in UTC
  readonly credits: number
}

/**
 * Charges credits of a month, all of them or none, with a row that says so until `settleCharge`. Returns false when the
 * account has too few. Concurrent calls cannot charge more than the allowance. `expiresAt` is in seconds.
 */
export async function openCharge(
  sql: Sql,
  { account, id, month, credits }: OpenCharge,
  expiresAt: number,
): Promise<boolean> {
  const [opened] = await sql.batch([
    {
      text: `INSERT INTO open_charges (account, id, month, credits, expires_at)
        SELECT a.name, CAST(?4 AS TEXT), CAST(?2 AS TEXT), CAST(?3 AS BIGINT), CAST(?5 AS BIGINT)
        FROM accounts a WHERE a.name = ?1 AND ${affordable}`,
      values: [account, month, credits, id, expiresAt],
    },
    {
      text: takeAffordable(
        'AND EXISTS (SELECT 1 FROM open_charges o WHERE o.account = ?1 AND o.id = CAST(?4 AS TEXT))',
      ),
      values: [account, month, credits, id],
    },
  ])
  return opened === 1
}

/**
 * Ends an open charge and refunds some of its credits, none of them by default. Returns false when it has ended already, and
 * then refunds nothing.
 */
export async function settleCharge(
  sql: Sql,
  { account, id, month }: Omit<OpenCharge, 'credits'>,
  refunded = 0,
): Promise<boolean> {
  const refundText = `UPDATE account_credits SET used = CASE WHEN used > ?3 THEN used - ?3 ELSE 0 END
    WHERE account = ?1 AND month = ?2
      AND EXISTS (SELECT 1 FROM open_charges o WHERE o.account = ?1 AND o.id = ?4)`
  const end = {
    text: 'DELETE FROM open_charges WHERE account = ?1 AND id = ?2',
    values: [account, id],
  }
  if (refunded === 0) return (await sql.batch([end]))[0] === 1
  const refund = { text: refundText, values: [account, month, refunded, id] }
  return (await sql.batch([refund, end]))[1] === 1
}

/** Up to `limit` open charges that have expired, of all accounts. `now` is in seconds. */
export async function findLostCharges(sql: Sql, now: number, limit: number): Promise<readonly OpenCharge[]> {
  const rows = await sql.query({
    text: `SELECT account, id, month, credits FROM open_charges WHERE expires_at <= ?1
      ORDER BY expires_at LIMIT CAST(?2 AS BIGINT)`,
    values: [now, limit],
  })
  return rows.map((row) => ({
    account: String(row['account']),
    id: String(row['id']),
    month: String(row['month']),
    credits: Number(row['credits']),
  }))
}

/** The credits that an account used in a month. */
export async function usedCredits(sql: Sql, account: string, month: string): Promise<number> {
  const [row] = await sql.query({
    text: 'SELECT used FROM account_credits WHERE account = ?1 AND month = ?2',
    values: [account, month],
  })
  return Number(row?.['used'] ?? 0)
}

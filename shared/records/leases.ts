import type { Sql } from '../ports/sql.ts'

/** A task that at most one process of a service does at a time. */
export interface Lease {
  readonly name: string
  readonly holder: string // random for each process and run
}

/**
 * Takes a lease until a time in seconds and returns the state that its last holder left, '' for none. Undefined while
 * another one holds it.
 */
export async function takeLease(
  sql: Sql,
  { name, holder }: Lease,
  { now, until }: { readonly now: number; readonly until: number },
): Promise<string | undefined> {
  const [row] = await sql.query<{ state: string }>({
    text: `INSERT INTO leases (name, holder, expires_at, state) VALUES (?1, ?2, ?4, '')
      ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
      WHERE leases.holder = '' OR leases.expires_at <= ?3 RETURNING state`,
    values: [name, holder, now, until],
  })
  return row?.state
}

/** Frees a lease and leaves a state. Nothing happens when another process holds it by now. */
export async function freeLease(sql: Sql, { name, holder }: Lease, state: string): Promise<void> {
  await sql.batch([
    {
      text: `UPDATE leases SET holder = '', state = ?3 WHERE name = ?1 AND holder = ?2`,
      values: [name, holder, state],
    },
  ])
}

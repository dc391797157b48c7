import type { Sql } from '../ports/sql.ts'

const secretBytes = 32

/**
 * Returns the 32-byte secret of this name. The first process that asks for it creates it for all processes of
 * the database.
 */
export async function sharedSecret(
  sql: Sql,
  name: string,
  random: (length: number) => Uint8Array,
): Promise<Uint8Array> {
  const read = { text: 'SELECT value FROM secrets WHERE name = ?1', values: [name] }
  const [existing] = await sql.query<{ value: string }>(read)
  if (existing !== undefined) return fromHex(existing.value)
  // Another process may have inserted it first, so the stored value is read again below.
  await sql.batch([
    {
      text: 'INSERT INTO secrets (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO NOTHING',
      values: [name, toHex(random(secretBytes))],
    },
  ])
  const [stored] = await sql.query<{ value: string }>(read)
  return fromHex(stored!.value)
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

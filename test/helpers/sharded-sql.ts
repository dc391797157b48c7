import type { Sql, SqlValue, Statement } from '../../shared/ports/sql.ts'

/**
 * Several databases behind the port of one: what belongs to an account goes to the database of that account, what names none
 * (a download by its random id, a sweep) to all of them. The records bind the account first wherever they name one.
 */
export function openSharded(shards: readonly Sql[], shardOf: (account: string) => number): Sql {
  const of = (statement: Statement): readonly Sql[] => {
    const account = accountOf(statement)
    return account === undefined ? shards : [shards[shardOf(account)]!]
  }
  return {
    async query<Row = Record<string, SqlValue>>(statement: Statement) {
      const found = await Promise.all(of(statement).map((sql) => sql.query<Row>(statement)))
      return found.flat()
    },
    async batch(statements) {
      const one = statements.find((statement) => accountOf(statement) !== undefined)
      const changed = await Promise.all(
        (one === undefined ? shards : of(one)).map((sql) => sql.batch(statements)),
      )
      return statements.map((_, at) => changed.reduce((sum, counts) => sum + counts[at]!, 0))
    },
    async close() {
      await Promise.all(shards.map((sql) => sql.close?.()))
    },
  }
}

/** The account that a statement is about; undefined for one about all accounts. */
function accountOf({ text, values }: Statement): string | undefined {
  const bindsFirst = /\b(?:account|name) = \?1\b|INSERT INTO \w+ \(\s*(?:account|name)\b/.test(text)
  return bindsFirst ? String(values[0]) : undefined
}

/** What a test is called after: a text as it is, anything else as JSON, cut where a reader of the report would stop. */
export function title(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined')
  return text.length <= 150 ? text : `${text.slice(0, 120)}… (${text.length} characters)`
}

/** Rows of `test.each` behind a title made of their first column. */
export function titled<Row extends readonly [unknown, ...unknown[]]>(
  rows: readonly Row[],
): [title: string, ...row: Row][] {
  return rows.map((row) => [title(row[0]), ...row])
}

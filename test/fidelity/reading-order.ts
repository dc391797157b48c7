/** Compares the text of a PDF with what is known about its reading order, its tables and its headers and footers. */

/** What `test/fixtures/pdf/reading/NAME.txt` says; its README describes the format. */
export interface ExpectedReading {
  readonly orders: readonly (readonly string[])[]
  readonly tables: readonly (readonly (readonly string[])[])[]
  readonly whole: readonly string[]
  readonly absent: readonly string[]
}

/** Fractions from 0 to 1; undefined where nothing was expected. */
export interface ReadingScore {
  /** Pairs of phrases in the right order, of all pairs. A missing phrase is in no order. */
  readonly pairs: number | undefined
  /** Neighbouring phrases in the right order. */
  readonly adjacent: number | undefined
  /** Texts in one piece, with nothing woven into them. */
  readonly whole: number | undefined
  /** Cells in the right row, in the right order. */
  readonly cells: number | undefined
  /** Texts of headers and footers that are not in the body. */
  readonly absent: number | undefined
}

export function parseExpected(source: string): ExpectedReading {
  const orders: string[][] = []
  const tables: string[][][] = []
  const whole: string[] = []
  const absent: string[] = []
  let kind = 'order'
  let isNew = true
  for (const line of source.split('\n').map((one) => one.trim())) {
    const heading = /^# (order|table|whole|absent)$/.exec(line)?.[1]
    if (heading !== undefined) {
      kind = heading
      isNew = true
      continue
    }
    if (line === '') continue
    if (kind === 'order') (isNew ? openedIn(orders) : (orders.at(-1) as string[])).push(line)
    else if (kind === 'table')
      (isNew ? openedIn(tables) : (tables.at(-1) as string[][])).push(
        line.split('|').map((one) => one.trim()),
      )
    else (kind === 'whole' ? whole : absent).push(line)
    isNew = false
  }
  return { orders, tables, whole, absent }
}

function openedIn<T>(lists: T[][]): T[] {
  const list: T[] = []
  lists.push(list)
  return list
}

/** Letters and digits only, so that neither markup nor hyphenation counts. */
export const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

/** `rows`: the rows of all tables, or lines that are split into cells. */
export function scoreReading(
  expected: ExpectedReading,
  text: string,
  rows: readonly (readonly string[])[],
): ReadingScore {
  const letters = lettersOf(text)
  const pairs: number[] = []
  const adjacent: number[] = []
  for (const order of expected.orders) {
    const found = order.map((phrase) => letters.indexOf(lettersOf(phrase)))
    for (const [at, one] of found.entries())
      for (const [next, other] of found.slice(at + 1).entries()) {
        const right = one >= 0 && one < other ? 1 : 0
        pairs.push(right)
        if (next === 0) adjacent.push(right)
      }
  }
  const lettersOfRows = rows.map((row) => row.map(lettersOf).filter((cell) => cell !== ''))
  const wanted = expected.tables.flat()
  const cells = wanted.map((row) =>
    Math.max(0, ...lettersOfRows.map((one) => common(row.map(lettersOf), one))),
  )
  const total = wanted.reduce((sum, row) => sum + row.length, 0)
  return {
    pairs: mean(pairs),
    adjacent: mean(adjacent),
    whole: mean(expected.whole.map((one) => (letters.includes(lettersOf(one)) ? 1 : 0))),
    cells: total === 0 ? undefined : cells.reduce((sum, one) => sum + one, 0) / total,
    absent: mean(expected.absent.map((one) => (letters.includes(lettersOf(one)) ? 0 : 1))),
  }
}

function mean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, one) => sum + one, 0) / values.length
}

/** The length of the longest common subsequence. */
function common(one: readonly string[], other: readonly string[]): number {
  let above = new Array<number>(other.length + 1).fill(0)
  for (const cell of one) {
    const row = [0]
    for (const [at, against] of other.entries())
      row.push(
        cell === against ? (above[at] as number) + 1 : Math.max(above[at + 1] as number, row[at] as number),
      )
    above = row
  }
  return above.at(-1) as number
}

/** The rows of the tables of a web page as this product writes it. */
export function rowsOfHtml(html: string): readonly (readonly string[])[] {
  return [...html.matchAll(/<tr\b[^>]*>([\s\S]*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<t[dh]\b[^>]*>([\s\S]*?)<\/t[dh]>/g)].map(([, cell = '']) => textOfHtml(cell)),
  )
}

export function textOfHtml(html: string): string {
  return html
    .replace(/<(head|style)\b[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(#x?[0-9a-f]+|\w+);/gi, (_, name: string) => {
      if (/^#x/i.test(name)) return String.fromCodePoint(Number.parseInt(name.slice(2), 16))
      if (name.startsWith('#')) return String.fromCodePoint(Number(name.slice(1)))
      return { amp: '&', lt: '<', gt: '>', quot: '"' }[name] ?? ' '
    })
}

/** Lines as rows, where two blanks or a tab part cells. */
export const rowsOfLines = (text: string): readonly (readonly string[])[] =>
  text.split('\n').map((line) => line.split(/\s{2,}|\t/))

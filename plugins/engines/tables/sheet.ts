/** What a cell holds. Dates are ISO 8601 without a zone: 2026-11-21, or with a time 2026-11-21T10:30:00. */
export type Cell =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'date' | 'moment' | 'text'; readonly value: string }

export interface Sheet {
  readonly name: string
  /** From the top, as far as there is content; shorter rows end in empty cells. */
  readonly rows: readonly (readonly (Cell | undefined)[])[]
}

/** A column with one kind for all its cells: 'text' where they differ. */
export interface Column {
  readonly name: string
  readonly kind: Cell['kind'] | 'integer'
  readonly cells: readonly (Cell | undefined)[]
}

/**
 * The columns of a sheet. The first row names them when each of its cells holds text and there are rows below;
 * otherwise they are named as the sheet names them: A, B, C. Names that come twice are numbered.
 */
export function columnsOf({ rows }: Sheet): readonly Column[] {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const [head = []] = rows
  const named =
    rows.length > 1 && width > 0 && head.length === width && head.every((cell) => cell?.kind === 'text')
  const body = named ? rows.slice(1) : rows
  const taken = new Set<string>()
  return Array.from({ length: width }, (_, at) => {
    const cells = body.map((row) => row[at])
    const name = named ? textOf(head[at]) : letters(at)
    return { name: unique(name, taken), kind: kindOf(cells), cells }
  })
}

/** A cell as text, the way programs write it and not the way it was shown. */
export function textOf(cell: Cell | undefined): string {
  if (cell === undefined) return ''
  return cell.kind === 'moment' ? cell.value.replace('T', ' ') : String(cell.value)
}

function kindOf(cells: readonly (Cell | undefined)[]): Column['kind'] {
  const kinds = new Set(cells.flatMap((cell) => (cell === undefined ? [] : [cell.kind])))
  if (kinds.size === 2 && kinds.has('date') && kinds.has('moment')) return 'moment'
  const [only] = kinds
  if (kinds.size !== 1 || only === undefined) return 'text'
  if (only !== 'number') return only
  return cells.every((cell) => cell === undefined || Number.isSafeInteger(cell.value)) ? 'integer' : 'number'
}

function unique(name: string, taken: Set<string>): string {
  let candidate = name
  for (let count = 2; taken.has(candidate); count++) candidate = `${name}_${count}`
  taken.add(candidate)
  return candidate
}

/** 0 -> A, 25 -> Z, 26 -> AA. */
function letters(index: number): string {
  const rest = Math.floor(index / 26)
  return (rest > 0 ? letters(rest - 1) : '') + String.fromCharCode(65 + (index % 26))
}

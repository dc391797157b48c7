/** The value of a cell. Dates are ISO 8601 without a zone: 2026-11-21, or with a time 2026-11-21T10:30:00. */
export type SheetCell =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'date' | 'moment' | 'text'; readonly value: string }

export interface Sheet {
  readonly name: string
  /** Rows from the top up to the last one with content; shorter rows end in empty cells. */
  readonly rows: readonly (readonly (SheetCell | undefined)[])[]
}

/** A column with the type of its cells: 'text' when they differ. */
export interface SheetColumn {
  readonly name: string
  readonly kind: SheetCell['kind'] | 'integer'
  readonly cells: readonly (SheetCell | undefined)[]
}

/**
 * The columns of a sheet. The first row names them when each of its cells contains text and there are rows
 * below; otherwise their names are A, B, C. Duplicate names are numbered.
 */
export function columnsOf({ rows }: Sheet): readonly SheetColumn[] {
  const width = rows.reduce((max, row) => Math.max(max, row.length), 0)
  const [head = []] = rows
  const named =
    rows.length > 1 && width > 0 && head.length === width && head.every((cell) => cell?.kind === 'text')
  const body = named ? rows.slice(1) : rows
  const used = new Set<string>()
  return Array.from({ length: width }, (_, at) => {
    const cells = body.map((row) => row[at])
    const name = named ? textOf(head[at]) : letters(at)
    return { name: unique(name, used), kind: kindOf(cells), cells }
  })
}

/** A cell as text in a neutral form, not in its number format. */
export function textOf(cell: SheetCell | undefined): string {
  if (cell === undefined) return ''
  return cell.kind === 'moment' ? cell.value.replace('T', ' ') : String(cell.value)
}

function kindOf(cells: readonly (SheetCell | undefined)[]): SheetColumn['kind'] {
  const kinds = new Set(cells.flatMap((cell) => (cell === undefined ? [] : [cell.kind])))
  if (kinds.size === 2 && kinds.has('date') && kinds.has('moment')) return 'moment'
  const [only] = kinds
  if (kinds.size !== 1 || only === undefined) return 'text'
  if (only !== 'number') return only
  return cells.every((cell) => cell === undefined || Number.isSafeInteger(cell.value)) ? 'integer' : 'number'
}

function unique(name: string, used: Set<string>): string {
  let candidate = name
  for (let count = 2; used.has(candidate); count++) candidate = `${name}_${count}`
  used.add(candidate)
  return candidate
}

/** 0 -> A, 25 -> Z, 26 -> AA. */
function letters(index: number): string {
  const rest = Math.floor(index / 26)
  return (rest > 0 ? letters(rest - 1) : '') + String.fromCharCode(65 + (index % 26))
}

import { AppError } from '../../../../shared/errors/app-error.ts'
import { aliasOf, mono, sans, serif } from './aliases.ts'
import type { Face } from './face.ts'
import type { FontEntry } from './font-source.ts'
import type { Shelf } from './shelf.ts'
import { isSymbolFamily } from './symbols.ts'

export interface FontRequest {
  readonly family: string
  readonly bold: boolean
  readonly italic: boolean
  /** Characters to be set: lets faces for fallback be fetched too. */
  readonly text?: string
}

export interface Resolved {
  readonly entry: FontEntry
  readonly scaleX: number
}

/** Everything that could set the request, the best first. Mostly the first is taken: the others are not looked up before. */
export function* candidates(shelf: Shelf, request: FontRequest): Generator<Resolved, void> {
  const alias = aliasOf(request.family)
  const last = alias?.to.at(-1)
  let found = false
  for (const family of new Set([request.family, ...(alias?.to ?? []), sans, serif, mono])) {
    const scaleX = family === last && family !== request.family ? (alias?.scaleX ?? 1) : 1
    for (const entry of byStyle(shelf.byName(family), request)) {
      found = true
      yield { entry, scaleX }
    }
  }
  if (!found) for (const entry of byStyle(shelf.source.entries, request)) yield { entry, scaleX: 1 }
}

/** Nearest first: slant, then width, then weight. Ties keep the order of the source. */
export function byStyle(entries: readonly FontEntry[], request: FontRequest): FontEntry[] {
  const weight = request.bold ? 700 : 400
  const distance = (entry: FontEntry) =>
    (entry.italic === request.italic ? 0 : 10_000) +
    Math.abs(entry.width - 5) * 1000 +
    Math.abs(entry.weight - weight)
  if (entries.length < 2) return [...entries]
  return entries
    .map((entry, order) => ({ entry, order, distance: distance(entry) }))
    .sort((a, b) => a.distance - b.distance || a.order - b.order)
    .map(({ entry }) => entry)
}

export function resolveFace(shelf: Shelf, request: FontRequest): Face {
  const missing = isSymbolFamily(request.family) && shelf.byName(request.family).length === 0
  const symbols = missing ? request.family : undefined
  for (const { entry, scaleX } of candidates(shelf, request)) {
    const file = shelf.open(entry)
    if (file === undefined) continue
    return shelf.intern(file, { bold: request.bold, italic: request.italic, scaleX, symbols })
  }
  throw new AppError('font.none')
}

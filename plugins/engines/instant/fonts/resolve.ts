import type { GenericFont } from '../../../../shared/document/generic-font.ts'
import { AppError } from '../../../../shared/errors/app-error.ts'
import { aliasOf, mono, sans, serif } from './aliases.ts'
import type { Face } from './face.ts'
import type { FaceCache } from './face-cache.ts'
import type { FontEntry } from './font-source.ts'
import { isSymbolFamily } from './symbols.ts'

export interface FontRequest {
  readonly family: string
  readonly bold: boolean
  readonly italic: boolean
  /** The generic family that replaces one that is neither available nor in the table of aliases. */
  readonly generic?: GenericFont | undefined
  /** The characters of the text, so that faces for fallback are fetched too. */
  readonly text?: string
  /** The languages that the text is declared to be in. */
  readonly languages?: readonly string[]
}

export interface ResolvedFont {
  readonly entry: FontEntry
  readonly scaleX: number
}

const replacements: Readonly<Record<GenericFont, readonly string[]>> = {
  serif: [serif, sans, mono],
  sans: [sans, serif, mono],
  mono: [mono, sans, serif],
}

/**
 * All fonts that could satisfy the request, the best first. They are looked up lazily, because mostly the
 * first is used.
 */
export function* candidates(cache: FaceCache, request: FontRequest): Generator<ResolvedFont, void> {
  const alias = aliasOf(request.family)
  const last = alias?.to.at(-1)
  let hasMatch = false
  const defaults = replacements[request.generic ?? 'sans']
  for (const family of new Set([request.family, ...(alias?.to ?? []), ...defaults])) {
    const scaleX = family === last && family !== request.family ? (alias?.scaleX ?? 1) : 1
    for (const entry of byStyle(cache.byName(family), request)) {
      hasMatch = true
      yield { entry, scaleX }
    }
  }
  if (!hasMatch) for (const entry of byStyle(cache.source.entries, request)) yield { entry, scaleX: 1 }
}

/** The nearest first: by slant, then width, then weight. Ties keep the order of the source. */
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

export function resolveFace(cache: FaceCache, request: FontRequest): Face {
  const missing = isSymbolFamily(request.family) && cache.byName(request.family).length === 0
  const symbols = missing ? request.family : undefined
  for (const { entry, scaleX } of candidates(cache, request)) {
    const file = cache.open(entry)
    if (file === undefined) continue
    return cache.intern(file, { bold: request.bold, italic: request.italic, scaleX, symbols })
  }
  throw new AppError('font.none')
}

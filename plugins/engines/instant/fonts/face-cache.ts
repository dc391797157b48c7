import { type CoverageIndex, createCoverageIndex } from './coverage.ts'
import type { Face, Shaping, Synthetic } from './face.ts'
import { createFontCache } from './font-cache.ts'
import type { FontEntry, FontSource } from './font-source.ts'
import { checkOutlines } from './record-face.ts'
import { type FontFile, openFont, readFont } from './sfnt/font-file.ts'
import type { Instancer } from './variation/instancer.ts'

export interface FaceVariant {
  readonly bold: boolean
  readonly italic: boolean
  readonly scaleX: number
  readonly symbols?: string | undefined
}

/** The entries by name, parsed fonts and interned faces of one source. */
export interface FaceCache {
  readonly source: FontSource
  byName(family: string): readonly FontEntry[]
  /** Returns undefined when the font is damaged or its bytes are not available. */
  open(entry: FontEntry): FontFile | undefined
  load(entry: FontEntry): Promise<void>
  intern(file: FontFile, variant: FaceVariant): Face
  readonly fallbacks: Map<string, FontEntry | null>
  readonly coverage: CoverageIndex
  readonly hasVariable: boolean
}

export interface FaceCacheParts {
  readonly source: FontSource
  readonly limits: { readonly faces?: number | undefined; readonly bytes?: number | undefined }
  readonly shaping: Shaping
  readonly variable: Instancing
  /** The cache of the book, for fonts that a document does not embed itself. */
  readonly base?: FaceCache
}

/** Holds the subsetter for variable fonts once `prepare` has loaded it. */
export interface Instancing {
  readonly loaded: Instancer | undefined
}

export function createFaceCache({ source, limits, shaping, variable, base }: FaceCacheParts): FaceCache {
  const cache = createFontCache(limits.faces ?? 24, limits.bytes ?? 96_000_000)
  const names = new Map<string, FontEntry[]>()
  for (const entry of source.entries) {
    for (const name of new Set([entry.family.toLowerCase(), ...entry.names])) {
      const list = names.get(name)
      if (list === undefined) names.set(name, [entry])
      else list.push(entry)
    }
  }
  const faces = new WeakMap<FontFile, Map<string, Face>>()
  const damaged = new Set<FontEntry>()
  const parse = (entry: FontEntry, bytes: Uint8Array): FontFile | undefined => {
    try {
      const font = readFace(entry, bytes, variable.loaded)
      checkOutlines(font)
      cache.set(entry, font)
      return font
    } catch {
      damaged.add(entry) // The failure is cached, because another attempt would read the file again.
      return undefined
    }
  }
  const coverage = createCoverageIndex((entry) => (damaged.has(entry) ? undefined : source.read(entry)))
  const isEmbedded = base === undefined ? () => true : embeddedEntries(source, base.source)
  return {
    source,
    byName: (family) => names.get(family.toLowerCase()) ?? [],
    open(entry) {
      if (base !== undefined && !isEmbedded(entry)) return base.open(entry)
      if (damaged.has(entry)) return undefined
      const cached = cache.get(entry)
      if (cached !== undefined) return cached
      const { record, place: coordinates } = entry
      const readAt = record === undefined || coordinates !== undefined ? undefined : source.readAt?.(entry)
      if (record !== undefined && readAt !== undefined) {
        const font = openFont(record, readAt)
        cache.set(entry, font)
        return font
      }
      const bytes = source.read(entry)
      return bytes === undefined ? undefined : parse(entry, bytes)
    },
    async load(entry) {
      if (damaged.has(entry) || cache.get(entry) !== undefined || source.fetch === undefined) return
      const bytes = await source.fetch(entry)
      if (bytes !== undefined) parse(entry, bytes)
    },
    intern(file, variant) {
      const synthetic: Synthetic = {
        bold: variant.bold && !file.style.bold,
        slant: variant.italic && !file.style.italic,
        scaleX: variant.scaleX,
      }
      let byStyle = faces.get(file)
      if (byStyle === undefined) faces.set(file, (byStyle = new Map()))
      const key = `${synthetic.bold ? 'b' : ''}${synthetic.slant ? 'i' : ''}${synthetic.scaleX} ${variant.symbols ?? ''}`
      let face = byStyle.get(key)
      if (face === undefined)
        byStyle.set(key, (face = makeFace(file, { synthetic, symbols: variant.symbols, shaping })))
      return face
    },
    fallbacks: new Map(),
    hasVariable: source.entries.some(({ place: coordinates }) => coordinates !== undefined),
    coverage: {
      // The coverage of the fonts of the book is known from other documents.
      has: (entry, code) =>
        (base !== undefined && !isEmbedded(entry) ? base.coverage : coverage).has(entry, code),
    },
  }
}

/** Faces of a variable font are distinguished by their names, because the file calls all of them the same. */
function readFace(entry: FontEntry, bytes: Uint8Array, instancer: Instancer | undefined): FontFile {
  const { place: coordinates } = entry
  const instance = coordinates && instancer?.instantiate(bytes, entry.index, coordinates)
  if (coordinates === undefined || instance === undefined) return readFont(bytes, entry.index)
  const font = readFont(instance)
  const axes = coordinates.map(({ axis, value }) => `${axis}${value}`).join('-')
  return {
    ...font,
    names: {
      ...font.names,
      family: entry.family,
      aliases: entry.names,
      postScript: `${font.names.postScript}-${axes}`,
    },
    style: { ...font.style, bold: entry.weight >= 600, italic: entry.italic, weight: entry.weight },
  }
}

function embeddedEntries(joined: FontSource, base: FontSource): (entry: FontEntry) => boolean {
  const shared = new Set(base.entries)
  const embedded = new Set(joined.entries.filter((entry) => !shared.has(entry)))
  return (entry) => embedded.has(entry)
}

/**
 * Families whose line gap LibreOffice ignores: OpenSymbol, in which Writer sets bullets (measured in LibreOffice 7.4, which respects
 * the line gap of six other fonts).
 */
const withoutLineGap: ReadonlySet<string> = new Set(['OpenSymbol'])

function makeFace(file: FontFile, appearance: Pick<Face, 'synthetic' | 'symbols' | 'shaping'>): Face {
  const { synthetic } = appearance
  const { metrics, names, style } = file
  const em = metrics.unitsPerEm
  const imitations = `${synthetic.bold ? '+b' : ''}${synthetic.slant ? '+i' : ''}${synthetic.scaleX === 1 ? '' : `*${synthetic.scaleX}`}`
  return {
    key: names.postScript + imitations,
    family: names.family,
    bold: style.bold || synthetic.bold,
    italic: style.italic || synthetic.slant,
    unitsPerEm: em,
    ascent: metrics.ascent / em,
    descent: metrics.descent / em,
    lineGap: withoutLineGap.has(names.family) ? 0 : metrics.lineGap / em,
    xHeight: metrics.xHeight / em,
    capHeight: metrics.capHeight / em,
    ...decorationLines(metrics.ascent / em, Math.min(metrics.descent, metrics.ascent / 3) / em),
    ...appearance,
    file,
  }
}

/**
 * Positions of lines in LibreOffice 7.4, which ignores the font's own tables: measured at 40 pt with
 * Liberation Sans and Carlito. A line has a thickness of a quarter of the descent; the middle of an underline
 * is 0.39 descents below the baseline, and a strikethrough is at a third of the ascent without its internal
 * leading.
 */
function decorationLines(ascent: number, descent: number) {
  const thickness = 0.25 * descent
  const leading = Math.max(0, ascent + descent - 1)
  return {
    underlineOffset: 0.39 * descent,
    underlineThickness: thickness,
    strikeOffset: (ascent - leading) / 3 + thickness / 2,
    strikeThickness: thickness,
  }
}

/**
 * From the names documents use to faces text is set in. A book lives as long as the process; a document opens it with
 * `forDocument`, asks for faces and gets a report at the end. What cannot be found is replaced, never refused:
 * family, alias, default sans, then whatever has the character.
 */
import { AppError } from '../../../../shared/errors/app-error.ts'
import { type ComplexShaper, loadComplexShaper, type WasmLoader } from '../text/complex-shaper.ts'
import { needsComplexShaping } from '../text/scripts.ts'
import { aliasOf, mono, sans, serif } from './aliases.ts'
import { covers, hasLastResort, isCombining, isIgnorable } from './characters.ts'
import { type CoverageIndex, createCoverageIndex } from './coverage.ts'
import type { Face, Shaping, Synthetic } from './face.ts'
import { createFontCache } from './font-cache.ts'
import { type FontEntry, type FontSource, joinSources } from './font-source.ts'
import { createFontsLedger, type FontsReport } from './report.ts'
import { describeBytes } from './sfnt/describe.ts'
import { type FontFile, readFont } from './sfnt/font-file.ts'
import { checkCff } from './subset/cff.ts'
import { isSymbolFamily, symbolsToUnicode } from './symbols.ts'
import { claims } from './unicode-ranges.ts'

export interface FontBook {
  /** `embedded`: fonts the document carries, which win over all others. */
  forDocument(options?: { readonly embedded?: readonly Uint8Array[] }): DocumentFonts
  readonly source: FontSource
}

export interface FontRequest {
  readonly family: string
  readonly bold: boolean
  readonly italic: boolean
  /** Characters to be set: lets faces for fallback be fetched too. */
  readonly text?: string
}

export interface FaceRun {
  readonly start: number
  readonly end: number
  readonly face: Face
}

export interface DocumentFonts {
  /**
   * Fetches what is not in memory: faces where the source answers later, HarfBuzz where a text needs it. Call it once with
   * the families and texts of the document before laying it out.
   */
  prepare(requests: readonly FontRequest[]): Promise<void>
  /** Never fails while there is any font: AppError 'font.none' otherwise. */
  face(family: string, bold: boolean, italic: boolean): Face
  /** The text cut where another face must be used because `face` lacks characters. Covers all of it, in order. */
  runs(text: string, face: Face): FaceRun[]
  /** HarfBuzz, once `prepare` has seen text that needs it and the side can load it; else undefined. */
  readonly complex: ComplexShaper | undefined
  /** Whether the family itself, not a stand-in, is at hand. */
  has(family: string): boolean
  report(): FontsReport
}

export interface FontBookOptions {
  readonly faces?: number // parsed faces kept, 24
  readonly bytes?: number // and their weight, 96 MB
  /** How to load harfbuzz.wasm where the source does not say; without it joining scripts are set letter by letter. */
  readonly complex?: WasmLoader
}

export function createFontBook(source: FontSource, options: FontBookOptions = {}): FontBook {
  const complex = createComplexLoader(options.complex ?? source.complex)
  const shared = createShelf({ source, options, complex })
  return {
    source,
    forDocument({ embedded = [] } = {}) {
      const own = embeddedSource(embedded)
      const shelf =
        own === undefined
          ? shared
          : createShelf({ source: joinSources(own, source), options, complex, base: shared })
      return openDocument(shelf, complex)
    },
  }
}

interface ComplexLoader extends Shaping {
  load(): Promise<void>
}

/** Loads once, on first need; a module that cannot be loaded leaves the plain way of shaping. */
function createComplexLoader(loader: WasmLoader | undefined): ComplexLoader {
  let loaded: ComplexShaper | undefined
  let loading: Promise<void> | undefined
  return {
    get loaded() {
      return loaded
    },
    async load() {
      if (loader === undefined) return
      loading ??= loadComplexShaper(loader).then(
        (shaper) => void (loaded = shaper),
        () => undefined,
      )
      await loading
    },
  }
}

interface WantedFace {
  readonly bold: boolean
  readonly italic: boolean
  readonly scaleX: number
  readonly symbols?: string | undefined
}

/** Entries by name, parsed fonts and interned faces of one source. */
interface Shelf {
  readonly source: FontSource
  byName(family: string): readonly FontEntry[]
  /** undefined: damaged, or its bytes are not here. */
  open(entry: FontEntry): FontFile | undefined
  load(entry: FontEntry): Promise<void>
  intern(file: FontFile, wanted: WantedFace): Face
  readonly fallbacks: Map<string, FontEntry | null>
  readonly coverage: CoverageIndex
}

interface ShelfParts {
  readonly source: FontSource
  readonly options: FontBookOptions
  readonly complex: ComplexLoader
  /** The shelf of the book, for what a document does not bring itself. */
  readonly base?: Shelf
}

function createShelf({ source, options, complex, base }: ShelfParts): Shelf {
  const cache = createFontCache(options.faces ?? 24, options.bytes ?? 96_000_000)
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
      const font = readFont(bytes, entry.index)
      checkOutlines(font)
      cache.set(entry, font)
      return font
    } catch {
      damaged.add(entry) // Remembered: asking again would read the file again.
      return undefined
    }
  }
  const isOwn = base === undefined ? () => true : ownEntries(source, base.source)
  return {
    source,
    byName: (family) => names.get(family.toLowerCase()) ?? [],
    open(entry) {
      if (base !== undefined && !isOwn(entry)) return base.open(entry)
      if (damaged.has(entry)) return undefined
      const known = cache.get(entry)
      if (known !== undefined) return known
      const bytes = source.read(entry)
      return bytes === undefined ? undefined : parse(entry, bytes)
    },
    async load(entry) {
      if (damaged.has(entry) || cache.get(entry) !== undefined || source.fetch === undefined) return
      const bytes = await source.fetch(entry)
      if (bytes !== undefined) parse(entry, bytes)
    },
    intern(file, wanted) {
      const synthetic: Synthetic = {
        bold: wanted.bold && !file.style.bold,
        slant: wanted.italic && !file.style.italic,
        scaleX: wanted.scaleX,
      }
      let byStyle = faces.get(file)
      if (byStyle === undefined) faces.set(file, (byStyle = new Map()))
      const key = `${synthetic.bold ? 'b' : ''}${synthetic.slant ? 'i' : ''}${synthetic.scaleX} ${wanted.symbols ?? ''}`
      let face = byStyle.get(key)
      if (face === undefined)
        byStyle.set(key, (face = makeFace(file, { synthetic, symbols: wanted.symbols, shaping: complex })))
      return face
    },
    fallbacks: new Map(),
    coverage: createCoverageIndex((entry) => (damaged.has(entry) ? undefined : source.read(entry))),
  }
}

/** Fonts of bitmaps or colours only cannot be drawn; damaged outlines are found now, not when a page is painted. */
function checkOutlines(font: FontFile): void {
  if (font.outlines === 'none') throw new AppError('font.damaged', { what: 'it has no outlines' })
  if (font.outlines === 'cff') checkCff(font)
}

function ownEntries(joined: FontSource, base: FontSource): (entry: FontEntry) => boolean {
  const shared = new Set(base.entries)
  const own = new Set(joined.entries.filter((entry) => !shared.has(entry)))
  return (entry) => own.has(entry)
}

function embeddedSource(fonts: readonly Uint8Array[]): FontSource | undefined {
  const bytesOf = new Map<FontEntry, Uint8Array>()
  for (const [index, bytes] of fonts.entries()) {
    try {
      for (const entry of describeBytes(`document-${index}`, bytes)) bytesOf.set(entry, bytes)
    } catch {
      // An embedded font that is no font is as good as none: the family is looked up elsewhere.
    }
  }
  if (bytesOf.size === 0) return undefined
  return { entries: [...bytesOf.keys()], read: (entry) => bytesOf.get(entry) }
}

function makeFace(file: FontFile, look: Pick<Face, 'synthetic' | 'symbols' | 'shaping'>): Face {
  const { synthetic } = look
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
    lineGap: metrics.lineGap / em,
    xHeight: metrics.xHeight / em,
    capHeight: metrics.capHeight / em,
    ...decorationLines(metrics.ascent / em, Math.min(metrics.descent, metrics.ascent / 3) / em),
    ...look,
    file,
  }
}

/**
 * Where LibreOffice 7.4 draws lines, whatever the font's own tables say: measured at 40 pt with Liberation Sans and Carlito.
 * A line is a quarter of the descent thick; an underline's middle stands 0.39 descents below the baseline, a strike rests
 * on a third of the ascent without its internal leading.
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

interface Resolved {
  readonly entry: FontEntry
  readonly scaleX: number
}

function openDocument(shelf: Shelf, complex: ComplexLoader): DocumentFonts {
  const ledger = createFontsLedger()
  const faces = new Map<string, Face>()
  return {
    get complex() {
      return complex.loaded
    },
    async prepare(requests) {
      if (requests.some(({ text }) => text !== undefined && needsComplexShaping(text))) await complex.load()
      if (shelf.source.fetch === undefined) return
      const wanted = new Set<FontEntry>()
      for (const request of requests) {
        const main = candidates(shelf, request)[0]?.entry
        if (main !== undefined) wanted.add(main)
      }
      for (const entry of wanted) await shelf.load(entry)
      for (const request of requests) {
        if (request.text !== undefined) await loadFallbacks(shelf, request, request.text)
      }
    },
    face(family, bold, italic) {
      const key = `${bold ? 'b' : ''}${italic ? 'i' : ''} ${family}`
      let face = faces.get(key)
      if (face === undefined) {
        face = resolveFace(shelf, { family, bold, italic })
        faces.set(key, face)
        ledger.requested(family, bold, italic, face)
      }
      return face
    },
    runs(text, face) {
      return faceRuns(shelf, text, face, (code) => ledger.missing(code, face))
    },
    has: (family) => shelf.byName(family).length > 0,
    report: () => ledger.report(),
  }
}

/** Everything that could set the request, the best first. */
function candidates(shelf: Shelf, request: FontRequest): Resolved[] {
  const found: Resolved[] = []
  const add = (family: string, scaleX: number) => {
    const entries = shelf.byName(family)
    for (const entry of byStyle(entries, request)) found.push({ entry, scaleX })
  }
  add(request.family, 1)
  const alias = aliasOf(request.family)
  for (const family of alias?.to ?? []) add(family, family === alias?.to.at(-1) ? (alias?.scaleX ?? 1) : 1)
  for (const family of [sans, serif, mono]) add(family, 1)
  if (found.length === 0)
    for (const entry of byStyle(shelf.source.entries, request)) found.push({ entry, scaleX: 1 })
  return found
}

/** Nearest first: slant, then width, then weight. Ties keep the order of the source. */
function byStyle(entries: readonly FontEntry[], request: FontRequest): FontEntry[] {
  const weight = request.bold ? 700 : 400
  const distance = (entry: FontEntry) =>
    (entry.italic === request.italic ? 0 : 10_000) +
    Math.abs(entry.width - 5) * 1000 +
    Math.abs(entry.weight - weight)
  return entries
    .map((entry, order) => ({ entry, order, distance: distance(entry) }))
    .sort((a, b) => a.distance - b.distance || a.order - b.order)
    .map(({ entry }) => entry)
}

function resolveFace(shelf: Shelf, request: FontRequest): Face {
  const missing = isSymbolFamily(request.family) && shelf.byName(request.family).length === 0
  const symbols = missing ? request.family : undefined
  for (const { entry, scaleX } of candidates(shelf, request)) {
    const file = shelf.open(entry)
    if (file === undefined) continue
    return shelf.intern(file, { bold: request.bold, italic: request.italic, scaleX, symbols })
  }
  throw new AppError('font.none')
}

/** Entries that may have the character, the likeliest first. */
function fallbackEntries(shelf: Shelf, code: number, request: FontRequest): FontEntry[] {
  const claiming = shelf.source.entries.filter((entry) => claims(entry, code) !== false)
  return byStyle(claiming, request)
}

function findFallback(shelf: Shelf, code: number, request: FontRequest): FontFile | undefined {
  const key = fallbackKey(code, request)
  const known = shelf.fallbacks.get(key)
  if (known === null) return undefined
  if (known !== undefined) return shelf.open(known)
  for (const entry of fallbackEntries(shelf, code, request)) {
    const has = shelf.coverage.has(entry, code)
    // Bytes that came late and were never read here: the parsed face knows.
    if (has === false || (has === undefined && shelf.source.fetch === undefined)) continue
    const file = shelf.open(entry)
    if (file === undefined || file.characters.symbol || !covers(file, code)) continue
    shelf.fallbacks.set(key, entry)
    return file
  }
  if (shelf.fallbacks.size > 20_000) shelf.fallbacks.clear()
  shelf.fallbacks.set(key, null)
  return undefined
}

function fallbackKey(code: number, request: FontRequest): string {
  return `${request.bold ? 'b' : ''}${request.italic ? 'i' : ''}${code.toString(36)}`
}

/** Files fetched in search of one character. */
const mostTries = 8

async function loadFallbacks(shelf: Shelf, request: FontRequest, text: string): Promise<void> {
  const face = resolveFace(shelf, request)
  const codes = new Set<number>()
  for (const character of text) {
    const code = character.codePointAt(0)!
    if (!covers(face.file, code)) codes.add(code)
  }
  for (const code of codes) {
    if (findFallback(shelf, code, request) !== undefined) continue
    for (const entry of fallbackEntries(shelf, code, request).slice(0, mostTries)) {
      await shelf.load(entry)
      const file = shelf.open(entry)
      if (file === undefined || !covers(file, code)) continue
      shelf.fallbacks.set(fallbackKey(code, request), entry)
      break
    }
  }
}

function faceRuns(shelf: Shelf, text: string, face: Face, missing: (code: number) => void): FaceRun[] {
  if (face.symbols === undefined && coversAll(face.file, text)) return [{ start: 0, end: text.length, face }]
  const runs: FaceRun[] = []
  let start = 0
  let current = face
  for (let at = 0; at < text.length; ) {
    const next = clusterEnd(text, at)
    const cluster = text.slice(at, next)
    const chosen = chooseFace(shelf, cluster, face, current, missing)
    if (chosen !== current) {
      if (at > start) runs.push({ start, end: at, face: current })
      start = at
      current = chosen
    }
    at = next
  }
  runs.push({ start, end: text.length, face: current })
  return runs
}

function coversAll(font: FontFile, text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0xd800 && code < 0xe000) return false
    if (font.characters.glyphOf(code) === 0 && !covers(font, code)) return false
  }
  return true
}

/** A character with its marks and joiners: they are set in one face. */
function clusterEnd(text: string, at: number): number {
  let end = at + (text.codePointAt(at)! > 0xffff ? 2 : 1)
  while (end < text.length) {
    const code = text.codePointAt(end)!
    const joined = text.charCodeAt(end - 1) === 0x200d
    if (!joined && !isIgnorable(code) && !isCombining(code)) break
    end += code > 0xffff ? 2 : 1
  }
  return end
}

/** All characters of a cluster, or the one they compose to. */
function coversCluster(font: FontFile, cluster: string): boolean {
  return coversText(font, cluster) || (cluster.length > 1 && coversText(font, cluster.normalize('NFC')))
}
function coversText(font: FontFile, text: string): boolean {
  for (const character of text) if (!covers(font, character.codePointAt(0)!)) return false
  return true
}

function chooseFace(
  shelf: Shelf,
  text: string,
  face: Face,
  current: Face,
  missing: (code: number) => void,
): Face {
  const cluster = face.symbols === undefined ? text : symbolsToUnicode(face.symbols, text)
  if (coversCluster(face.file, cluster)) return face
  if (current !== face && coversCluster(current.file, cluster)) return current
  const style = { family: face.family, bold: face.bold, italic: face.italic, symbols: face.symbols }
  for (const family of face.file.style.serif ? [serif, sans] : [sans, serif]) {
    const entry = byStyle(shelf.byName(family), style)[0]
    const file = entry === undefined ? undefined : shelf.open(entry)
    if (file !== undefined && coversCluster(file, cluster)) return shelf.intern(file, { ...style, scaleX: 1 })
  }
  const code = cluster.codePointAt(0)!
  const file = covers(face.file, code) ? undefined : findFallback(shelf, code, style)
  if (file !== undefined) return shelf.intern(file, { ...style, scaleX: 1 })
  for (const character of cluster) {
    const lacking = character.codePointAt(0)!
    if (!covers(face.file, lacking) && !hasLastResort(face.file, lacking)) missing(lacking)
  }
  return face
}

/**
 * Finds faces for the font names that documents use. A book lives as long as the process; a document opens it
 * with `forDocument`, requests faces, and gets a report at the end. A missing font is replaced, never
 * refused: by the family, its alias, the default sans, then any font that has the character.
 */
import type { GenericFont } from '../../../../shared/document/generic-font.ts'
import type { Warning } from '../../../../shared/plugin/values.ts'
import { type ComplexShaper, loadComplexShaper, type WasmLoader } from '../text/complex-shaper.ts'
import { needsComplexShaping } from '../text/scripts.ts'
import type { Face, Shaping } from './face.ts'
import { createFaceCache, type FaceCache, type Instancing } from './face-cache.ts'
import { type FaceRun, faceRuns, loadFallbacks } from './fallback.ts'
import { type HanRegion, regionOfLanguage, regionOfText, type TextKind } from './fallback-families.ts'
import { readFontName } from './font-name.ts'
import { type FontEntry, type FontSource, joinSources } from './font-source.ts'
import { createFontsLedger, type FontsReport } from './report.ts'
import { candidates, type FontRequest, resolveFace } from './resolve.ts'
import { describeBytes } from './sfnt/describe.ts'
import { readFont } from './sfnt/font-file.ts'
import { createInstancer, type Instancer } from './variation/instancer.ts'

export type { FaceRun } from './fallback.ts'
export type { FontRequest } from './resolve.ts'

/** The fonts of a host. It lives as long as the process. */
export interface FontBook {
  forDocument(options?: FontsOfDocument): DocumentFonts
  readonly source: FontSource
}

/** A font that a document knows by a name of its own. */
export interface NamedFont {
  readonly family: string
  readonly bytes: Uint8Array
  /** Absent: what the font says of itself. */
  readonly weight?: number
  readonly italic?: boolean
}

/** The information about fonts that a document contains. */
export interface FontsOfDocument {
  /** Fonts inside the document, which win over all others. */
  readonly embedded?: readonly Uint8Array[]
  /** The same under names that the document gives them. */
  readonly named?: readonly NamedFont[]
  /** The generic families that replace families that are not available, by their lower-case names. */
  readonly generic?: ReadonlyMap<string, GenericFont> | undefined
  /** The design of the fonts that supply characters which a font lacks; by default that of the text. */
  readonly fallbackDesign?: TextKind
}

/** The fonts of one document. */
export interface DocumentFonts {
  /**
   * Fetches what is not in memory: faces whose source answers later, and HarfBuzz when a text needs it. It is
   * called once with the families and texts of the document before layout.
   */
  prepare(requests: readonly FontRequest[]): Promise<void>
  /** Throws AppError 'font.none' when there is no font at all; it never fails otherwise. */
  face(family: string, bold: boolean, italic: boolean): Face
  /**
   * Splits a text where another face must be used because `face` lacks characters. Covers all of it, in
   * order. The language decides which of several forms a Chinese character has.
   */
  runs(text: string, face: Face, language?: string): FaceRun[]
  /** HarfBuzz, once `prepare` has seen text that needs it and the host can load it; otherwise undefined. */
  readonly complex: ComplexShaper | undefined
  /** Whether the family itself, not a replacement, is available. */
  has(family: string): boolean
  report(): FontsReport
  /** Embedded fonts that are not used. */
  readonly warnings: readonly Warning[]
}

export interface FontBookOptions {
  readonly faces?: number // maximum number of parsed faces, by default 24
  readonly bytes?: number // and their total size, by default 96 MB
  /**
   * How to load harfbuzz.wasm when the source does not define it. Without it complex scripts are set letter
   * by letter.
   */
  readonly complex?: WasmLoader
}

/** Creates a book. Its documents share one cache of parsed faces, except for the fonts that they embed. */
export function createFontBook(source: FontSource, options: FontBookOptions = {}): FontBook {
  const complex = createComplexLoader(options.complex ?? source.complex)
  const variable = createInstancingLoader(source)
  const parts = { limits: options, shaping: complex, variable }
  const shared = createFaceCache({ ...parts, source })
  return {
    source,
    forDocument({ embedded = [], named = [], generic, fallbackDesign } = {}) {
      const { source: ofDocument, refused } = embeddedSource([
        ...embedded.map((bytes) => ({ bytes })),
        ...named,
      ])
      const cache =
        ofDocument === undefined
          ? shared
          : createFaceCache({ ...parts, source: joinSources(ofDocument, source), base: shared })
      return openDocument(cache, { complex, variable }, { refused, generic, fallbackDesign })
    },
  }
}

interface ComplexLoader extends Shaping {
  load(): Promise<void>
}

/** Loads once, on first need. When the module cannot be loaded, text is shaped without it. */
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

interface InstancingLoader extends Instancing {
  load(): Promise<void>
}

/** Loads the subsetter in the same way, for the first document that may use a variable font. */
function createInstancingLoader({ subsetter }: FontSource): InstancingLoader {
  let loaded: Instancer | undefined
  let loading: Promise<void> | undefined
  return {
    get loaded() {
      return loaded
    },
    async load() {
      if (subsetter === undefined) return
      loading ??= subsetter({}).then(
        (exports) => void (loaded = createInstancer(exports)),
        () => undefined,
      )
      await loading
    },
  }
}

/** The usable fonts among those that a document embeds, and how many files are not used. */
function embeddedSource(fonts: readonly (Partial<NamedFont> & Pick<NamedFont, 'bytes'>)[]): {
  source?: FontSource
  refused: number
} {
  const bytesOf = new Map<FontEntry, Uint8Array>()
  let refused = 0
  for (const [index, font] of fonts.entries()) {
    const { bytes } = font
    try {
      const entries = describeBytes(`document-${index}`, bytes).map((entry) => renamed(entry, font))
      // The licence bits of a font declare whether it may be embedded (OS/2 fsType).
      const usable = entries.filter((entry) => readFont(bytes, entry.index).style.embeddable)
      for (const entry of usable) bytesOf.set(entry, bytes)
      if (usable.length === 0) refused++
    } catch {
      refused++ // A file that is not a font is ignored, and the family is searched elsewhere.
    }
  }
  if (bytesOf.size === 0) return { refused }
  return { source: { entries: [...bytesOf.keys()], read: (entry) => bytesOf.get(entry) }, refused }
}

function renamed(entry: FontEntry, { family, weight, italic }: Partial<NamedFont>): FontEntry {
  if (family === undefined) return entry
  const names = [family.toLowerCase()]
  return { ...entry, family, names, weight: weight ?? entry.weight, italic: italic ?? entry.italic }
}

interface Loaders {
  readonly complex: ComplexLoader
  readonly variable: InstancingLoader
}

interface DocumentFacts {
  readonly refused: number // embedded files that are not used
  readonly generic: FontsOfDocument['generic']
  readonly fallbackDesign: TextKind | undefined
}

function openDocument(
  cache: FaceCache,
  { complex, variable }: Loaders,
  { refused, generic, fallbackDesign }: DocumentFacts,
): DocumentFonts {
  const genericOf = (family: string) => generic?.get(family.toLowerCase())
  const ledger = createFontsLedger()
  const faces = new Map<string, Face>()
  let region: HanRegion = 'SC' // used where the text does not declare a region
  return {
    get complex() {
      return complex.loaded
    },
    async prepare(named) {
      const requests = named.map((request) => {
        const { family } = readFontName(request.family)
        return { ...request, family, generic: genericOf(family) }
      })
      if (requests.some(({ text }) => text !== undefined && needsComplexShaping(text))) await complex.load()
      if (cache.hasVariable) await variable.load()
      const ofText = requests.flatMap(({ text }) => regionOfText(text ?? '') ?? []).slice(0, 1)
      region = ofText[0] ?? 'SC'
      if (cache.source.fetch === undefined) return
      const tried = new Set<FontEntry>()
      for (const request of requests) {
        // When a file cannot be used, the next one is tried.
        for (const { entry } of candidates(cache, request)) {
          if (!tried.has(entry)) await cache.load(entry)
          tried.add(entry)
          if (cache.open(entry) !== undefined) break
        }
      }
      for (const request of requests) {
        const { text } = request
        if (text === undefined) continue
        const declared = (request.languages ?? []).flatMap((language) => regionOfLanguage(language) ?? [])
        for (const fallbackRegion of new Set([
          ...(declared.length > 0 ? [] : [region]),
          ...ofText,
          ...declared,
        ]))
          await loadFallbacks(
            cache,
            { ...request, text },
            { region: fallbackRegion, eastAsian: false },
            fallbackDesign,
          )
      }
    },
    face(name, bold, italic) {
      const key = `${bold ? 'b' : ''}${italic ? 'i' : ''} ${name}`
      let face = faces.get(key)
      if (face === undefined) {
        const { family } = readFontName(name)
        face = resolveFace(cache, { family, bold, italic, generic: genericOf(family) })
        faces.set(key, face)
        ledger.requested({ family, bold, italic }, face)
      }
      return face
    },
    runs(text, face, language) {
      const runs = faceRuns(cache, text, face, {
        locale: () => {
          const declared = regionOfLanguage(language)
          return { region: regionOfText(text) ?? declared ?? region, eastAsian: declared !== undefined }
        },
        design: fallbackDesign,
        missing: (code) => ledger.missing(code, face),
      })
      if (runs.length > 1 || runs[0]?.face !== face) ledger.fallbacks(runs.map((run) => run.face))
      return runs
    },
    has: (name) => cache.byName(readFontName(name).family).length > 0,
    report: () => ledger.report(),
    warnings:
      refused === 0
        ? []
        : [
            {
              code: 'font.embedded',
              message: `Embedded fonts of the document were not used, because they are damaged or their licence forbids it: ${refused}.`,
            },
          ],
  }
}

/**
 * From the names documents use to faces text is set in. A book lives as long as the process; a document opens it with
 * `forDocument`, asks for faces and gets a report at the end. What cannot be found is replaced, never refused:
 * family, alias, default sans, then whatever has the character.
 */
import type { Warning } from '../../../../shared/plugin/contract.ts'
import { type ComplexShaper, loadComplexShaper, type WasmLoader } from '../text/complex-shaper.ts'
import { needsComplexShaping } from '../text/scripts.ts'
import type { Face, Shaping } from './face.ts'
import { type FaceRun, faceRuns, loadFallbacks } from './fallback.ts'
import { readFontName } from './font-name.ts'
import { type FontEntry, type FontSource, joinSources } from './font-source.ts'
import { createFontsLedger, type FontsReport } from './report.ts'
import { candidates, type FontRequest, resolveFace } from './resolve.ts'
import { describeBytes } from './sfnt/describe.ts'
import { readFont } from './sfnt/font-file.ts'
import { createShelf, type Instancing, type Shelf } from './shelf.ts'
import { createInstancer, type Instancer } from './variation/instancer.ts'

export type { FaceRun } from './fallback.ts'
export type { FontRequest } from './resolve.ts'

export interface FontBook {
  /** `embedded`: fonts the document carries, which win over all others. */
  forDocument(options?: { readonly embedded?: readonly Uint8Array[] }): DocumentFonts
  readonly source: FontSource
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
  /** Embedded fonts that are not used. */
  readonly warnings: readonly Warning[]
}

export interface FontBookOptions {
  readonly faces?: number // parsed faces kept, 24
  readonly bytes?: number // and their weight, 96 MB
  /** How to load harfbuzz.wasm where the source does not say; without it joining scripts are set letter by letter. */
  readonly complex?: WasmLoader
}

export function createFontBook(source: FontSource, options: FontBookOptions = {}): FontBook {
  const complex = createComplexLoader(options.complex ?? source.complex)
  const variable = createInstancingLoader(source)
  const parts = { limits: options, shaping: complex, variable }
  const shared = createShelf({ ...parts, source })
  return {
    source,
    forDocument({ embedded = [] } = {}) {
      const { source: own, refused } = embeddedSource(embedded)
      const shelf =
        own === undefined ? shared : createShelf({ ...parts, source: joinSources(own, source), base: shared })
      return openDocument(shelf, { complex, variable }, refused)
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

interface InstancingLoader extends Instancing {
  load(): Promise<void>
}

/** As above, for the first document that may be set in a variable font. */
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

function embeddedSource(fonts: readonly Uint8Array[]): { source?: FontSource; refused: number } {
  const bytesOf = new Map<FontEntry, Uint8Array>()
  let refused = 0
  for (const [index, bytes] of fonts.entries()) {
    try {
      const entries = describeBytes(`document-${index}`, bytes)
      // The licence bits of a font say whether others may show it (OS/2 fsType).
      const usable = entries.filter((entry) => readFont(bytes, entry.index).style.embeddable)
      for (const entry of usable) bytesOf.set(entry, bytes)
      if (usable.length === 0) refused++
    } catch {
      refused++ // What is no font is as good as none: the family is looked up elsewhere.
    }
  }
  if (bytesOf.size === 0) return { refused }
  return { source: { entries: [...bytesOf.keys()], read: (entry) => bytesOf.get(entry) }, refused }
}

interface Loaders {
  readonly complex: ComplexLoader
  readonly variable: InstancingLoader
}

function openDocument(shelf: Shelf, { complex, variable }: Loaders, refused: number): DocumentFonts {
  const ledger = createFontsLedger()
  const faces = new Map<string, Face>()
  return {
    get complex() {
      return complex.loaded
    },
    async prepare(named) {
      const requests = named.map((request) => ({ ...request, family: readFontName(request.family).family }))
      if (requests.some(({ text }) => text !== undefined && needsComplexShaping(text))) await complex.load()
      if (shelf.hasVariable) await variable.load()
      if (shelf.source.fetch === undefined) return
      const tried = new Set<FontEntry>()
      for (const request of requests) {
        // A file that cannot be used leaves its place to the next one.
        for (const { entry } of candidates(shelf, request)) {
          if (!tried.has(entry)) await shelf.load(entry)
          tried.add(entry)
          if (shelf.open(entry) !== undefined) break
        }
      }
      for (const request of requests) {
        if (request.text !== undefined) await loadFallbacks(shelf, request, request.text)
      }
    },
    face(name, bold, italic) {
      const key = `${bold ? 'b' : ''}${italic ? 'i' : ''} ${name}`
      let face = faces.get(key)
      if (face === undefined) {
        const { family } = readFontName(name)
        face = resolveFace(shelf, { family, bold, italic })
        faces.set(key, face)
        ledger.requested({ family, bold, italic }, face)
      }
      return face
    },
    runs(text, face) {
      return faceRuns(shelf, text, face, (code) => ledger.missing(code, face))
    },
    has: (name) => shelf.byName(readFontName(name).family).length > 0,
    report: () => ledger.report(),
    warnings:
      refused === 0
        ? []
        : [
            {
              code: 'font.embedded',
              message: `Fonts that the document carries are not used, since they are damaged or their licence forbids it: ${refused}.`,
            },
          ],
  }
}

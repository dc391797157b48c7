import type { FontFile } from '../fonts/sfnt/font-file.ts'
import type { Neighbours } from './joining.ts'

/**
 * Shapes scripts whose letters join, stack or change places with HarfBuzz (WebAssembly). It calls the raw
 * exports with one long-lived buffer, because the objects of the package are freed only by garbage collection
 * and accumulate in a loop.
 */
export interface ComplexShaper {
  shape(text: string, request: ComplexRequest): ComplexGlyphs
}
/** How to shape a text of one font and one direction. */
export interface ComplexRequest {
  readonly font: FontFile
  readonly rtl: boolean
  readonly kerning: boolean
  readonly ligatures: boolean
  readonly language: string | undefined
  /** The letters beside the text, which are not shaped but join it. */
  readonly neighbours?: Neighbours | undefined
}
/** Glyphs in visual order, in font units, with y upward. Immutable, since results are cached. */
export interface ComplexGlyphs {
  readonly glyphs: readonly number[]
  readonly clusters: readonly number[]
  readonly advances: readonly number[]
  readonly offsets: readonly number[] // x, y pairs
}

/**
 * Instantiates harfbuzz.wasm with the given imports and returns its exports. Each host loads modules in its
 * own way.
 */
export type WasmLoader = (imports: WasmImports) => Promise<unknown>
export type WasmImports = Record<string, Record<string, (...args: number[]) => number | undefined>>

/** The used exports. Pointers are numbers. */
interface HarfBuzz {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  __wasm_call_ctors?(): void
  malloc(size: number): number
  free(pointer: number): void
  hb_blob_create(data: number, length: number, mode: number, user: number, destroy: number): number
  hb_blob_destroy(blob: number): void
  hb_face_create(blob: number, index: number): number
  hb_face_destroy(face: number): void
  hb_font_create(face: number): number
  hb_font_destroy(font: number): void
  hb_font_set_scale(font: number, x: number, y: number): void
  hb_buffer_create(): number
  hb_buffer_reset(buffer: number): void
  hb_buffer_add_utf16(buffer: number, text: number, length: number, start: number, count: number): void
  hb_buffer_set_direction(buffer: number, direction: number): void
  hb_buffer_set_language(buffer: number, language: number): void
  hb_buffer_guess_segment_properties(buffer: number): void
  hb_buffer_get_length(buffer: number): number
  hb_buffer_get_glyph_infos(buffer: number, length: number): number
  hb_buffer_get_glyph_positions(buffer: number, length: number): number
  hb_language_from_string(text: number, length: number): number
  hb_shape(font: number, buffer: number, features: number, count: number): void
}

/** The values of hb_direction_t. */
const leftToRight = 4
const rightToLeft = 5
/**
 * The maximum number of fonts copied into the memory of the module; the least recently used one is removed first.
 * Documents use few such fonts, and the large CJK fonts are not shaped here.
 */
const maxFonts = 6
/** The number of results cached for each font. */
const maxResults = 5_000
/**
 * The maximum length of a text in UTF-16 units; the rest is dropped. Paragraphs are shorter, and the buffer
 * stays small.
 */
const maxText = 20_000

const alone: Neighbours = { before: '', after: '' }

/** Loads HarfBuzz. Memory growth is served here, since the module expects it from its host. */
export async function loadComplexShaper(load: WasmLoader): Promise<ComplexShaper> {
  let memory: HarfBuzz['memory'] | undefined
  const returnsNothing = () => undefined
  const grow = (size: number): number => {
    if (memory === undefined) return 0
    const missing = size - memory.buffer.byteLength
    try {
      memory.grow(Math.ceil(Math.max(missing, 1_048_576) / 65_536))
      return 1
    } catch {
      return 0
    }
  }
  const exports = await load({
    env: {
      _emscripten_runtime_keepalive_clear: returnsNothing,
      _abort_js: returnsNothing,
      _setitimer_js: () => 0,
      emscripten_resize_heap: grow,
    },
    wasi_snapshot_preview1: { proc_exit: returnsNothing },
  })
  const harfBuzz = exports as HarfBuzz
  memory = harfBuzz.memory
  harfBuzz.__wasm_call_ctors?.()
  return createShaper(harfBuzz)
}

/** A font in the memory of the module, with its cached results. */
interface LoadedFont {
  readonly font: number
  readonly results: Map<string, ComplexGlyphs>
  unload(): void
}

/**
 * Creates the shaper. The text buffer, the feature list and the HarfBuzz buffer are allocated once and
 * reused.
 */
function createShaper(harfBuzz: HarfBuzz): ComplexShaper {
  const fonts = new Map<FontFile, LoadedFont>()
  const buffer = harfBuzz.hb_buffer_create()
  const textBuffer = harfBuzz.malloc(2 * maxText)
  const features = harfBuzz.malloc(16 * 4)
  const languages = new Map<string, number>()
  const languageOf = (language: string): number => {
    let cached = languages.get(language)
    if (cached === undefined) {
      const bytes = new Uint8Array(harfBuzz.memory.buffer, textBuffer, language.length)
      for (let at = 0; at < language.length; at++) bytes[at] = language.charCodeAt(at) & 127
      languages.set(language, (cached = harfBuzz.hb_language_from_string(textBuffer, language.length)))
    }
    return cached
  }
  const fontOf = (file: FontFile): LoadedFont => {
    let loaded = fonts.get(file)
    if (loaded === undefined) loaded = loadFont(harfBuzz, file)
    fonts.delete(file)
    fonts.set(file, loaded)
    for (const [oldest, old] of fonts) {
      if (fonts.size <= maxFonts) break
      fonts.delete(oldest)
      old.unload()
    }
    return loaded
  }
  return {
    shape(text, request) {
      const loaded = fontOf(request.font)
      const { before, after } = request.neighbours ?? alone
      const key = `${request.rtl ? 'r' : ''}${request.kerning ? 'k' : ''}${request.ligatures ? 'l' : ''}${request.language ?? ''} ${before} ${after} ${text}`
      const cached = loaded.results.get(key)
      if (cached !== undefined) return cached
      const withContext = before + text.slice(0, maxText - before.length - after.length) + after
      const length = withContext.length - before.length - after.length
      const units = new Uint16Array(harfBuzz.memory.buffer, textBuffer, withContext.length)
      for (let at = 0; at < withContext.length; at++) units[at] = withContext.charCodeAt(at)
      harfBuzz.hb_buffer_reset(buffer)
      harfBuzz.hb_buffer_add_utf16(buffer, textBuffer, withContext.length, before.length, length)
      harfBuzz.hb_buffer_set_direction(buffer, request.rtl ? rightToLeft : leftToRight)
      if (request.language) harfBuzz.hb_buffer_set_language(buffer, languageOf(request.language))
      harfBuzz.hb_buffer_guess_segment_properties(buffer)
      harfBuzz.hb_shape(loaded.font, buffer, features, writeFeatures(harfBuzz, features, request))
      const result = readGlyphs(harfBuzz, buffer, before.length)
      if (loaded.results.size >= maxResults) loaded.results.clear()
      loaded.results.set(key, result)
      return result
    },
  }
}

/** Copies a font into the memory of the module. Font units are used as the scale. */
function loadFont(harfBuzz: HarfBuzz, file: FontFile): LoadedFont {
  const { bytes, index } = file.program()
  const data = harfBuzz.malloc(bytes.length)
  new Uint8Array(harfBuzz.memory.buffer).set(bytes, data)
  const blob = harfBuzz.hb_blob_create(data, bytes.length, 0, 0, 0)
  const face = harfBuzz.hb_face_create(blob, index)
  const font = harfBuzz.hb_font_create(face)
  harfBuzz.hb_font_set_scale(font, file.metrics.unitsPerEm, file.metrics.unitsPerEm)
  return {
    font,
    results: new Map(),
    unload() {
      harfBuzz.hb_font_destroy(font)
      harfBuzz.hb_face_destroy(face)
      harfBuzz.hb_blob_destroy(blob)
      harfBuzz.free(data)
    },
  }
}

/**
 * Writes the features that differ from the defaults and returns their number. hb_feature_t is tag, value,
 * start, end.
 */
function writeFeatures(harfBuzz: HarfBuzz, at: number, request: ComplexRequest): number {
  const off: number[] = []
  if (!request.kerning) off.push(0x6b65726e)
  if (!request.ligatures) off.push(0x6c696761, 0x636c6967)
  const words = new Uint32Array(harfBuzz.memory.buffer, at, 4 * off.length)
  for (const [index, tag] of off.entries()) words.set([tag, 0, 0, 0xffffffff], 4 * index)
  return off.length
}

/**
 * Reads the result. hb_glyph_info_t and hb_glyph_position_t have five words each. Clusters count from the letters
 * before the text, of which there are `before`.
 */
function readGlyphs(harfBuzz: HarfBuzz, buffer: number, before: number): ComplexGlyphs {
  const count = harfBuzz.hb_buffer_get_length(buffer)
  const infos = harfBuzz.hb_buffer_get_glyph_infos(buffer, 0)
  const positions = harfBuzz.hb_buffer_get_glyph_positions(buffer, 0)
  const info = new Uint32Array(harfBuzz.memory.buffer, infos, 5 * count)
  const position = new Int32Array(harfBuzz.memory.buffer, positions, 5 * count)
  const [glyphs, clusters, advances, offsets] = [[], [], [], []] as [number[], number[], number[], number[]]
  for (let index = 0; index < count; index++) {
    glyphs.push(info[5 * index] ?? 0)
    clusters.push((info[5 * index + 2] ?? before) - before)
    advances.push(position[5 * index] ?? 0)
    offsets.push(position[5 * index + 2] ?? 0, position[5 * index + 3] ?? 0)
  }
  return { glyphs, clusters, advances, offsets }
}

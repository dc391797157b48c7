import { normalForm } from '../../../../shared/normal-form.ts'
import { sans, serif } from './aliases.ts'
import { covers, hasLastResort, isCombining, isIgnorable } from './characters.ts'
import type { Face } from './face.ts'
import type { FaceCache } from './face-cache.ts'
import { emojiFamilies, fallbackFamilies, type HanRegion, type TextKind } from './fallback-families.ts'
import type { FontEntry } from './font-source.ts'
import { byStyle, type FontRequest, resolveFace } from './resolve.ts'
import type { FontFile } from './sfnt/font-file.ts'
import { symbolsToUnicode } from './symbols.ts'
import { claims } from './unicode-ranges.ts'

export interface FaceRun {
  readonly start: number
  readonly end: number
  readonly face: Face
}

export interface TextLocale {
  readonly region: HanRegion
  readonly eastAsian: boolean
}

/** The text around a missing character, which decides the face that supplies it. */
export interface FallbackContext {
  /**
   * Where the text is read, since regions draw some Chinese characters differently, and whether the text is declared
   * to be in a language of that region.
   */
  locale(): TextLocale
  /** The design of the faces that supply characters; by default that of the text. */
  readonly design?: TextKind | undefined
  /** Called with each character that no font has. */
  missing(code: number): void
}

/** Splits a text where another face must be used. The result is in order and covers all of it. */
export function faceRuns(cache: FaceCache, text: string, face: Face, context: FallbackContext): FaceRun[] {
  if (face.symbols === undefined && coversAll(face.file, text)) return [{ start: 0, end: text.length, face }]
  const runs: FaceRun[] = []
  let start = 0
  let current = face
  for (let at = 0; at < text.length; ) {
    const next = clusterEnd(text, at)
    const cluster = text.slice(at, next)
    const chosen = chooseFace(cache, cluster, { face, current }, context)
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
    if (!font.characters.has(code) && !covers(font, code)) return false
  }
  return true
}

/** A character with its marks and joiners, which use one face. */
function clusterEnd(text: string, at: number): number {
  let end = at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)
  while (end < text.length) {
    const code = text.codePointAt(end) ?? 0
    const joined = text.charCodeAt(end - 1) === 0x200d
    if (!joined && !isIgnorable(code) && !isCombining(code) && !isTone(code)) break
    end += code > 0xffff ? 2 : 1
  }
  return end
}

const isTone = (code: number): boolean => code >= 0x1f3fb && code <= 0x1f3ff

/** Whether the face has all characters of a cluster, or the one that they compose to. */
function coversCluster(font: FontFile, cluster: string): boolean {
  return coversText(font, cluster) || (cluster.length > 1 && coversText(font, normalForm(cluster, 'NFC')))
}
function coversText(font: FontFile, text: string): boolean {
  for (const character of text) if (!covers(font, character.codePointAt(0) ?? 0)) return false
  return true
}

/**
 * Characters that are declared to be emoji, or have a modifier that only emoji fonts show. Source: UTS #51,
 * 1.4.2 to 1.4.7.
 */
const requestsEmoji = /\ufe0f|[\u{1f3fb}-\u{1f3ff}]/u
const mayHaveEmoji = /[\ufe0f\p{Emoji_Presentation}]/u
/** Characters that are pictures unless the variation selector for text follows (UTS #51, 1.4.4). */
const isEmojiByDefault = /^\p{Emoji_Presentation}(?!\ufe0e)/u

function pictureFont(cache: FaceCache, cluster: string): FontFile | undefined {
  for (const entry of pictureEntries(cache)) {
    const file = cache.open(entry)
    if (file !== undefined && coversCluster(file, cluster)) return file
  }
  return undefined
}

function pictureEntries(cache: FaceCache): FontEntry[] {
  const byFamily = emojiFamilies.flatMap((family) => cache.byName(family))
  return byFamily.length > 0 ? byFamily : cache.source.entries.filter(ofPictures)
}

const asPicture = { bold: false, italic: false, symbols: undefined, scaleX: 1 }

function chooseFace(
  cache: FaceCache,
  text: string,
  { face, current }: { readonly face: Face; readonly current: Face },
  { locale, missing, design }: FallbackContext,
): Face {
  const cluster = face.symbols === undefined ? text : symbolsToUnicode(face.symbols, text)
  const picture = requestsEmoji.test(cluster) ? pictureFont(cache, cluster) : undefined
  if (picture !== undefined) return cache.intern(picture, asPicture)
  if (coversCluster(face.file, cluster)) return face
  const emoji = isEmojiByDefault.test(cluster) ? pictureFont(cache, cluster) : undefined
  if (emoji !== undefined) return cache.intern(emoji, asPicture)
  if (current !== face && coversCluster(current.file, cluster)) return current
  const style = { family: face.family, bold: face.bold, italic: face.italic, symbols: face.symbols }
  for (const family of face.file.style.serif ? [serif, sans] : [sans, serif]) {
    const entry = byStyle(cache.byName(family), style)[0]
    const file = entry === undefined ? undefined : cache.open(entry)
    if (file !== undefined && coversCluster(file, cluster)) return cache.intern(file, { ...style, scaleX: 1 })
  }
  const code = cluster.codePointAt(0) ?? 0
  const faceRequest: FallbackRequest = { ...style, ...locale(), kind: design ?? kindOf(face) }
  const file = covers(face.file, code) ? undefined : findFallback(cache, code, faceRequest)
  if (file !== undefined) return cache.intern(file, { ...style, scaleX: 1 })
  for (const character of cluster) {
    const lacking = character.codePointAt(0) ?? 0
    if (!covers(face.file, lacking) && !hasLastResort(face.file, lacking)) missing(lacking)
  }
  return face
}

/** The face that is looked for to supply a character. */
interface FallbackRequest extends FontRequest, TextLocale {
  readonly kind: TextKind
}

const kindOf = ({ file }: Face): TextKind =>
  /\bmono\b/i.test(file.names.family) ? 'mono' : file.style.serif ? 'serif' : 'sans'

/** The lists of families by kind, region and language; there are thirty of them. */
const families = new Map<string, readonly string[]>()

function familiesInOrder({ kind, region, eastAsian }: FallbackRequest): readonly string[] {
  const key = `${kind} ${region} ${eastAsian}`
  let list = families.get(key)
  if (list === undefined) families.set(key, (list = fallbackFamilies(kind, region, eastAsian)))
  return list
}

/** Entries of the families that lend characters by cache and `fallbackKey` of no character. */
const preferences = new WeakMap<FaceCache, Map<string, readonly FontEntry[]>>()

function preferredEntries(cache: FaceCache, request: FallbackRequest): readonly FontEntry[] {
  let byKey = preferences.get(cache)
  if (byKey === undefined) preferences.set(cache, (byKey = new Map()))
  const key = fallbackKey(0, request)
  let entries = byKey.get(key)
  if (entries === undefined) {
    entries = familiesInOrder(request).flatMap((family) => byStyle(cache.byName(family), request))
    byKey.set(key, entries)
  }
  return entries
}

/** Entries that may have the character, the most likely first. Mostly the first ones are used. */
function* fallbackEntries(
  cache: FaceCache,
  code: number,
  request: FallbackRequest,
): Generator<FontEntry, void> {
  const mayHave = (entry: FontEntry): boolean =>
    entry.record === undefined ? claims(entry, code) !== false : cache.coverage.has(entry, code) === true
  yield* preferredEntries(cache, request).filter(mayHave)
  yield* otherEntries(cache, code, request).filter(mayHave)
}

function otherEntries(cache: FaceCache, code: number, request: FallbackRequest): FontEntry[] {
  const { entries } = cache.source
  const claiming = byStyle(
    entries.filter((entry) => claims(entry, code) === true),
    request,
  )
  const silent = byStyle(
    entries.filter((entry) => claims(entry, code) === undefined),
    request,
  )
  // Emoji fonts are used when no other font has the character. Such fonts do not declare their coverage.
  const letters = [...claiming, ...silent].filter((entry) => !ofPictures(entry))
  return [...letters, ...entries.filter(ofPictures)]
}

const ofPictures = ({ family }: FontEntry): boolean => /\bemoji\b/i.test(family)

function findFallback(cache: FaceCache, code: number, request: FallbackRequest): FontFile | undefined {
  const key = fallbackKey(code, request)
  const cached = cache.fallbacks.get(key)
  if (cached === null) return undefined
  const file = cached === undefined ? undefined : cache.open(cached)
  if (file !== undefined) return file
  for (const entry of fallbackEntries(cache, code, request)) {
    const has = cache.coverage.has(entry, code)
    // The parsed face has the coverage of bytes that arrived late and were never read here.
    if (has === false || (has === undefined && cache.source.fetch === undefined)) continue
    const file = cache.open(entry)
    if (file === undefined || file.characters.symbol || !covers(file, code)) continue
    cache.fallbacks.set(key, entry)
    return file
  }
  if (cache.fallbacks.size > 20_000) cache.fallbacks.clear()
  // A font that answers later may have it.
  if (cache.source.fetch === undefined) cache.fallbacks.set(key, null)
  return undefined
}

function fallbackKey(code: number, { bold, italic, kind, region, eastAsian }: FallbackRequest): string {
  return `${kind}${region}${eastAsian ? 'e' : ''}${bold ? 'b' : ''}${italic ? 'i' : ''}${code.toString(36)}`
}

/** Maximum number of files fetched in search of one character. */
const maxTries = 8

/**
 * Fetches faces for the characters of a text that the requested face lacks. Only for sources that answer later: what
 * others have is looked up when the text is divided.
 */
export async function loadFallbacks(
  cache: FaceCache,
  request: FontRequest & { readonly text: string },
  locale: TextLocale,
  design?: TextKind,
): Promise<void> {
  const face = resolveFace(cache, request)
  const { text } = request
  const codes = new Set<number>()
  for (const character of face.symbols === undefined ? text : symbolsToUnicode(face.symbols, text)) {
    const code = character.codePointAt(0) ?? 0
    if (!covers(face.file, code)) codes.add(code)
  }
  if (codes.size === 0) return
  await cache.source.survey?.()
  if (mayHaveEmoji.test(text)) for (const entry of pictureEntries(cache).slice(0, 1)) await cache.load(entry)
  const faceRequest: FallbackRequest = { ...request, ...locale, kind: design ?? kindOf(face) }
  for (const code of codes) {
    if (findFallback(cache, code, faceRequest) !== undefined) continue
    let tries = 0
    for (const entry of fallbackEntries(cache, code, faceRequest)) {
      if (++tries > maxTries) break
      await cache.load(entry)
      const file = cache.open(entry)
      if (file === undefined || !covers(file, code)) continue
      cache.fallbacks.set(fallbackKey(code, faceRequest), entry)
      break
    }
  }
}

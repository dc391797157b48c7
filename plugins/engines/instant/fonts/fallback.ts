import { sans, serif } from './aliases.ts'
import { covers, hasLastResort, isCombining, isIgnorable } from './characters.ts'
import type { Face } from './face.ts'
import type { FontEntry } from './font-source.ts'
import { byStyle, type FontRequest, resolveFace } from './resolve.ts'
import type { FontFile } from './sfnt/font-file.ts'
import type { Shelf } from './shelf.ts'
import { symbolsToUnicode } from './symbols.ts'
import { claims } from './unicode-ranges.ts'

export interface FaceRun {
  readonly start: number
  readonly end: number
  readonly face: Face
}

/** The text cut where another face must be used. In order, covering all of it; `missing` is told what no font has. */
export function faceRuns(shelf: Shelf, text: string, face: Face, missing: (code: number) => void): FaceRun[] {
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
    if (!joined && !isIgnorable(code) && !isCombining(code) && !isTone(code)) break
    end += code > 0xffff ? 2 : 1
  }
  return end
}

const isTone = (code: number): boolean => code >= 0x1f3fb && code <= 0x1f3ff

/** All characters of a cluster, or the one they compose to. */
function coversCluster(font: FontFile, cluster: string): boolean {
  return coversText(font, cluster) || (cluster.length > 1 && coversText(font, cluster.normalize('NFC')))
}
function coversText(font: FontFile, text: string): boolean {
  for (const character of text) if (!covers(font, character.codePointAt(0)!)) return false
  return true
}

/** Said to be a picture, or changed in a way that only pictures show. Source: UTS #51, 1.4.2 to 1.4.7. */
const asksForPicture = /\ufe0f|[\u{1f3fb}-\u{1f3ff}]/u

function pictureFont(shelf: Shelf, cluster: string): FontFile | undefined {
  for (const entry of shelf.source.entries) {
    if (!ofPictures(entry)) continue
    const file = shelf.open(entry)
    if (file !== undefined && coversCluster(file, cluster)) return file
  }
  return undefined
}

function chooseFace(
  shelf: Shelf,
  text: string,
  face: Face,
  current: Face,
  missing: (code: number) => void,
): Face {
  const cluster = face.symbols === undefined ? text : symbolsToUnicode(face.symbols, text)
  const picture = asksForPicture.test(cluster) ? pictureFont(shelf, cluster) : undefined
  if (picture !== undefined)
    return shelf.intern(picture, { bold: false, italic: false, symbols: undefined, scaleX: 1 })
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

/** Entries that may have the character, the likeliest first. */
function fallbackEntries(shelf: Shelf, code: number, request: FontRequest): FontEntry[] {
  const { entries } = shelf.source
  const claiming = byStyle(
    entries.filter((entry) => claims(entry, code) === true),
    request,
  )
  const silent = byStyle(
    entries.filter((entry) => claims(entry, code) === undefined),
    request,
  )
  // Pictures come when no font of letters has the character; such fonts do not say which ones they have.
  const letters = [...claiming, ...silent].filter((entry) => !ofPictures(entry))
  return [...letters, ...entries.filter(ofPictures)]
}

const ofPictures = ({ family }: FontEntry): boolean => /\bemoji\b/i.test(family)

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

/** Fetches faces for the characters of a text that the face of the request lacks. */
export async function loadFallbacks(shelf: Shelf, request: FontRequest, text: string): Promise<void> {
  const face = resolveFace(shelf, request)
  const codes = new Set<number>()
  for (const character of text) {
    const code = character.codePointAt(0)!
    if (!covers(face.file, code)) codes.add(code)
  }
  if (codes.size === 0) return
  await shelf.source.survey?.()
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

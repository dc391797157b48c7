/**
 * The fonts that a Worker is given: the faces for fallback and substitution, each as a separate file that an isolate
 * can load. The largest fonts, those with Chinese characters, are divided into slices, so that a document fetches
 * only a few of them.
 */

import { createHash } from 'node:crypto'
import { fontAliases } from '../../plugins/engines/instant/fonts/aliases.ts'
import { type BucketFile, maxBucketFont } from '../../plugins/engines/instant/fonts/bucket-index.ts'
import { fallbackFamilies, type HanRegion } from '../../plugins/engines/instant/fonts/fallback-families.ts'
import type { FontEntry, FontSource } from '../../plugins/engines/instant/fonts/font-source.ts'
import { recordFace } from '../../plugins/engines/instant/fonts/record-face.ts'
import { byStyle } from '../../plugins/engines/instant/fonts/resolve.ts'
import { coverageOf } from '../../plugins/engines/instant/fonts/sfnt/face-record.ts'
import type { Instancer } from '../../plugins/engines/instant/fonts/variation/instancer.ts'
import { binaryText } from '../../shared/bytes.ts'
import { pushAll } from '../../shared/push-all.ts'

const regions: readonly HanRegion[] = ['SC', 'TC', 'HK', 'JP', 'KR']

/**
 * The fallback families, and the first substitute for each family in the table of substitutes, as far as they are
 * among `fonts`; without the families that are bundled with the Worker.
 */
export function bucketFamilies(fonts: FontSource, shipped: FontSource): string[] {
  const carried = new Set(shipped.entries.flatMap(({ names }) => names))
  const familyNames = new Set(fonts.entries.flatMap(({ names }) => names))
  const lending = regions.flatMap((region) =>
    (['sans', 'serif'] as const).flatMap((kind) => fallbackFamilies(kind, region, false)),
  )
  const substitutes = fontAliases.flatMap(
    ({ to }) => to.find((family) => familyNames.has(family.toLowerCase())) ?? [],
  )
  return [...new Set([...substitutes, ...lending])].filter(
    (family) =>
      !carried.has(family.toLowerCase()) &&
      familyNames.has(family.toLowerCase()) &&
      !/ Mono CJK /.test(family),
  )
}

export interface PackedFile extends BucketFile {
  readonly bytes: Uint8Array
}

/** Extracts a face from a collection, each in an instance of its own, because large fonts fill the memory. */
export type Extract = (...request: Parameters<Instancer['extract']>) => Promise<Uint8Array | undefined>

/**
 * The files for the faces of some families: regular, bold, italic and bold italic of each. `skipped` is called for faces
 * that are too large or cannot be read.
 */
export async function* packFaces(
  fonts: FontSource,
  families: Iterable<string>,
  extract: Extract,
  skipped: (family: string) => void,
): AsyncGenerator<PackedFile, void> {
  const done = new Set<FontEntry>()
  for (const family of families) {
    const named = fonts.entries.filter(({ names, place }) => names.includes(family.toLowerCase()) && !place)
    const faces = new Set(
      [false, true].flatMap((bold) =>
        [false, true].flatMap((italic) => byStyle(named, { family, bold, italic }).slice(0, 1)),
      ),
    )
    for (const face of faces) {
      if (done.has(face)) continue
      done.add(face)
      const packed = await packFace(fonts, { face, family }, extract)
      if (packed.length === 0) skipped(face.family)
      yield* packed
    }
  }
}

/** A face, and the name of its family, which is used in file names. */
interface Named {
  readonly face: FontEntry
  readonly family: string
}

async function packFace(fonts: FontSource, named: Named, extract: Extract): Promise<PackedFile[]> {
  const { face } = named
  const bytes = fonts.read(face)
  if (bytes === undefined || face.record === undefined) return []
  const isCollection = binaryText(bytes.subarray(0, 4)) === 'ttcf'
  if (!isCollection) return bytes.byteLength > maxBucketFont ? [] : [fileOf(named, bytes, '')]
  const files: PackedFile[] = []
  for (const characters of slicesOf(face, coverageOf(face.record))) {
    const cut = await extract(bytes, face.index, characters)
    if (cut === undefined) return []
    files.push(fileOf(named, cut, files.length === 0 ? '' : `.${files.length + 1}`))
  }
  return files
}

function fileOf({ face, family }: Named, bytes: Uint8Array, part: string): PackedFile {
  const isCff = binaryText(bytes.subarray(0, 4)) === 'OTTO'
  const style = `${face.weight >= 600 ? 'Bold' : ''}${face.italic ? 'Italic' : ''}` || 'Regular'
  const key = `fonts/${family.replaceAll('/', ' ')}-${style}${part}.${isCff ? 'otf' : 'ttf'}`
  const readAt = (offset: number, length: number) => bytes.subarray(offset, offset + length)
  // Files of a bucket are read completely, so offsets in them are not needed.
  const entry: FontEntry = {
    ...face,
    key,
    index: 0,
    record: { ...recordFace(readAt, bytes.byteLength, 0), tables: {} },
  }
  return { key, digest: createHash('sha256').update(bytes).digest('hex'), entries: [entry], bytes }
}

/** The subsetter has 68 MB for the font and its result: with the largest fonts, more characters do not fit. */
const maxSlice = 4_500

/**
 * The characters of a face for Chinese, Japanese or Korean in slices, the most frequently used first. Characters
 * outside of the character sets of its region are included in only one face, which is the last fallback for them.
 */
function slicesOf(face: FontEntry, ranges: Uint32Array): number[][] {
  const has = new Set<number>()
  for (let at = 0; at < ranges.length; at += 2)
    for (let code = ranges[at] ?? 0; code <= (ranges[at + 1] ?? 0); code++) has.add(code)
  const region = regions.find((candidate) => face.family.endsWith(` CJK ${candidate}`))
  const used = new Set([...has].filter(isEveryday))
  for (const code of region === undefined ? has : charactersOf(region)) if (has.has(code)) used.add(code)
  for (const code of has) if (!isHan(code) && !isHangul(code)) used.add(code)
  if (region === 'KR') for (const code of has) if (isHangul(code)) used.add(code)
  const slices = slicesBySize([...used])
  const isLastResort = region === 'SC' && face.weight === 400 && face.family.startsWith('Noto Sans ')
  if (isLastResort) pushAll(slices, slicesBySize([...has].filter((code) => isHan(code) && !used.has(code))))
  return slices
}

function slicesBySize(codes: readonly number[]): number[][] {
  return Array.from({ length: Math.ceil(codes.length / maxSlice) }, (_, index) =>
    codes.slice(index * maxSlice, (index + 1) * maxSlice),
  )
}

const isHan = (code: number): boolean =>
  (code >= 0x3400 && code <= 0x9fff) || (code >= 0xf900 && code <= 0xfaff) || code >= 0x20000
/** Latin letters, punctuation, kana and full-width forms. */
const isEveryday = (code: number): boolean =>
  code < 0x180 ||
  (code >= 0x2010 && code <= 0x203b) ||
  (code >= 0x3000 && code <= 0x30ff) ||
  (code >= 0xff00 && code <= 0xffef)
const isHangul = (code: number): boolean => code >= 0xac00 && code <= 0xd7a3

/**
 * The character sets of each region: label of the WHATWG Encoding Standard, first bytes, second bytes. Each has its
 * most used characters first.
 */
const characterSets: Readonly<Record<HanRegion, readonly [string, number, number, number, number]>> = {
  SC: ['gbk', 0xb0, 0xf7, 0xa1, 0xfe], // GB 2312
  TC: ['big5', 0xa4, 0xf9, 0x40, 0xfe],
  HK: ['big5', 0x87, 0xfe, 0x40, 0xfe], // with the supplement of Hong Kong
  JP: ['shift_jis', 0x88, 0xfc, 0x40, 0xfc], // JIS X 0208 with the extensions of IBM and NEC
  KR: ['euc-kr', 0xb0, 0xfd, 0xa1, 0xfe], // KS X 1001
}

/** The Chinese characters and Hangul of a region in the order of its character set. */
function charactersOf(region: HanRegion): number[] {
  const [label, firstLead, lastLead, firstTrail, lastTrail] = characterSets[region]
  const decoder = new TextDecoder(label)
  const codePoints: number[] = []
  for (let lead = firstLead; lead <= lastLead; lead++) {
    for (let trail = firstTrail; trail <= lastTrail; trail++) {
      const text = decoder.decode(Uint8Array.of(lead, trail))
      const code = text.codePointAt(0) ?? 0
      if ((isHan(code) || isHangul(code)) && text.length === (code > 0xffff ? 2 : 1)) codePoints.push(code)
    }
  }
  return codePoints
}

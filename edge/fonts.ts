import {
  bucketIndexKey,
  maxBucketFont,
  readBucketIndex,
} from '../plugins/engines/instant/fonts/bucket-index.ts'
import { bundledFonts } from '../plugins/engines/instant/fonts/bundled.ts'
import { type FontEntry, type FontSource, joinSources } from '../plugins/engines/instant/fonts/font-source.ts'
import { describeFont } from '../plugins/engines/instant/fonts/sfnt/describe.ts'
import { unpackFont } from '../plugins/engines/instant/fonts/sfnt/woff.ts'
import type { Codec } from '../shared/plugin/values.ts'
import { loadHarfBuzz, loadSubsetter } from './harfbuzz.ts'

/** The maximum number of font files, which is also what R2 lists in one call. Further files are ignored. */
const maxFonts = 1000
/** The index of all fonts that the set-up installs has 0.8 MB. */
const maxIndexBytes = 8_000_000
/** The interval at which the bucket is listed, in ms. */
const listIntervalMs = 60_000

export interface EdgeFonts {
  readonly bucket: R2Bucket
  readonly asset: (name: string) => Promise<Uint8Array | undefined>
  readonly codec: Codec
}

/**
 * The fonts of the bucket under `fonts/`, followed by the bundled ones. What the index of the bucket lists is described
 * there. The name of any other file determines the family and style of its face, as in
 * `fonts/Open Sans-BoldItalic.ttf` or `fonts/Inter.otf`. Its bytes are fetched when a document uses that font.
 *
 * The returned function is called for each document. At most once a minute it renews the list in the
 * background, passing the work to `runLater`, so that fonts can be added and removed without a deployment. It
 * returns the same object as long as the list has not changed.
 */
export async function openFontsNow(
  { bucket, asset, codec }: EdgeFonts,
  { now = Date.now, runLater }: { now?: () => number; runLater?: (work: Promise<void>) => void } = {},
): Promise<() => FontSource> {
  const shipped: FontSource = {
    ...bundledFonts({ fetch: (file) => asset(`fonts/${file}`) }, codec),
    complex: loadHarfBuzz,
    subsetter: loadSubsetter,
  }
  let state: string | undefined // the keys and entity tags of the current list
  let fonts = shipped // the current result
  let listed = now() // when the bucket was listed last, in ms since the epoch
  const renew = async (): Promise<void> => {
    const { objects } = await bucket.list({ prefix: 'fonts/', limit: maxFonts })
    const present = objects.map(({ key, etag }) => `${key} ${etag}`).join('\n')
    if (present === state) return
    state = present
    const hasIndex = objects.some(({ key }) => key === bucketIndexKey)
    const indexed = hasIndex ? await indexedFonts(bucket) : new Map<string, readonly Surveyed[]>()
    // Those of the operator, which are named by hand, come first.
    const named = objects.filter(({ key }) => !indexed.has(key)).flatMap(toEntries)
    const listed = new Set(objects.filter(({ size }) => size <= maxBucketFont).map(({ key }) => key))
    const entries = [...named, ...[...indexed].flatMap(([key, faces]) => (listed.has(key) ? faces : []))]
    fonts = entries.length === 0 ? shipped : joinSources(bucketFonts(bucket, entries, codec), shipped)
  }
  await renew().catch(() => {})
  return () => {
    if (now() - listed >= listIntervalMs) {
      listed = now()
      const work = renew().catch(() => {}) // on failure, keep using the previous list
      runLater?.(work)
    }
    return fonts
  }
}

/** The faces by their file, in the order of the index. */
async function indexedFonts(bucket: R2Bucket): Promise<ReadonlyMap<string, readonly Surveyed[]>> {
  const file = await bucket.get(bucketIndexKey)
  if (file === null || file.size > maxIndexBytes) return new Map()
  return new Map(readBucketIndex(await file.text()).map(({ key, entries }) => [key, entries]))
}

/** A font whose script coverage `survey` fills in, since the file name does not contain it. */
type Surveyed = { -readonly [Key in keyof FontEntry]: FontEntry[Key] }

function bucketFonts(bucket: R2Bucket, entries: readonly Surveyed[], codec: Codec): FontSource {
  let surveyed: Promise<void> | undefined
  return {
    entries,
    read: () => undefined,
    async fetch({ key }) {
      const file = await bucket.get(key)
      if (file === null || file.size > maxBucketFont) return undefined
      return unpackOrNot(new Uint8Array(await file.arrayBuffer()), codec)
    },
    async survey() {
      surveyed ??= surveyAll(bucket, entries)
      await surveyed
    },
  }
}

function unpackOrNot(bytes: Uint8Array, codec: Codec): Uint8Array | undefined {
  try {
    return unpackFont(bytes, codec)
  } catch {
    return undefined
  }
}

/** The maximum number of fonts to survey. All are requested at once, and a document waits for them. */
const maxSurveyed = 48
/**
 * Bytes at the start of a font file that are read. They usually contain the tables that describe the font; a
 * font for which they do not is only found by its name.
 */
const headBytes = 65_536

/**
 * Reads which scripts each font covers, so that fonts can be used for characters that the requested font
 * lacks.
 */
async function surveyAll(bucket: R2Bucket, entries: readonly Surveyed[]): Promise<void> {
  const survey = async (entry: Surveyed): Promise<void> => {
    const file = await bucket.get(entry.key, { range: { offset: 0, length: headBytes } })
    if (file === null) return
    const head = new Uint8Array(await file.arrayBuffer())
    const [face] = describeFont(entry.key, (offset, length) => head.subarray(offset, offset + length))
    if (face !== undefined) entry.unicodeRanges = face.unicodeRanges
  }
  const unknown = entries.filter(({ record }) => record === undefined)
  await Promise.all(unknown.slice(0, maxSurveyed).map((entry) => survey(entry).catch(() => {})))
}

function toEntries({ key, size }: R2Object): Surveyed[] {
  return size > maxBucketFont ? [] : fontsByName(key)
}

/**
 * Describes the faces of a font file by its name: one face, or a regular and a bold one for a variable font
 * (`Inter[wght].ttf`, `Inter-Italic-VariableFont_opsz,wght.ttf`). Returns none for other files.
 */
export function fontsByName(key: string): FontEntry[] {
  const match = /^fonts\/([^/]+?)\.(?:ttf|otf|woff)$/i.exec(key)
  if (match === null) return []
  const variable = /^(.+?)(?:\[[\w,]+\]|-VariableFont_[\w,]+)$/i.exec(match[1]!)
  const entry = faceByName(key, variable?.[1] ?? match[1]!)
  if (variable === null) return [entry]
  return [400, 700].map((weight) => ({ ...entry, weight, place: [{ axis: 'wght', value: weight }] }))
}

function faceByName(key: string, name: string): FontEntry {
  const [, first, last] = /^(.+?)(?:-([A-Za-z ]+))?$/.exec(name)!
  const style = (last ?? 'Regular').replaceAll(' ', '').toLowerCase()
  const bold = /bold|black|heavy/.test(style)
  const italic = /italic|oblique/.test(style)
  const isStyleName = /^(?:regular|roman|book|(?:semi|demi|extra)?bold|black|heavy|italic|oblique)+$/.test(
    style,
  )
  const family = isStyleName ? first! : `${first}-${last}`
  const spaced = family.replace(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll('_', ' ')
  return {
    key,
    index: 0,
    family: spaced,
    names: [...new Set([spaced.toLowerCase(), family.toLowerCase()])],
    weight: bold ? 700 : 400,
    width: 5,
    italic,
    unicodeRanges: [0, 0, 0, 0], // unknown until `survey` reads the file
    version: 0,
  }
}

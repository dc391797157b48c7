import { bundledFonts } from '../plugins/engines/instant/fonts/bundled.ts'
import { type FontEntry, type FontSource, joinSources } from '../plugins/engines/instant/fonts/font-source.ts'
import { describeFont } from '../plugins/engines/instant/fonts/sfnt/describe.ts'
import { unpackFont } from '../plugins/engines/instant/fonts/sfnt/woff.ts'
import type { Codec } from '../shared/plugin/contract.ts'
import { loadHarfBuzz, loadSubsetter } from './harfbuzz.ts'

/** Names are looked for once; a bucket of thousands of fonts is a mistake. */
const mostFonts = 1000
/** What a Worker can hold beside a document. */
const mostBytes = 16_000_000
/** How often the bucket is asked for its list, ms. */
const listEvery = 60_000

export interface EdgeFonts {
  readonly bucket: R2Bucket
  readonly asset: (name: string) => Promise<Uint8Array | undefined>
  readonly codec: Codec
}

/**
 * The fonts of the bucket under `fonts/`, then those that ship. A face is known by the name of its file, family and style:
 * `fonts/Open Sans-BoldItalic.ttf`, `fonts/Inter.otf`; its bytes are fetched when a document asks for it by that name. Asked
 * again for each document: the list is renewed behind its back once a minute, so that fonts come and go without a
 * deployment. What has not changed is the same object.
 */
export async function openFontsNow(
  { bucket, asset, codec }: EdgeFonts,
  { now = Date.now, behind }: { now?: () => number; behind?: (work: Promise<void>) => void } = {},
): Promise<() => FontSource> {
  const shipped: FontSource = {
    ...bundledFonts({ fetch: (file) => asset(`fonts/${file}`) }, codec),
    complex: loadHarfBuzz,
    subsetter: loadSubsetter,
  }
  let state: string | undefined
  let fonts = shipped
  let listed = now()
  const renew = async (): Promise<void> => {
    const { objects } = await bucket.list({ prefix: 'fonts/', limit: mostFonts })
    const present = objects.map(({ key, etag }) => `${key} ${etag}`).join('\n')
    if (present === state) return
    state = present
    const entries = objects.flatMap(toEntries)
    fonts = entries.length === 0 ? shipped : joinSources(bucketFonts(bucket, entries, codec), shipped)
  }
  await renew().catch(() => {})
  return () => {
    if (now() - listed >= listEvery) {
      listed = now()
      const work = renew().catch(() => {}) // The list from before is better than none.
      behind?.(work)
    }
    return fonts
  }
}

/** What `survey` finds out of a font replaces what its name says. */
type Surveyed = { -readonly [Key in keyof FontEntry]: FontEntry[Key] }

function bucketFonts(bucket: R2Bucket, entries: readonly Surveyed[], codec: Codec): FontSource {
  let surveyed: Promise<void> | undefined
  return {
    entries,
    read: () => undefined,
    async fetch({ key }) {
      const file = await bucket.get(key)
      if (file === null || file.size > mostBytes) return undefined
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

/** Requests at once, and at most: a document waits for them. */
const mostSurveyed = 48
/** Tables that say what a font has most often lie here; a face that does not is used by its name alone. */
const headBytes = 65_536

/** Asks each font which scripts it has, so that it may stand in where a character is missing. */
async function surveyAll(bucket: R2Bucket, entries: readonly Surveyed[]): Promise<void> {
  const look = async (entry: Surveyed): Promise<void> => {
    const file = await bucket.get(entry.key, { range: { offset: 0, length: headBytes } })
    if (file === null) return
    const head = new Uint8Array(await file.arrayBuffer())
    const [face] = describeFont(entry.key, (offset, length) => head.subarray(offset, offset + length))
    if (face !== undefined) entry.unicodeRanges = face.unicodeRanges
  }
  await Promise.all(entries.slice(0, mostSurveyed).map((entry) => look(entry).catch(() => {})))
}

function toEntries({ key, size }: R2Object): Surveyed[] {
  return size > mostBytes ? [] : fontsByName(key)
}

/**
 * What the name of a font file says of it: one face, a regular and a bold one of a variable font
 * (`Inter[wght].ttf`, `Inter-Italic-VariableFont_opsz,wght.ttf`), none for other files.
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
  const known = /^(?:regular|roman|book|(?:semi|demi|extra)?bold|black|heavy|italic|oblique)+$/.test(style)
  const family = known ? first! : `${first}-${last}`
  const spaced = family.replace(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll('_', ' ')
  return {
    key,
    index: 0,
    family: spaced,
    names: [...new Set([spaced.toLowerCase(), family.toLowerCase()])],
    weight: bold ? 700 : 400,
    width: 5,
    italic,
    unicodeRanges: [0, 0, 0, 0], // not known without reading it: `survey`
    version: 0,
  }
}

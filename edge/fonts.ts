import { bundledFonts } from '../plugins/engines/instant/fonts/bundled.ts'
import { type FontEntry, type FontSource, joinSources } from '../plugins/engines/instant/fonts/font-source.ts'
import type { Codec } from '../shared/plugin/contract.ts'

/** Names are looked for once; a bucket of thousands of fonts is a mistake. */
const mostFonts = 1000
/** What a Worker can hold beside a document. */
const mostBytes = 16_000_000

export interface EdgeFonts {
  readonly bucket: R2Bucket
  readonly asset: (name: string) => Promise<Uint8Array | undefined>
  readonly codec: Codec
}

/**
 * The fonts of the bucket under `fonts/`, then those that ship. A face is known by the name of its file, family and style:
 * `fonts/Open Sans-BoldItalic.ttf`, `fonts/Inter.otf`; its bytes are fetched when a document asks for it by that name.
 */
export async function openFonts({ bucket, asset, codec }: EdgeFonts): Promise<FontSource> {
  const shipped = bundledFonts({ fetch: (file) => asset(`fonts/${file}`) }, codec)
  const entries = await listFonts(bucket).catch(() => [])
  if (entries.length === 0) return shipped
  const own: FontSource = {
    entries,
    read: () => undefined,
    async fetch({ key }) {
      const file = await bucket.get(key)
      return file === null || file.size > mostBytes ? undefined : new Uint8Array(await file.arrayBuffer())
    },
  }
  return joinSources(own, shipped)
}

async function listFonts(bucket: R2Bucket): Promise<FontEntry[]> {
  const { objects } = await bucket.list({ prefix: 'fonts/', limit: mostFonts })
  return objects.flatMap(({ key, size }) => {
    const entry = size > mostBytes ? undefined : fontByName(key)
    return entry === undefined ? [] : [entry]
  })
}

/** What the name of a font file says of it; undefined for other files. */
export function fontByName(key: string): FontEntry | undefined {
  const match = /^fonts\/([^/]+?)(?:-([A-Za-z ]+))?\.(?:ttf|otf)$/i.exec(key)
  if (match === null) return undefined
  const style = (match[2] ?? 'Regular').replaceAll(' ', '').toLowerCase()
  const bold = /bold|black|heavy/.test(style)
  const italic = /italic|oblique/.test(style)
  const known = /^(?:regular|roman|book|(?:semi|demi|extra)?bold|black|heavy|italic|oblique)+$/.test(style)
  const family = known ? match[1]! : `${match[1]}-${match[2]}`
  const spaced = family.replace(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll('_', ' ')
  return {
    key,
    index: 0,
    family: spaced,
    names: [...new Set([spaced.toLowerCase(), family.toLowerCase()])],
    weight: bold ? 700 : 400,
    width: 5,
    italic,
    // Not known without reading it: it is used by its name alone, never to stand in.
    unicodeRanges: [0, 0, 0, 0],
    version: 0,
  }
}

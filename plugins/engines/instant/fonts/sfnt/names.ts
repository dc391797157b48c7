/** The strings of the `name` table that text layout needs. */
export interface SfntNames {
  readonly family: string
  readonly subfamily: string
  readonly postScript: string
  /** As the font calls it: 'Version 1.1'. */
  readonly version: string
  /** Every family name in every language, in lower case: the names that a document may use for the font. */
  readonly aliases: readonly string[]
}

const maxRecords = 2048

/** Reads valid records and skips others. Source: OpenType 1.9 `name`, naming table version 0 and 1. */
export function readNames(table: DataView): SfntNames {
  const best = new Map<number, { rank: number; text: string }>()
  const aliases = new Set<string>()
  eachName(table, (id, rank, text) => {
    if (id === 1 || id === 16 || id === 4) aliases.add(text.toLowerCase())
    if (rank > (best.get(id)?.rank ?? 0)) best.set(id, { rank, text })
  })
  const text = (id: number) => best.get(id)?.text
  return {
    family: text(16) ?? text(1) ?? '',
    subfamily: text(17) ?? text(2) ?? '',
    postScript: (text(6) ?? text(4) ?? '').replace(/[^!-~]|[[\](){}<>/%]/g, ''),
    version: (text(5) ?? '').slice(0, 100),
    aliases: [...aliases],
  }
}

const faceNames = new Set([1, 2, 4, 5, 6, 16, 17])

function eachName(table: DataView, visit: (id: number, rank: number, text: string) => void): void {
  const count = Math.min(table.getUint16(2), maxRecords)
  const storage = table.getUint16(4)
  for (let index = 0; index < count; index++) {
    const at = 6 + 12 * index
    if (at + 12 > table.byteLength) break
    const id = table.getUint16(at + 6)
    // Of the other records, only the names of styles are read; legal texts are long.
    if (!faceNames.has(id) && id < 256) continue
    const platform = table.getUint16(at)
    const text = decode(table, platform, storage + table.getUint16(at + 10), table.getUint16(at + 8))
    if (text !== undefined && text !== '') visit(id, rankOf(platform, table.getUint16(at + 4)), text)
  }
}

/** A string by its number, in English when available. */
export function nameOf(table: DataView, nameId: number): string | undefined {
  let best: { readonly rank: number; readonly text: string } | undefined
  eachName(table, (id, rank, text) => {
    if (id === nameId && rank > (best?.rank ?? 0)) best = { rank, text }
  })
  return best?.text
}

function rankOf(platform: number, language: number): number {
  if (platform === 3 && language === 0x409) return 4
  if (platform === 0) return 3
  if (platform === 3) return 2
  return 1
}

function decode(table: DataView, platform: number, start: number, length: number): string | undefined {
  if (start + length > table.byteLength) return undefined
  let text = ''
  if (platform === 1) {
    for (let index = 0; index < length; index++) text += String.fromCharCode(table.getUint8(start + index))
    return /^[ -~]*$/.test(text) ? text : undefined
  }
  for (let index = 0; index + 1 < length; index += 2)
    text += String.fromCharCode(table.getUint16(start + index))
  return text.replaceAll('\0', '').trim()
}

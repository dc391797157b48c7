import { readable } from '../../model/limits.ts'
import { isName, name, PdfDict, PdfName, PdfStream } from '../../model/values.ts'
import { zlib } from '../../write/zlib.ts'
import type { ConformContext, ConformJob } from './job.ts'
import { embedStandardFont } from './standard-fonts.ts'

const files = ['FontFile', 'FontFile2', 'FontFile3'] as const
const isSymbolic = 4
/** Encodings whose characters every reader can map to Unicode. ISO 14289-1, 7.21.7. */
const predefinedEncodings = ['WinAnsiEncoding', 'MacRomanEncoding', 'MacExpertEncoding']
const maxListed = 5

/**
 * Checks the fonts of visible text, and embeds standard fonts that are not embedded. ISO 19005-2, 6.2.11; ISO 14289-1, 7.21.
 */
export async function settleFonts(
  job: ConformJob,
  fonts: readonly PdfDict[],
  context: ConformContext,
): Promise<void> {
  const { document, findings } = job
  const missing = new Set<string>()
  for (const font of fonts) {
    const kind = document.resolve(font.get('Subtype'))
    if (isName(kind, 'Type3')) continue
    const owner = ownerOf(job, font)
    const descriptor = document.dictAt(owner, 'FontDescriptor')
    const program = descriptor && files.map((key) => document.resolve(descriptor.get(key))).find(Boolean)
    if (descriptor === undefined || !(program instanceof PdfStream)) {
      const called = nameOf(job, font)
      const isEmbedded = await embedStandardFont(document, font, job.conformance.archive, context)
      if (isEmbedded) findings.replacedFont(called)
      else missing.add(called)
      continue
    }
    const called = owner.get('BaseFont')
    if (called === null) findings.obstacle('fonts without a name')
    else descriptor.set('FontName', called)
    if (owner === font) settleSimple(job, font, descriptor)
    else settleComposite(job, font, owner, { descriptor, program, context })
    if (job.conformance.accessible && !tellsCharacters(job, font))
      findings.obstacle(`fonts that do not say which characters they show (${nameOf(job, font)})`)
  }
  if (missing.size === 0) return
  const shown = [...missing].slice(0, maxListed).join(', ')
  findings.obstacle(`fonts that are not embedded (${shown}${missing.size > maxListed ? ', …' : ''})`)
}

/** The font itself, or the descendant font of a composite font. */
function ownerOf({ document }: ConformJob, font: PdfDict): PdfDict {
  const descendants = document.resolve(font.get('DescendantFonts'))
  const first = Array.isArray(descendants) ? document.resolve(descendants[0] ?? null) : null
  return isName(document.resolve(font.get('Subtype')), 'Type0') && first instanceof PdfDict ? first : font
}

/** The name of a font without its subset prefix (ISO 32000-2, 9.9.2), suitable for a message. */
function nameOf({ document }: ConformJob, font: PdfDict): string {
  const called = document.resolve(font.get('BaseFont'))
  const text = called instanceof PdfName ? called.text.replace(/^[A-Z]{6}\+/, '') : 'a font without a name'
  return text.replace(/[^\w .,+-]/g, '?').slice(0, 60)
}

function settleSimple(
  { document, conformance, findings }: ConformJob,
  font: PdfDict,
  descriptor: PdfDict,
): void {
  if (conformance.archive === 0) return
  const [first, last] = ['FirstChar', 'LastChar'].map((key) => document.resolve(font.get(key)))
  const widths = document.resolve(font.get('Widths'))
  const fits = typeof first === 'number' && typeof last === 'number' && Array.isArray(widths)
  if (!fits || widths.length !== last - first + 1)
    findings.obstacle('fonts without the widths of their characters')
  const flags = document.resolve(descriptor.get('Flags'))
  const symbolic = typeof flags === 'number' && (flags & isSymbolic) !== 0
  const encoding = document.resolve(font.get('Encoding'))
  if (isName(document.resolve(font.get('Subtype')), 'TrueType') && symbolic === (encoding !== null))
    findings.obstacle('fonts whose characters are encoded in two ways')
  const isSubset = /^[A-Z]{6}\+/.test(textOf(font))
  const isType1 = isName(document.resolve(font.get('Subtype')), 'Type1')
  if (conformance.archive > 1) descriptor.delete('CharSet')
  else if (isSubset && isType1 && descriptor.get('CharSet') === null)
    findings.obstacle('fonts without a list of their characters')
}

const textOf = (font: PdfDict): string => {
  const called = font.get('BaseFont')
  return called instanceof PdfName ? called.text : ''
}

interface Program {
  readonly descriptor: PdfDict
  readonly program: PdfStream
  readonly context: ConformContext
}

function settleComposite(
  { document, conformance, findings }: ConformJob,
  font: PdfDict,
  owner: PdfDict,
  { descriptor, program, context }: Program,
): void {
  if (conformance.archive === 0) return
  const isTrueType = isName(document.resolve(owner.get('Subtype')), 'CIDFontType2')
  if (isTrueType && document.resolve(owner.get('CIDToGIDMap')) === null)
    owner.set('CIDToGIDMap', name('Identity'))
  const encoding = document.resolve(font.get('Encoding'))
  const isEmbedded =
    encoding instanceof PdfStream || isName(encoding, 'Identity-H') || isName(encoding, 'Identity-V')
  if (!isEmbedded) findings.obstacle('fonts whose character map is not embedded')
  if (conformance.archive > 1) {
    descriptor.delete('CIDSet')
    return
  }
  if (!/^[A-Z]{6}\+/.test(textOf(owner)) || document.resolve(descriptor.get('CIDSet')) instanceof PdfStream)
    return
  const glyphs = isTrueType ? readable(() => document.inflater.content(program, document.resolve)) : undefined
  const count = glyphs === undefined ? undefined : glyphCount(glyphs)
  if (count === undefined || !isName(document.resolve(owner.get('CIDToGIDMap')), 'Identity')) {
    findings.obstacle('fonts without a list of their characters')
    return
  }
  const set = new PdfDict([['Filter', name('FlateDecode')]])
  descriptor.set('CIDSet', document.put(new PdfStream(set, zlib(context.codec, allBits(count)))))
}

/** A bit set with the first `count` bits set, most significant bit first. ISO 32000-2, table 122. */
function allBits(count: number): Uint8Array<ArrayBuffer> {
  const bits = new Uint8Array(Math.ceil(count / 8)).fill(255)
  const rest = count % 8
  if (rest > 0) bits[bits.length - 1] = (255 << (8 - rest)) & 255
  return bits
}

/** The number of glyphs of a TrueType font, from its table `maxp`. */
function glyphCount(font: Uint8Array): number | undefined {
  const view = new DataView(font.buffer, font.byteOffset, font.byteLength)
  if (font.length < 12) return undefined
  for (let at = 12, left = view.getUint16(4); left > 0 && at + 16 <= font.length; left--, at += 16) {
    if (view.getUint32(at) !== 0x6d617870) continue
    const table = view.getUint32(at + 8)
    return table + 6 <= font.length ? view.getUint16(table + 4) : undefined
  }
  return undefined
}

/** Whether a reader can map the text to characters. The glyphs of Type 1 fonts have names for that. */
function tellsCharacters({ document }: ConformJob, font: PdfDict): boolean {
  if (document.resolve(font.get('ToUnicode')) instanceof PdfStream) return true
  const kind = document.resolve(font.get('Subtype'))
  if (isName(kind, 'Type1') || isName(kind, 'MMType1')) return true
  const encoding = document.resolve(font.get('Encoding'))
  const base = encoding instanceof PdfDict ? document.resolve(encoding.get('BaseEncoding')) : encoding
  return predefinedEncodings.some((allowed) => isName(base, allowed))
}

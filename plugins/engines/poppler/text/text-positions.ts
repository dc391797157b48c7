/** Reads the output of pdftohtml: the content of pages, in points from their upper left corner. */

import { entryOf } from '../../../../shared/entry-of.ts'
import { AppError } from '../../../../shared/errors/app-error.ts'
import type { FlowInline, FlowPicture, FlowStyle } from '../../../../shared/flow/flow.ts'
import { measureImage } from '../../../../shared/images/measure.ts'
import { decodeEntities } from '../../../../shared/xml/scan.ts'
import { broken, inputName, type PdfJob, refuseFailure, runPoppler } from '../document.ts'
import { fontNamed } from './font-names.ts'
import { listPictures, withMasks } from './pictures.ts'
import type { Rotation } from './rotate-pages.ts'
import { addRotatedText, type RotatedLine } from './rotated-lines.ts'
import type { Dot, Ruling } from './rulings.ts'
import type { WordExtent } from './word-boxes.ts'

/** Consecutive words of one font size, as poppler joins them. */
export interface TextPosition {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly size: number // of the font
  readonly text: string
  readonly inlines: readonly FlowInline[]
  /** Its words from left to right, where their boxes are known. */
  readonly words?: readonly WordExtent[]
}

export interface PagePicture extends Box {
  readonly name: string
}

export interface PageText {
  readonly width: number
  readonly height: number
  readonly positions: readonly TextPosition[]
  readonly pictures: readonly PagePicture[]
  /** Lines that do not run from left to right, on a page where most of the text does. */
  readonly rotatedLines?: readonly RotatedLine[]
  /** The rotation that makes most of the text horizontal, when it is not. */
  readonly rotation?: Rotation
  /** The rulings of the page; absent when they were not requested. */
  readonly rulings?: readonly Ruling[]
  readonly dots?: readonly Dot[]
}

export interface DocumentText {
  readonly pages: readonly PageText[]
  readonly pictures: ReadonlyMap<string, FlowPicture>
  /** Whether pictures were omitted because extracting them took too long. */
  readonly withoutPictures: boolean
}

/** pdftohtml rounds to pixels. This is the maximum number of pixels per point, which loses the least. */
const zoom = 3
const maxPositions = 2_000_000
const maxPictures = 2_000
/** Including masks. A file with more contains drawings that were split into many images. */
const maxRows = 10_000
const minPictureSize = 6 // points; smaller pictures are dots or lines

interface PdfFont {
  readonly size: number
  readonly style: FlowStyle
}

/**
 * Reads text and pictures of all pages. Throws as `runPoppler` does, and 'convert.document',
 * 'convert.password'.
 */
export async function readPositions(
  job: PdfJob,
  { pictures: withPictures = true } = {},
): Promise<DocumentText> {
  const rows = withPictures ? await listPictures(job) : []
  const { result, withoutPictures } = await run(
    job,
    withPictures && (rows?.length ?? 0) <= maxRows,
    withPictures,
  )
  refuseFailure(result)
  const bytes = result.files.get('out.xml')
  if (bytes === undefined) {
    // The program also succeeds when it could not open the file.
    refuseFailure({ code: 1, stderr: result.stderr })
    throw broken('its text cannot be read')
  }
  const reader = new OutputReader(result.files)
  for (const line of new TextDecoder().decode(bytes).split('\n')) reader.addLine(line)
  if (reader.pages.length === 0) throw broken('it has no pages')
  const document: DocumentText = {
    pages: reader.pages.map(({ sideways, ...page }) => ({ ...page, ...rotationOf(sideways, page) })),
    pictures: reader.pictures,
    withoutPictures,
  }
  return rows === undefined || withoutPictures ? document : withMasks(job, document, rows)
}

interface OpenPdfPage {
  readonly width: number
  readonly height: number
  readonly positions: TextPosition[]
  readonly pictures: PagePicture[]
  readonly sideways: { readonly x: number; readonly y: number }[]
  readonly rotatedLines: RotatedLine[]
}

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The attributes of an element of the output, by name; '' for those it does not have. */
type AttributeOf = (name: string) => string

/** In points; 0 for what is missing. */
const boxOf = (attribute: AttributeOf): Box => {
  const points = (name: string) => Number(attribute(name)) / zoom
  return { x: points('left'), y: points('top'), width: points('width'), height: points('height') }
}

/** Collects pages, texts and pictures from the XML of pdftohtml, which has one element on each line. */
class OutputReader {
  readonly pages: OpenPdfPage[] = []
  readonly pictures = new Map<string, FlowPicture>()
  readonly #files: ReadonlyMap<string, Uint8Array>
  readonly #fonts = new Map<string, PdfFont>()
  #positions = 0 // of all pages, including rotated ones

  /** `files`: what the program wrote, by name, with the pictures. */
  constructor(files: ReadonlyMap<string, Uint8Array>) {
    this.#files = files
  }

  addLine(line: string): void {
    const [, name, attributes = '', content = ''] =
      /^\s*<(page|fontspec|text|image)\b([^>]*)>(?:(.*)<\/text>)?/.exec(line) ?? []
    if (name === undefined) return
    const attribute: AttributeOf = (key) => new RegExp(`\\b${key}="([^"]*)"`).exec(attributes)?.[1] ?? ''
    const page = this.pages.at(-1)
    if (name === 'page') this.#addPage(boxOf(attribute))
    else if (name === 'fontspec') this.#addFont(attribute)
    else if (page !== undefined && name === 'text') this.#addText(page, attribute, content)
    else if (page !== undefined && name === 'image') this.#addPicture(page, attribute)
  }

  #addPage({ width, height }: Box): void {
    this.pages.push({ width, height, positions: [], pictures: [], sideways: [], rotatedLines: [] })
  }

  #addFont(attribute: AttributeOf): void {
    const style = styleOf(attribute('family'), attribute('color'))
    this.#fonts.set(attribute('id'), { size: Number(attribute('size')) / zoom, style })
  }

  #addText(page: OpenPdfPage, attribute: AttributeOf, content: string): void {
    const font = this.#fonts.get(attribute('font')) ?? { size: 10, style: {} }
    const inlines = inlinesOf(content, font.style)
    const text = inlines.map((inline) => (inline.kind === 'text' ? inline.text : '')).join('')
    if (text.trim() === '') return
    if (++this.#positions > maxPositions) throw broken('it has too much text')
    const box = boxOf(attribute)
    if (box.width > 0) page.positions.push({ ...box, size: font.size, text, inlines })
    else {
      // Vertical text often comes as single characters without a width.
      if (box.width === 0) page.sideways.push(box)
      addRotatedText(page.rotatedLines, { ...box, text, size: font.size })
    }
  }

  #addPicture(page: OpenPdfPage, attribute: AttributeOf): void {
    if (this.pictures.size >= maxPictures) return
    const name = attribute('src').replace(/^.*\//, '')
    const bytes = this.#files.get(name)
    const kind = bytes === undefined ? undefined : measureImage(bytes)?.kind
    if (bytes === undefined || (kind !== 'png' && kind !== 'jpeg')) return
    const { x, y, width: signedWidth, height: signedHeight } = boxOf(attribute)
    const [width, height] = [Math.abs(signedWidth), Math.abs(signedHeight)]
    if (width < minPictureSize || height < minPictureSize) return
    this.pictures.set(name, { bytes, mime: `image/${kind}` })
    page.pictures.push({ x, y, width, height, name })
  }
}

/** Text that runs downward is horizontal after the page is rotated to the left, and the reverse. */
function rotationOf(
  sideways: OpenPdfPage['sideways'],
  { positions, rotatedLines }: Pick<OpenPdfPage, 'positions' | 'rotatedLines'>,
): { readonly rotation?: Rotation } {
  const lengthOf = (lines: readonly { readonly text: string }[]) =>
    lines.reduce((sum, { text }) => sum + text.length, 0)
  const [level, upsideDown] = [
    lengthOf(positions),
    lengthOf(rotatedLines.filter(({ kind }) => kind === 'head')),
  ]
  if (upsideDown > level + sideways.length) return { rotation: 180 }
  if (lengthOf(rotatedLines) - upsideDown <= level) return {}
  let down = 0
  for (const [at, { x, y }] of sideways.entries()) {
    const next = sideways[at + 1]
    if (next !== undefined && Math.abs(next.x - x) < 1) down += Math.sign(next.y - y)
  }
  return { rotation: down >= 0 ? 270 : 90 }
}

/** Some drawings are split into thousands of pictures, which text must not wait for. */
const pictureTimeFraction = 0.4
const maxPicturesMs = 15_000

/** `possible`: whether to try to extract the pictures. */
async function run(job: PdfJob, possible: boolean, withPictures: boolean) {
  const args = ['-xml', '-hidden', '-nodrm', '-fmt', 'png', '-zoom', String(zoom), '-enc', 'UTF-8']
  const text = () => runPoppler(job, 'pdftohtml', [...args, '-i', inputName, 'out'])
  if (!possible) return { result: await text(), withoutPictures: withPictures }
  const now = job.host.now()
  const deadline = now + Math.min((job.deadline - now) * pictureTimeFraction, maxPicturesMs)
  try {
    const result = await runPoppler({ ...job, deadline }, 'pdftohtml', [...args, inputName, 'out'])
    return { result, withoutPictures: false }
  } catch (error) {
    const tooMuch =
      error instanceof AppError && (error.code === 'convert.timeout' || error.code === 'convert.memory')
    if (!tooMuch || job.signal.aborted) throw error
    return { result: await text(), withoutPictures: true }
  }
}

/** Names of monospaced faces. Those of TeX are called CMTT, those of Nimbus MonL. */
const typewriters =
  /courier|mono|consol|menlo|typewriter|monl\b|^(?:cm|sf|lm|ec)(?:sl|it|cs|v)?tt\d|letter ?gothic|andale/i

/** 'BAAAAA+LiberationSans-BoldItalic' is Liberation Sans, bold and italic. */
function styleOf(family: string, color: string): FlowStyle {
  const name = decodeEntities(family).replace(/^[A-Z]{6}\+/, '')
  const bold = /bold|black|heavy|semibold|demi|-medi(?!um)|^(?:cm|sf|lm|ec)bx/i.test(name)
  const italic = /italic|oblique|ital$|^(?:cm|sf|lm|ec)(?:bx)?(?:ti|sl)\d/i.test(name)
  const code = typewriters.test(name)
  const font = fontNamed(name)
  const hex = color.replace('#', '').toLowerCase()
  return {
    ...(bold && { bold }),
    ...(italic && { italic }),
    ...(code && { code }),
    ...(font !== '' && { font }),
    ...(/^[0-9a-f]{6}$/.test(hex) && hex !== '000000' && { color: hex }),
  }
}

/** Poppler uses elements for bold, italic and links. */
function inlinesOf(content: string, base: FlowStyle): readonly FlowInline[] {
  const inlines: FlowInline[] = []
  let { bold, italic } = { bold: base.bold === true, italic: base.italic === true }
  let link: string | undefined
  for (const [, tag, text] of content.matchAll(/(<[^>]*>)|([^<]+)/g)) {
    if (tag === '<b>') bold = true
    else if (tag === '</b>') bold = base.bold === true
    else if (tag === '<i>') italic = true
    else if (tag === '</i>') italic = base.italic === true
    else if (tag === '</a>') link = undefined
    else if (tag !== undefined) {
      const href = decodeEntities(/^<a href="([^"]*)"/.exec(tag)?.[1] ?? '')
      // A link to a page of the same file has no target in the output.
      link = /^(https?|mailto|ftp|tel):/i.test(href) ? href : undefined
    } else if (text !== undefined) {
      const { bold: _, italic: __, ...rest } = base
      const style = { ...rest, ...(bold && { bold }), ...(italic && { italic }) }
      inlines.push({
        kind: 'text',
        text: cleaned(decodeEntities(text)),
        style,
        ...(link !== undefined && { link }),
      })
    }
  }
  return inlines
}

const ligatures: Readonly<Record<string, string>> = {
  ﬀ: 'ff',
  ﬁ: 'fi',
  ﬂ: 'fl',
  ﬃ: 'ffi',
  ﬄ: 'ffl',
  ﬅ: 'st',
  ﬆ: 'st',
}

function cleaned(text: string): string {
  // A single character of a symbol font is a bullet.
  if (/^\s*[\ue000-\uf8ff]\s*$/.test(text)) return '•'
  return text
    .replace(/[ﬀ-ﬆ]/g, (ligature) => entryOf(ligatures, ligature) ?? ligature)
    .replace(/\u00a0/g, ' ')
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f]/g, '')
}

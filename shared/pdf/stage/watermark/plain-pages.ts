/**
 * Prepares a document for a watermark that must be seen, such as that of a test token: nothing in the document may hide,
 * swallow or leave out what is drawn over its pages. Readers differ in what they make of damaged contents and boxes, so
 * both are written anew, as this service understands them.
 */
import { concatBytes } from '../../../bytes.ts'
import { entryOf } from '../../../entry-of.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { Codec } from '../../../plugin/values.ts'
import type { PdfDocument } from '../../model/document.ts'
import { BrokenPdf } from '../../model/limits.ts'
import { mediaBox, type PdfPage, pageGeometry, readPages } from '../../model/pages.ts'
import { dict, isName, name, PdfDict, PdfName, PdfRef, PdfStream, type PdfValue } from '../../model/values.ts'
import { Inflater } from '../../read/filters.ts'
import { Parser } from '../../read/parser.ts'
import { zlib } from '../../write/zlib.ts'
import { walkDictionaries } from '../conform/walk.ts'
import { type InlineImage, plainContents } from './plain-contents.ts'

/** Bytes of all unpacked contents of a file. */
const maxContent = 256 * 1024 * 1024
const maxDepth = 32 // of values in the dictionary of an inline image

/**
 * Writes contents and boxes of all pages anew, and removes scripts, which could add annotations. With `dropsDefaultColours`
 * DeviceRGB means what it says on every page. Annotations may become forms after it, so forms have a function of their own.
 * Throws 'pdf.broken' when contents cannot be decoded, 'pdf.too-large'.
 */
export function plainPages(document: PdfDocument, codec: Codec, dropsDefaultColours: boolean): void {
  const rewrite = createRewriter(document, codec)
  const byContents = new Map<string, PdfRef>()
  const keys = new Map<PdfDict, number>() // numbers of resources
  for (const page of readPages(document)) {
    const contents = contentsOf(document, page.dict.get('Contents'))
    const resources = resourcesOf(document, page)
    if (dropsDefaultColours) document.dictAt(resources, 'ColorSpace')?.delete('DefaultRGB')
    keys.set(resources, keys.get(resources) ?? keys.size)
    // Streams are indirect objects always (ISO 32000-2, 7.3.8), so their numbers name the contents.
    const key = [keys.get(resources), ...contents.map(({ id }) => id)].join(' ')
    const content = byContents.get(key) ?? rewrite(contents, new PdfDict(), resources)
    byContents.set(key, content)
    page.dict.set('Contents', content)
    setBoxes(document, page)
  }
  removeScripts(document)
}

/** Writes the contents of all forms, tiles and glyphs anew: what they leave open would stay open on their page. Throws as `plainPages`. */
export function plainForms(document: PdfDocument, codec: Codec): void {
  const rewrite = createRewriter(document, codec)
  const seen = new Set<number>()
  const rewriteOnce = (value: PdfValue, resources: PdfDict | undefined) => {
    if (!(value instanceof PdfRef) || seen.has(value.id)) return
    seen.add(value.id)
    const stream = document.resolve(value)
    if (!(stream instanceof PdfStream)) return
    const head = stream.dict.copy()
    head.delete('DecodeParms')
    const content = rewrite([value], head, resources ?? document.dictAt(stream.dict, 'Resources'))
    seen.add(content.id)
    document.replace(value.id, content)
  }
  walkDictionaries(document, (holder) => {
    const glyphs = isName(document.resolve(holder.get('Subtype')), 'Type3')
      ? document.dictAt(holder, 'CharProcs')
      : undefined
    if (glyphs !== undefined) {
      const resources = document.dictAt(holder, 'Resources') ?? new PdfDict()
      holder.set('Resources', resources)
      for (const glyph of glyphs.entries.values()) rewriteOnce(glyph, resources)
    }
    for (const value of holder.entries.values()) if (isDrawn(document, value)) rewriteOnce(value, undefined)
  })
}

/** Whether a value is a form XObject or a tiling pattern. ISO 32000-2, 8.10.2, 8.7.3. */
function isDrawn(document: PdfDocument, value: PdfValue): boolean {
  const stream = value instanceof PdfRef ? document.resolve(value) : null
  if (!(stream instanceof PdfStream)) return false
  const isForm = isName(document.resolve(stream.dict.get('Subtype')), 'Form')
  return isForm || document.resolve(stream.dict.get('PatternType')) === 1
}

/** The content streams of a page, in order. */
function contentsOf(document: PdfDocument, value: PdfValue): readonly PdfRef[] {
  const resolved = document.resolve(value)
  const list = Array.isArray(resolved) ? resolved : [value]
  return list.filter(
    (item) => item instanceof PdfRef && document.resolve(item) instanceof PdfStream,
  ) as PdfRef[]
}

function resourcesOf(document: PdfDocument, page: PdfPage): PdfDict {
  const resources = document.resolve(page.inherited.get('Resources') ?? null)
  if (resources instanceof PdfDict) return resources
  const added = new PdfDict()
  page.dict.set('Resources', added)
  return added
}

/** What the page has where readers would look in its parents, or guess. */
function setBoxes(document: PdfDocument, page: PdfPage): void {
  const { x, y, width, height, rotate, unit } = pageGeometry(document, page)
  page.dict
    .set('MediaBox', [...mediaBox(document, page)])
    .set('CropBox', [x, y, x + width, y + height])
    .set('Rotate', rotate)
  if (unit === 1) page.dict.delete('UserUnit')
}

function removeScripts(document: PdfDocument): void {
  walkDictionaries(document, (holder) => {
    if (holder.get('JS') !== null && holder.get('S') !== null) holder.delete('JS')
  })
  document.dictAt(document.catalog, 'Names')?.delete('JavaScript')
}

type Rewrite = (contents: readonly PdfRef[], head: PdfDict, resources: PdfDict | undefined) => PdfRef

/** Returns a function that joins content streams to a plain one with the entries of `head`. */
function createRewriter(document: PdfDocument, codec: Codec): Rewrite {
  const inflater = new Inflater(codec, maxContent)
  const lineEnd = Uint8Array.of(10)
  const decode = (ref: PdfRef): Uint8Array => {
    const stream = document.resolve(ref)
    try {
      const bytes = stream instanceof PdfStream ? inflater.content(stream, document.resolve) : undefined
      if (bytes !== undefined) return bytes
    } catch (cause) {
      if (!(cause instanceof BrokenPdf)) throw cause
    }
    throw new AppError('pdf.broken', { because: 'the contents of a page cannot be decoded' })
  }
  return (contents, head, resources) => {
    const parts = contents.flatMap((content) => [decode(content), lineEnd])
    const size = parts.reduce((sum, part) => sum + part.length, 0)
    const bytes = plainContents(concatBytes(parts, size), createImages(document, resources))
    return document.put(new PdfStream(head.set('Filter', name('FlateDecode')), zlib(codec, bytes)))
  }
}

/** Returns a function that makes an XObject of an inline image and returns its name in the resources. Without resources there is none. */
function createImages(
  document: PdfDocument,
  resources: PdfDict | undefined,
): (image: InlineImage) => string | undefined {
  return (image) => {
    const stream = resources && imageOf(document, image, resources)
    if (resources === undefined || stream === undefined) return undefined
    const holder = document.dictAt(resources, 'XObject') ?? new PdfDict()
    resources.set('XObject', holder)
    let number = holder.entries.size
    while (holder.entries.has(`Inline${number}`)) number++
    holder.set(`Inline${number}`, document.put(stream))
    return `Inline${number}`
  }
}

/** The entries and values of inline images that are abbreviated. ISO 32000-2, tables 91 and 92. */
const imageKeys = {
  BPC: 'BitsPerComponent',
  CS: 'ColorSpace',
  D: 'Decode',
  DP: 'DecodeParms',
  F: 'Filter',
  H: 'Height',
  IM: 'ImageMask',
  I: 'Interpolate',
  W: 'Width',
} as const
const spaces = { G: 'DeviceGray', RGB: 'DeviceRGB', CMYK: 'DeviceCMYK', I: 'Indexed' } as const
const filters = {
  AHx: 'ASCIIHexDecode',
  A85: 'ASCII85Decode',
  LZW: 'LZWDecode',
  Fl: 'FlateDecode',
  RL: 'RunLengthDecode',
  CCF: 'CCITTFaxDecode',
  DCT: 'DCTDecode',
} as const

/** The image XObject that shows what an inline image shows. Undefined for one whose entries cannot be read. */
function imageOf(document: PdfDocument, image: InlineImage, resources: PdfDict): PdfStream | undefined {
  const entries = entriesOf(image.entries)
  if (entries === undefined) return undefined
  const head = dict({ Type: name('XObject'), Subtype: name('Image') })
  for (const [key, value] of entries.entries) {
    const full = entryOf(imageKeys, key) ?? key
    if (['Type', 'Subtype', 'Length', 'L'].includes(full)) continue
    if (full === 'Filter') head.set(full, renamed(value, filters))
    else if (full !== 'ColorSpace') head.set(full, value)
    else {
      const named =
        value instanceof PdfName ? document.dictAt(resources, 'ColorSpace')?.get(value.text) : null
      head.set(full, named ?? renamed(value, spaces))
    }
  }
  return new PdfStream(head, image.data)
}

function entriesOf(text: string): PdfDict | undefined {
  const bytes = Uint8Array.from(`<<${text}>>`, (character) => character.charCodeAt(0))
  try {
    const value = new Parser(bytes, 0, maxDepth).value()
    return value instanceof PdfDict ? value : undefined
  } catch (error) {
    if (error instanceof BrokenPdf || error instanceof AppError) return undefined
    throw error
  }
}

/** A name, or the names of a list, in full. */
function renamed(value: PdfValue, names: Readonly<Record<string, string>>): PdfValue {
  if (Array.isArray(value)) return value.map((item) => renamed(item, names))
  if (!(value instanceof PdfName)) return value
  return name(entryOf(names, value.text) ?? value.text)
}

/**
 * Pictures that a document refers to by a web address. They are fetched here, under the policy for outbound calls and
 * the limits of one page, and embedded in the package, because an office program has no access to the network. A
 * picture that cannot be fetched stays a link, which `scan.ts` drops afterwards.
 */
import { entryOf } from '../../entry-of.ts'
import { measureImage, pictureTypes } from '../../images/measure.ts'
import type { FetchedPicture } from '../../plugin/incoming.ts'
import { editXml } from '../../xml/edit-tags.ts'
import { openZip, type ZipEntry } from '../zip.ts'
import { writeZip } from '../zip-writer.ts'
import { decodeXmlBytes, encodeXml } from './decode.ts'
import { drawUri, xlinkUri } from './odf.ts'
import { isRelationshipOutside } from './opc.ts'
import { packedEntry, type ScanContext } from './scan.ts'

export interface WithPictures {
  /** The same array as the input where nothing was fetched. */
  readonly bytes: Uint8Array
  /** Why pictures were not fetched: each reason once, without an address. */
  readonly reasons: readonly string[]
}

/** Names of relationships in attributes (ISO/IEC 29500-1, 22.8.2), transitional and strict. */
const relationUris = [
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  'http://purl.oclc.org/ooxml/officeDocument/relationships',
]
const manifestUri = 'urn:oasis:names:tc:opendocument:xmlns:manifest:1.0'
const contentTypes = '[Content_Types].xml'
const manifest = 'META-INF/manifest.xml'
const isWeb = (address: string): boolean => /^\s*https?:\/\//i.test(address)
const hasWebAddress = /https?:\/\//i
const extensions = { png: 'png', jpeg: 'jpg', gif: 'gif', bmp: 'bmp', tiff: 'tif' } as const

interface InsertedPicture {
  readonly name: string // of its part
  readonly bytes: Uint8Array
  readonly type: string
}
interface OpenedPackage {
  readonly archive: ReturnType<typeof openZip>
  readonly texts: Map<string, string>
}

/**
 * Returns the addresses of the pictures that a document refers to, each once; none for files that are not packages.
 * Throws AppError 'package.…' and XmlFault as the scan does.
 */
export function linkedPictures(bytes: Uint8Array, context: ScanContext): readonly string[] {
  if (!isZip(bytes)) return []
  const { parts, isOpc, holders } = openPackage(bytes, context)
  const urls = new Set<string>()
  for (const { name } of holders) {
    const text = textOf(parts, name)
    if (text !== undefined && hasWebAddress.test(text))
      visitPictures(text, isOpc, (url) => void urls.add(url))
  }
  return [...urls]
}

/** Embeds pictures in the package that refers to them. `fetched`: the result for each address of `linkedPictures`. */
export function embedLinkedPictures(
  bytes: Uint8Array,
  fetched: ReadonlyMap<string, FetchedPicture>,
  context: ScanContext,
): WithPictures {
  const { codec } = context
  const { parts, archive, isOpc, holders } = openPackage(bytes, context)
  const reasons = new Set<string>()
  const pictures = new Map<string, InsertedPicture>()
  const usedNames = new Set(archive.entries.map(({ name }) => name))
  for (const [url, file] of fetched) {
    const kind = 'failed' in file ? undefined : measureImage(file.bytes)?.kind
    const extension =
      kind === undefined ? undefined : entryOf(extensions as Partial<Record<string, string>>, kind)
    if ('failed' in file) reasons.add(file.failed)
    else if (kind === undefined || extension === undefined)
      reasons.add('the server sent no picture that an office reads')
    else {
      let number = pictures.size + 1
      const nameOf = () => `${isOpc ? 'media' : 'Pictures'}/linked${number}.${extension}`
      while (usedNames.has(nameOf())) number++
      usedNames.add(nameOf())
      pictures.set(url, { name: nameOf(), bytes: file.bytes, type: pictureTypes[kind] })
    }
  }
  if (pictures.size === 0) return { bytes, reasons: [...reasons] }
  for (const { name } of holders) {
    if (isOpc) embedInPart(parts, name, pictures)
    else embedInText(parts, name, pictures)
  }
  const added = [...pictures.values()]
  declare(parts, isOpc, added)
  const packed = archive.entries.map((entry: ZipEntry) => {
    const text = parts.texts.get(entry.name)
    return packedEntry(entry, text === undefined ? undefined : encodeXml(text), codec)
  })
  const [like] = archive.entries
  const files = added.map(({ name, bytes: content }) => ({
    name,
    method: 0 as const,
    crc: codec.crc32(content),
    size: content.length,
    dosTime: like?.dosTime ?? 0,
    attributes: 0,
    chunks: [content],
  }))
  return { bytes: writeZip([...packed, ...files]), reasons: [...reasons] }
}

const isZip = ([a, b]: Uint8Array): boolean => a === 0x50 && b === 0x4b

function openPackage(bytes: Uint8Array, { codec, limits }: ScanContext) {
  const archive = openZip(bytes, { codec, limits, format: 'office' })
  const parts: OpenedPackage = { archive, texts: new Map() }
  const isOpc = archive.entries.some(({ name }) => name === contentTypes)
  const holders = archive.entries.filter(({ name }) =>
    isOpc ? /(?:^|\/)_rels\/[^/]+\.rels$/.test(name) : name === 'content.xml' || name === 'styles.xml',
  )
  return { archive, parts, isOpc, holders }
}

/** The current text of a part; undefined when there is none. */
function textOf({ archive, texts }: OpenedPackage, name: string): string | undefined {
  const edited = texts.get(name)
  const entry =
    edited === undefined ? archive.entries.find((candidate) => candidate.name === name) : undefined
  return entry === undefined ? edited : decodeXmlBytes(archive.read(entry))
}

function edit(parts: OpenedPackage, name: string, visit: Parameters<typeof editXml>[1]): void {
  const text = textOf(parts, name)
  const changed = text === undefined ? undefined : editXml(text, visit)
  if (changed !== undefined) parts.texts.set(name, changed)
}

/** Calls `found` for each picture with a web address. The returned value replaces the address. */
function visitPictures(
  text: string,
  isOpc: boolean,
  replacementFor: (url: string, id: string) => string | undefined,
): string | undefined {
  return editXml(text, (tag) => {
    if (isOpc) {
      if (tag.name !== 'Relationship' || !/\/image$/.test(tag.attribute('', 'Type')?.value ?? '')) return
      const target = tag.attribute('', 'Target')
      const mode = tag.attribute('', 'TargetMode')
      if (target === undefined || !isWeb(target.value) || !isRelationshipOutside(target.value, mode?.value))
        return
      const name = replacementFor(target.value.trim(), tag.attribute('', 'Id')?.value ?? '')
      if (name === undefined) return
      target.replace(`/${name}`)
      mode?.remove()
    } else if (tag.uri === drawUri && tag.name === 'image') {
      const href = tag.attribute(xlinkUri, 'href')
      if (href === undefined || !isWeb(href.value)) return
      const name = replacementFor(href.value.trim(), '')
      if (name !== undefined) href.replace(name)
    }
  })
}

function embedInText(
  parts: OpenedPackage,
  name: string,
  pictures: ReadonlyMap<string, InsertedPicture>,
): void {
  const text = textOf(parts, name)
  const changed =
    text === undefined ? undefined : visitPictures(text, false, (url) => pictures.get(url)?.name)
  if (changed !== undefined) parts.texts.set(name, changed)
}

/** The relationships, and the part that they belong to, in which a linked picture becomes an embedded one. */
function embedInPart(
  parts: OpenedPackage,
  relations: string,
  pictures: ReadonlyMap<string, InsertedPicture>,
): void {
  const text = textOf(parts, relations)
  const ids = new Set<string>()
  const changed =
    text === undefined
      ? undefined
      : visitPictures(text, true, (url, id) => {
          const name = pictures.get(url)?.name
          if (name !== undefined) ids.add(id)
          return name
        })
  if (changed === undefined) return
  parts.texts.set(relations, changed)
  const source = relations.replace(/_rels\/([^/]+)\.rels$/, '$1')
  edit(parts, source, (tag) => {
    if (tag.name !== 'blip') return
    for (const uri of relationUris) {
      const link = tag.attribute(uri, 'link')
      if (link === undefined || !ids.has(link.value)) continue
      if (tag.attribute(uri, 'embed') === undefined) link.rename('embed')
      else link.remove()
    }
  })
}

/** Each part has a media type in the list of its package. */
function declare(parts: OpenedPackage, isOpc: boolean, pictures: readonly InsertedPicture[]): void {
  const list = isOpc ? contentTypes : manifest
  const text = textOf(parts, list)
  const end = text?.lastIndexOf('</') ?? -1
  if (text === undefined || end < 0) return
  // The last end tag is that of the root, whose prefix the entries share. Attributes of a manifest need one.
  const prefix = text.slice(end + 2, text.indexOf('>', end)).match(/^.*:/)?.[0] ?? ''
  const named = isOpc || prefix !== '' ? '' : ` xmlns:manifest="${manifestUri}"`
  const ownPrefix = prefix === '' ? 'manifest:' : prefix
  const entries = isOpc
    ? pictures.map(({ name, type }) => `<${prefix}Override PartName="/${name}" ContentType="${type}"/>`)
    : pictures.map(
        ({ name, type }) =>
          `<${prefix}file-entry${named} ${ownPrefix}full-path="${name}" ${ownPrefix}media-type="${type}"/>`,
      )
  parts.texts.set(list, text.slice(0, end) + entries.join('') + text.slice(end))
}

/**
 * Pictures and links of OpenDocument files whose title or description is a tag: frame, file and manifest follow the
 * value. Source: template language 22.1 and 22.6; ODF 1.3 part 3, clauses 10.4.2 to 10.4.4, part 2, clause 4.
 */

import { entryOf } from '../entry-of.ts'
import { pictureTypes } from '../images/measure.ts'
import { toBase64 } from '../plugin/base64.ts'
import { pushAll } from '../push-all.ts'
import { type MediaFile, renderMedia } from '../template/media/media.ts'
import {
  closeOf,
  isValueTag,
  type PictureSlot,
  pictureSlot,
  tokensOfLink,
  withElements,
} from '../template/media/tokens.ts'
import type { PackageWriter } from '../template/package-writer.ts'
import type { ElementToken, TagToken, Token } from '../template/scan/tokens.ts'
import { type RenderScope, scopeKey } from '../template/scope.ts'
import { attributeOf, elementIn, elementsIn, replaceAttribute, withoutAttributes } from '../xml/elements.ts'

/** The files that a render adds to an OpenDocument package. */
export interface OdfAdditions {
  /** Returns how a draw:image refers to a picture: by its attributes, or by its content. */
  picture(scope: RenderScope, file: MediaFile): { readonly attributes: string; readonly content: string }
  /** Adds a file to this render; a file without an entry in the manifest gets one. */
  file(scope: RenderScope, name: string, bytes: Uint8Array): void
  /** Adds the entries of a copied folder to the manifest. */
  folder(scope: RenderScope, from: string, to: string): void
  /** Omits files and folders of the template from this render. */
  drop(scope: RenderScope, names: readonly string[]): void
  finish(scope: RenderScope, writer: PackageWriter): void
}

interface AddedPictures {
  readonly pictures: Set<MediaFile>
  readonly files: Map<string, Uint8Array>
  readonly folders: { readonly from: string; readonly to: string }[]
  readonly dropped: Set<string>
}

/** `manifest` is the text of META-INF/manifest.xml, `names` are those of all entries. */
export function odfAdditions(manifest: string, names: ReadonlySet<string>): OdfAdditions {
  let prefix = 'Pictures/merged'
  while ([...names].some((name) => name.startsWith(prefix))) prefix += '_'
  const pathOf = ({ number, kind }: MediaFile) => `${prefix}${number}.${kind}`
  const key = scopeKey<AddedPictures>('additions to the package')
  const addedIn = (scope: RenderScope): AddedPictures =>
    scope.obtain(key, () => ({ pictures: new Set(), files: new Map(), folders: [], dropped: new Set() }))
  return {
    picture(scope, file) {
      addedIn(scope).pictures.add(file)
      return { attributes: ` xlink:href="${pathOf(file)}" ${typed(file)}`, content: '' }
    },
    file: (scope, name, bytes) => void addedIn(scope).files.set(name, bytes),
    folder: (scope, from, to) => void addedIn(scope).folders.push({ from, to }),
    drop(scope, dropped) {
      for (const name of dropped) addedIn(scope).dropped.add(name)
    },
    finish(scope, writer) {
      const added = scope.get(key)
      if (added === undefined) return
      for (const file of added.pictures) writer.add(pathOf(file), file.bytes)
      for (const [name, bytes] of added.files) writer.add(name, bytes)
      for (const name of added.dropped) if (names.has(name)) writer.remove(name)
      const text = manifestNow(manifest, added, pathOf)
      if (text !== manifest) writer.add('META-INF/manifest.xml', new TextEncoder().encode(text))
    },
  }
}

const typed = ({ kind }: MediaFile): string => `draw:mime-type="${pictureTypes[kind]}"`

/** A document in one XML file contains its pictures inline. ODF 1.3 part 3, 10.4.5 (office:binary-data). */
export const flatAdditions: OdfAdditions = {
  picture: (_notes, file) => ({
    attributes: ` ${typed(file)}`,
    content: `<office:binary-data>${toBase64(file.bytes)}</office:binary-data>`,
  }),
  // Embedded objects are elements of the same file, so there is nothing to add or to omit.
  file: () => undefined,
  folder: () => undefined,
  drop: () => undefined,
  finish: () => undefined,
}

function manifestNow(manifest: string, added: AddedPictures, pathOf: (file: MediaFile) => string): string {
  const root = elementIn(manifest, 'manifest:manifest')
  if (root?.content === undefined) return manifest
  const entries = fileEntries(root.content)
  const copies = added.folders.flatMap(({ from, to }) =>
    entries
      .filter(({ path }) => path.startsWith(`${from}/`))
      .map(({ path, markup }) =>
        replaceAttribute(markup, 'manifest:full-path', `${to}${path.slice(from.length)}`),
      ),
  )
  let remaining = ''
  let from = 0
  for (const { path, start, end } of entries) {
    if (!added.dropped.has(path)) continue
    remaining += root.content.slice(from, start)
    from = end
  }
  remaining += root.content.slice(from)
  const pictures = [...added.pictures].map(
    (file) =>
      `<manifest:file-entry manifest:full-path="${pathOf(file)}" manifest:media-type="${pictureTypes[file.kind]}"/>`,
  )
  return [
    manifest.slice(0, root.contentStart),
    remaining,
    ...copies,
    ...pictures,
    manifest.slice(root.contentEnd),
  ].join('')
}

interface FileEntry {
  readonly path: string
  /**
   * The entry with the white space after it, so that the manifest keeps its line structure when entries are added or
   * dropped.
   */
  readonly markup: string
  readonly start: number
  readonly end: number
}

function fileEntries(content: string): readonly FileEntry[] {
  return [...elementsIn(content, 'manifest:file-entry')].map(({ attributes, start, end: elementEnd }) => {
    let end = elementEnd
    while (isSpace(content.charCodeAt(end))) end += 1
    const path = attributeOf(attributes, 'manifest:full-path') ?? ''
    return { path, markup: content.slice(start, end), start, end }
  })
}

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13)

const linkElements = new Set(['text:a', 'draw:a'])

/** Links whose address comes from data. Without a usable address, the text is kept and the link has no target. */
export function bindLinks(tokens: readonly Token[]): readonly Token[] {
  const result: Token[] = []
  let changed = false
  for (let index = 0; index < tokens.length; ) {
    const token = tokens[index]
    if (token === undefined) break
    const link =
      token.kind === 'open' && linkElements.has(token.name)
        ? tokensOfLink(
            tokens,
            index,
            /^xlink:href$/,
            (address, name) => ` ${name}="${attribute(address ?? '')}"`,
          )
        : undefined
    pushAll(result, link?.tokens ?? [token])
    index = link?.next ?? index + 1
    changed ||= link !== undefined
  }
  return changed ? result : tokens
}

const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/**
 * Binds frames whose picture is a tag: file and size follow the value. Returns the same tokens in a part without tags.
 */
export function bindFrames(tokens: readonly Token[], additions: OdfAdditions): readonly Token[] {
  if (!tokens.some(({ kind }) => kind === 'tag')) return tokens
  return withElements(
    tokens,
    ({ name, raw }) => name === 'draw:frame' && raw.endsWith('>'),
    (frame) => bound(frame, additions),
  )
}

/** The frame with its picture bound; undefined for a frame without a picture or without a tag in its title or description. */
function bound(frame: readonly Token[], additions: OdfAdditions): Token[] | undefined {
  const children = childrenOf(frame)
  const images = children.filter(({ name }) => name === 'draw:image')
  const image = images[0]
  // The picture is only the fallback of other content: an object, a plug-in, a text.
  const hasOtherContent = children.some(({ name }) =>
    /^draw:(?!image$|image-map$|contour|glue|a$)/.test(name),
  )
  if (image === undefined || hasOtherContent) return undefined
  const removed = new Set<number>()
  let tag: TagToken | undefined
  for (const { name, start, stop } of children) {
    if (name !== 'svg:title' && name !== 'svg:desc') continue
    const textTokens = frame.slice(start + 1, stop)
    if (textTokens.some((token) => token.kind !== 'tag' && /\S/.test('raw' in token ? token.raw : '')))
      continue
    textTokens.forEach((token, n) => {
      if (token.kind !== 'tag' || !isValueTag(token)) return
      tag ??= token
      removed.add(start + 1 + n)
    })
  }
  if (tag === undefined) return undefined
  const open = frame[0] as ElementToken
  const size = boxOf(open.raw)
  const slot = pictureSlot(tag, size.box)
  const result: Token[] = [
    { ...open, raw: size.rest.replace(/\s*>$/, '') },
    ...slot.begin,
    { kind: 'computed', offset: open.offset, compute: (scope) => size.write(slot.placed(scope)) },
    { kind: 'text', raw: '>', offset: open.offset, markup: true },
  ]
  for (let index = 1; index < frame.length; index += 1) {
    if (removed.has(index)) continue
    const replaced = images.find(({ start }) => start === index)
    if (replaced === undefined) result.push(frame[index]!)
    else {
      // Other images of the frame (a bitmap beside a drawing) show the sample, and an office might prefer one of them.
      if (replaced === image)
        pushAll(result, imageTokens(frame.slice(index, replaced.stop + 1), slot, additions))
      index = replaced.stop
    }
  }
  return result
}

interface ChildElement {
  readonly name: string
  readonly start: number
  readonly stop: number // the closing token; the element itself if it is empty
}

function childrenOf(frame: readonly Token[]): ChildElement[] {
  const children: ChildElement[] = []
  for (let index = 1; index < frame.length - 1; index += 1) {
    const token = frame[index]
    if (token === undefined) break
    if (token.kind !== 'open' && token.kind !== 'void') continue
    const stop = token.kind === 'open' ? closeOf(frame, index) : index
    children.push({ name: token.name, start: index, stop })
    index = stop
  }
  return children
}

/** Units of length in centimetres. */
export const inCentimetres: Readonly<Record<string, number>> = {
  cm: 1,
  mm: 0.1,
  in: 2.54,
  pt: 2.54 / 72,
  pc: 2.54 / 6,
  px: 2.54 / 96,
}

/** The size of a frame in centimetres, its opening tag without the size, and a function that writes a new one. */
function boxOf(raw: string) {
  const length = (name: string) => {
    const [, number, unit = ''] = /^([\d.]+)([a-z]+)$/.exec(attributeOf(raw, `svg:${name}`) ?? '') ?? []
    const centimetres = Number(number) * (entryOf(inCentimetres, unit) ?? Number.NaN)
    return centimetres > 0 ? centimetres : undefined
  }
  const width = length('width')
  const height = length('height')
  if (width === undefined || height === undefined)
    return { box: { width: width ?? 1, height: height ?? 1 }, rest: raw, write: () => '' }
  return {
    box: { width, height },
    rest: withoutAttributes(raw, (name) => name === 'svg:width' || name === 'svg:height'),
    write: (placed: { width: number; height: number }) =>
      ` svg:width="${Number(placed.width.toFixed(4))}cm" svg:height="${Number(placed.height.toFixed(4))}cm"`,
  }
}

/** Attributes of an image that describe the sample picture (ODF 1.3 part 3, 10.4.4). */
const ofSample: ReadonlySet<string> = new Set([
  'xlink:href',
  'draw:mime-type',
  'loext:mime-type',
  'draw:filter-name',
  'xml:id',
])

/** The draw:image of the picture and, after a vector picture, its fallback image for programs that cannot draw it. */
function imageTokens(tokens: readonly Token[], slot: PictureSlot, additions: OdfAdditions): Token[] {
  const { raw, name, offset } = tokens[0] as ElementToken
  const head = withoutAttributes(raw, (attribute) => ofSample.has(attribute)).replace(/\s*\/?>$/, '')
  const pictureMarkup = (scope: RenderScope, file: MediaFile) => {
    const { attributes, content } = additions.picture(scope, file)
    return `${attributes}>${content}`
  }
  return [
    { kind: 'open', name, raw: head, offset },
    { kind: 'computed', offset, compute: (scope) => pictureMarkup(scope, slot.placed(scope).file) },
    // The content of the sample is dropped: its data, or text that is not displayed.
    { kind: 'close', name, raw: `</${name}>`, offset },
    {
      kind: 'computed',
      offset,
      compute(scope) {
        const fallback = scope.require(renderMedia).fallbackImage(slot.placed(scope).file)
        return fallback === undefined ? '' : `${head}${pictureMarkup(scope, fallback)}</${name}>`
      },
    },
  ]
}

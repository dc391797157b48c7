/**
 * What a render adds to an Office Open XML package: relationships of parts and the files they lead to. Source:
 * ECMA-376-2, clauses 6.5 and 6.2.3.
 */
import type { ImageKind } from '../../images/measure.ts'
import type { MediaFile } from '../../template/media/media.ts'
import type { PackageWriter } from '../../template/package.ts'
import type { Notes } from '../../template/scan/pieces.ts'

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
export const hyperlinkType = `${office}/hyperlink`
const imageType = `${office}/image`

const kinds: Readonly<Record<ImageKind, { readonly extension: string; readonly type: string }>> = {
  png: { extension: 'png', type: 'image/png' },
  jpeg: { extension: 'jpeg', type: 'image/jpeg' },
  gif: { extension: 'gif', type: 'image/gif' },
  bmp: { extension: 'bmp', type: 'image/bmp' },
  tiff: { extension: 'tiff', type: 'image/tiff' },
  webp: { extension: 'webp', type: 'image/webp' },
  svg: { extension: 'svg', type: 'image/svg+xml' },
}

/** What of an opened package the additions of its renders need to know. */
export interface OpcPackage {
  readonly names: ReadonlySet<string> // of all entries
  readonly contentTypes: string
  readonly relations: ReadonlyMap<string, string> // owner part -> text of its relationships
  readonly mediaFolder: string // 'word/media'
}

export interface Additions {
  /** The id of a relationship of `part` to a picture of this render. */
  picture(notes: Notes, part: string, file: MediaFile): string
  /** The id of a relationship of `part` to an address outside. Equal ones share it. */
  link(notes: Notes, part: string, address: string): string
  finish(notes: Notes, writer: PackageWriter): void
}

interface Added {
  readonly ids: Map<string, Map<string, string>> // part -> relationship without its id -> id
  readonly files: Set<MediaFile>
}

export function additionsTo(source: OpcPackage): Additions {
  const ids = unused('rIdm', [...source.relations.values()])
  const files = unused('merged', [...source.names])
  const pathOf = ({ number, kind }: MediaFile) =>
    `${source.mediaFolder}/${files}${number}.${kinds[kind].extension}`
  const key = {}
  const addedIn = (notes: Notes): Added => {
    const known = notes.get(key) as Added | undefined
    if (known !== undefined) return known
    const added: Added = { ids: new Map(), files: new Set() }
    notes.set(key, added)
    return added
  }
  const relate = (notes: Notes, part: string, attributes: string): string => {
    const { ids: all } = addedIn(notes)
    let own = all.get(part)
    if (own === undefined) all.set(part, (own = new Map()))
    let id = own.get(attributes)
    if (id === undefined) own.set(attributes, (id = `${ids}${own.size + 1}`))
    return id
  }
  return {
    picture(notes, part, file) {
      addedIn(notes).files.add(file)
      return relate(notes, part, `Type="${imageType}" Target="${relativePath(part, pathOf(file))}"`)
    },
    link: (notes, part, address) =>
      relate(notes, part, `Type="${hyperlinkType}" Target="${attribute(address)}" TargetMode="External"`),
    finish(notes, writer) {
      const added = notes.get(key) as Added | undefined
      if (added === undefined) return
      const encoder = new TextEncoder()
      for (const [part, own] of added.ids) {
        const elements = [...own]
          .map(([attributes, id]) => `<Relationship Id="${id}" ${attributes}/>`)
          .join('')
        const text = inserted(source.relations.get(part) ?? noRelations, 'Relationships', elements)
        writer.add(relationsOf(part), encoder.encode(text))
      }
      for (const file of added.files) writer.add(pathOf(file), file.bytes)
      const types = newTypes(source.contentTypes, added.files)
      if (types !== '')
        writer.add(
          '[Content_Types].xml',
          encoder.encode(inserted(source.contentTypes, 'Types', types, 'first')),
        )
    },
  }
}

const noRelations =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>'

/** 'word/document.xml' -> 'word/_rels/document.xml.rels'. */
export const relationsOf = (part: string): string => part.replace(/([^/]*)$/, '_rels/$1.rels')

function newTypes(known: string, files: Iterable<MediaFile>): string {
  const added = new Set<string>()
  for (const { kind } of files) {
    const { extension, type } = kinds[kind]
    if (!new RegExp(`\\sExtension=["']${extension}["']`, 'i').test(known))
      added.add(`<Default Extension="${extension}" ContentType="${type}"/>`)
  }
  return [...added].join('')
}

/** The root element with more inside: at its end, or as the first of its children. */
function inserted(text: string, root: string, elements: string, where: 'first' | 'last' = 'last'): string {
  const open = new RegExp(`<((?:\\w+:)?${root})\\b(?:[^>"']|"[^"]*"|'[^']*')*>`).exec(text)
  if (open === null) return text
  const end = open.index + open[0].length
  if (open[0].endsWith('/>')) return `${text.slice(0, end - 2)}>${elements}</${open[1]}>${text.slice(end)}`
  const at = where === 'first' ? end : text.lastIndexOf(`</${open[1]}`)
  return at < 0 ? text : text.slice(0, at) + elements + text.slice(at)
}

/** A prefix that none of the texts uses. */
function unused(prefix: string, texts: readonly string[]): string {
  let free = prefix
  while (texts.some((text) => text.includes(free))) free += '_'
  return free
}

/** 'ppt/slides/slide1.xml', 'ppt/media/a.png' -> '../media/a.png'. */
function relativePath(part: string, target: string): string {
  const from = part.split('/').slice(0, -1)
  const to = target.split('/')
  let common = 0
  while (common < from.length && common < to.length - 1 && from[common] === to[common]) common += 1
  return '../'.repeat(from.length - common) + to.slice(common).join('/')
}

const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

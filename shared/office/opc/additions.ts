/**
 * What a render adds to an Office Open XML package: relationships of parts and the files they lead to. Source:
 * ECMA-376-2, clauses 6.5 and 6.2.3.
 */

import { pictureTypes } from '../../images/measure.ts'
import type { MediaFile } from '../../template/media/media.ts'
import type { PackageWriter } from '../../template/package.ts'
import { type RenderScope, scopeKey } from '../../template/scope.ts'

import { contentTypesNow, isGone, partNow, relationsNow } from './copies.ts'
import { relationsOf } from './names.ts'

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const hyperlinkType = `${office}/hyperlink`
const imageType = `${office}/image`

/** What of an opened package the additions of its renders need to know. */
export interface OpcPackage {
  readonly names: ReadonlySet<string> // of all entries
  readonly contentTypes: string
  readonly relations: ReadonlyMap<string, string> // owner part -> text of its relationships
  readonly mediaFolder: string // 'word/media'
}

export interface Additions {
  /** The id of a relationship of `part` to a picture of this render. */
  picture(scope: RenderScope, part: string, file: MediaFile): string
  /** The id of a relationship of `part` to an address outside. Equal ones share it. */
  link(scope: RenderScope, part: string, address: string): string
  /** The id of a relationship of `part` to another part. Equal ones share it. */
  relation(scope: RenderScope, part: string, type: string, target: string): string
  /** A part of this render; `type` where it needs a content type of its own. */
  file(scope: RenderScope, name: string, bytes: Uint8Array, type?: string): void
  /** Parts that this render does without, and the relationship of `part` that led to them. */
  drop(scope: RenderScope, part: string, id: string, names: readonly string[]): void
  finish(scope: RenderScope, writer: PackageWriter): void
}

interface Added {
  readonly ids: Map<string, Map<string, string>> // part -> relationship without its id -> id
  readonly files: Set<MediaFile>
  readonly parts: Map<string, { readonly bytes: Uint8Array; readonly type: string | undefined }>
  readonly dropped: { readonly part: string; readonly id: string; readonly names: readonly string[] }[]
}

export function additionsTo(source: OpcPackage): Additions {
  const ids = unused('rIdm', [...source.relations.values()])
  const files = unused('merged', [...source.names])
  const pathOf = ({ number, kind }: MediaFile) => `${source.mediaFolder}/${files}${number}.${kind}`
  const key = scopeKey<Added>('additions to the package')
  const addedIn = (scope: RenderScope): Added =>
    scope.obtain(key, () => ({ ids: new Map(), files: new Set(), parts: new Map(), dropped: [] }))
  const relate = (scope: RenderScope, part: string, attributes: string): string => {
    const { ids: all } = addedIn(scope)
    const now = partNow(scope, part)
    let own = all.get(now)
    if (own === undefined) all.set(now, (own = new Map()))
    let id = own.get(attributes)
    if (id === undefined) own.set(attributes, (id = `${ids}${own.size + 1}`))
    return id
  }
  return {
    picture(scope, part, file) {
      addedIn(scope).files.add(file)
      return relate(scope, part, `Type="${imageType}" Target="${relativePath(part, pathOf(file))}"`)
    },
    link: (scope, part, address) =>
      relate(scope, part, `Type="${hyperlinkType}" Target="${attribute(address)}" TargetMode="External"`),
    relation: (scope, part, type, target) => relate(scope, part, `Type="${type}" Target="/${target}"`),
    file: (scope, name, bytes, type) => void addedIn(scope).parts.set(name, { bytes, type }),
    drop: (scope, part, id, names) => void addedIn(scope).dropped.push({ part, id, names }),
    finish(scope, writer) {
      const added = scope.get(key)
      if (added === undefined) return
      const encoder = new TextEncoder()
      for (const part of new Set([...added.ids.keys(), ...added.dropped.map((each) => each.part)])) {
        if (isGone(scope, part)) continue
        const gone = added.dropped.flatMap((each) => (each.part === part ? [each.id] : []))
        const elements = [...(added.ids.get(part) ?? [])]
          .map(([attributes, id]) => `<Relationship Id="${id}" ${attributes}/>`)
          .join('')
        const text = inserted(
          without(
            relationsNow(scope, part, source.relations.get(part)) ?? noRelations,
            'Relationship',
            'Id',
            gone,
          ),
          'Relationships',
          elements,
        )
        writer.add(relationsOf(part), encoder.encode(text))
      }
      for (const file of added.files) writer.add(pathOf(file), file.bytes)
      const known = contentTypesNow(scope, source.contentTypes)
      for (const [name, { bytes }] of added.parts) writer.add(name, bytes)
      const gone = added.dropped.flatMap(({ names }) => names)
      for (const name of gone) writer.remove(name)
      const overrides = [...added.parts].flatMap(([name, { type }]) =>
        type === undefined || known.includes(`"/${name}"`)
          ? []
          : [`<Override PartName="/${name}" ContentType="${type}"/>`],
      )
      const left = without(
        known,
        'Override',
        'PartName',
        gone.map((name) => `/${name}`),
      )
      const typed = inserted(left, 'Types', newTypes(known, added.files), 'first')
      const types = inserted(typed, 'Types', overrides.join(''))
      if (types !== known) writer.add('[Content_Types].xml', encoder.encode(types))
    },
  }
}

const noRelations =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>'

function newTypes(known: string, files: Iterable<MediaFile>): string {
  const added = new Set<string>()
  for (const { kind } of files) {
    if (!new RegExp(`\\sExtension=["']${kind}["']`, 'i').test(known))
      added.add(`<Default Extension="${kind}" ContentType="${pictureTypes[kind]}"/>`)
  }
  return [...added].join('')
}

/** Without the elements whose attribute has one of the values. */
function without(text: string, element: string, name: string, values: readonly string[]): string {
  if (values.length === 0) return text
  return text.replace(new RegExp(`<(?:\\w+:)?${element}\\b(?:[^>"']|"[^"]*"|'[^']*')*>`, 'g'), (whole) => {
    const value = new RegExp(`\\s${name}=(["'])(.*?)\\1`).exec(whole)?.[2]
    return value !== undefined && values.includes(value) ? '' : whole
  })
}

/** The root element with more inside: at its end, or as the first of its children. */
function inserted(text: string, root: string, elements: string, where: 'first' | 'last' = 'last'): string {
  const open = new RegExp(`<((?:\\w+:)?${root})\\b(?:[^>"']|"[^"]*"|'[^']*')*>`).exec(text)
  if (open === null || elements === '') return text
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

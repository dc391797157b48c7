/**
 * The additions of a render to an Office Open XML package: relationships of parts, and their target files. Source:
 * ECMA-376-2, clauses 6.5 and 6.2.3.
 */

import { pictureTypes } from '../../images/measure.ts'
import type { MediaFile } from '../../template/media/media.ts'
import type { PackageWriter } from '../../template/package-writer.ts'
import { type RenderScope, scopeKey } from '../../template/scope.ts'
import { attributeOf, elementsIn, insertInto } from '../../xml/elements.ts'
import { contentTypesNow, isGone, partNow, relationsNow } from './copies.ts'
import { relationsOf } from './names.ts'
import { withoutOverrides, withoutRelationships } from './relationships.ts'

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const hyperlinkType = `${office}/hyperlink`
const imageType = `${office}/image`

/** The parts of an opened package that the additions of its renders need. */
export interface OpcPackage {
  readonly names: ReadonlySet<string> // of all entries
  readonly contentTypes: string
  readonly relations: ReadonlyMap<string, string> // owner part -> text of its relationships
  readonly mediaFolder: string // 'word/media'
}

/** The additions of renders to a package. All methods but `finish` may be called while parts are written. */
export interface Additions {
  /** The id of a relationship of `part` to a picture of this render. */
  picture(scope: RenderScope, part: string, file: MediaFile): string
  /** The id of a relationship of `part` to an external address. Equal addresses share one relationship. */
  link(scope: RenderScope, part: string, address: string): string
  /** The id of a relationship of `part` to another part. Equal targets share one relationship. */
  relation(scope: RenderScope, part: string, type: string, target: string): string
  /** Adds a part to this render; `type` is its content type, if it needs one of its own. */
  file(scope: RenderScope, name: string, bytes: Uint8Array, type?: string): void
  /** Omits parts from this render, together with the relationship of `part` that refers to them. */
  drop(scope: RenderScope, part: string, id: string, names: readonly string[]): void
  /** Writes relationships, content types and the added parts, once all parts of the template are written. */
  finish(scope: RenderScope, writer: PackageWriter): void
}

interface AddedParts {
  readonly ids: Map<string, Map<string, string>> // part -> relationship without its id -> id
  readonly files: Set<MediaFile>
  readonly parts: Map<string, { readonly bytes: Uint8Array; readonly type: string | undefined }>
  readonly dropped: { readonly part: string; readonly id: string; readonly names: readonly string[] }[]
}

/** Creates the additions of one opened package. Their names differ from all names in the package. */
export function additionsTo(source: OpcPackage): Additions {
  const idPrefix = unused('rIdm', [...source.relations.values()])
  const filePrefix = unused('merged', [...source.names])
  const pathOf = ({ number, kind }: MediaFile) => `${source.mediaFolder}/${filePrefix}${number}.${kind}`
  const key = scopeKey<AddedParts>('additions to the package')
  const addedIn = (scope: RenderScope): AddedParts =>
    scope.obtain(key, () => ({ ids: new Map(), files: new Set(), parts: new Map(), dropped: [] }))
  const relate = (scope: RenderScope, part: string, attributes: string): string => {
    const { ids: addedIds } = addedIn(scope)
    const copyName = partNow(scope, part)
    let ids = addedIds.get(copyName)
    if (ids === undefined) addedIds.set(copyName, (ids = new Map()))
    let id = ids.get(attributes)
    if (id === undefined) ids.set(attributes, (id = `${idPrefix}${ids.size + 1}`))
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
      for (const part of new Set([...added.ids.keys(), ...added.dropped.map((relation) => relation.part)])) {
        if (isGone(scope, part)) continue
        const dropped = added.dropped.flatMap((relation) => (relation.part === part ? [relation.id] : []))
        const elements = [...(added.ids.get(part) ?? [])]
          .map(([attributes, id]) => `<Relationship Id="${id}" ${attributes}/>`)
          .join('')
        const current = relationsNow(scope, part, source.relations.get(part)) ?? noRelations
        const remaining =
          dropped.length === 0 ? current : withoutRelationships(current, ({ id }) => dropped.includes(id))
        const text = insertInto(remaining, 'Relationships', elements)
        writer.add(relationsOf(part), encoder.encode(text))
      }
      for (const file of added.files) writer.add(pathOf(file), file.bytes)
      const declared = contentTypesNow(scope, source.contentTypes)
      for (const [name, { bytes }] of added.parts) writer.add(name, bytes)
      const dropped = added.dropped.flatMap(({ names }) => names)
      for (const name of dropped) writer.remove(name)
      const overrides = [...added.parts].flatMap(([name, { type }]) =>
        type === undefined || declared.includes(`"/${name}"`)
          ? []
          : [`<Override PartName="/${name}" ContentType="${type}"/>`],
      )
      const remaining = withoutOverrides(declared, new Set(dropped))
      const typed = insertInto(remaining, 'Types', newTypes(declared, added.files), 'first')
      const types = insertInto(typed, 'Types', overrides.join(''))
      if (types !== declared) writer.add('[Content_Types].xml', encoder.encode(types))
    },
  }
}

const noRelations =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>'

function newTypes(contentTypes: string, files: Iterable<MediaFile>): string {
  const added = new Set<string>()
  const declared = new Set(
    [...elementsIn(contentTypes, 'Default')].map(({ attributes }) =>
      attributeOf(attributes, 'Extension')?.toLowerCase(),
    ),
  )
  for (const { kind } of files) {
    if (!declared.has(kind)) added.add(`<Default Extension="${kind}" ContentType="${pictureTypes[kind]}"/>`)
  }
  return [...added].join('')
}

/** A prefix that none of the texts uses. */
function unused(prefix: string, texts: readonly string[]): string {
  let unusedPrefix = prefix
  while (texts.some((text) => text.includes(unusedPrefix))) unusedPrefix += '_'
  return unusedPrefix
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

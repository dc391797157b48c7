import { XmlCursor, xmlText } from '../../../../shared/document/xml-cursor.ts'
import { wordVocabulary } from './vocabulary.ts'

/** The entries of the package by name, without a leading slash. Inflating is the giver's business. */
export type Parts = (name: string) => Uint8Array | undefined

export interface Relationship {
  readonly type: string // last word of the type URI: 'styles', 'image', 'hyperlink'
  readonly target: string // a part name, or an address when external
  readonly external: boolean
}
export type Relationships = ReadonlyMap<string, Relationship>

/** Relationships of a part ('' for the package itself), by id (ECMA-376-2 9.3). */
export function readRelationships(parts: Parts, part: string): Relationships {
  const relationships = new Map<string, Relationship>()
  const slash = part.lastIndexOf('/')
  const bytes = parts(`${part.slice(0, slash + 1)}_rels/${part.slice(slash + 1)}.rels`)
  if (bytes === undefined) return relationships
  const cursor = new XmlCursor(xmlText(bytes), wordVocabulary)
  if (!cursor.root()) return relationships
  cursor.each(() => {
    const id = cursor.attribute('Id')
    const target = cursor.attribute('Target')
    if (id === undefined || target === undefined || relationships.size > 100_000) return
    const external = cursor.attribute('TargetMode') === 'External'
    const type = cursor.attribute('Type') ?? ''
    relationships.set(id, {
      type: type.slice(type.lastIndexOf('/') + 1),
      target: external ? target : resolveTarget(part, target),
      external,
    })
  })
  return relationships
}

/** A target as it is written in the relationships of `part`, as a part name. */
function resolveTarget(part: string, target: string): string {
  if (target.startsWith('/')) return target.slice(1)
  const path = part.split('/').slice(0, -1)
  for (const piece of target.replaceAll('\\', '/').split('/')) {
    if (piece === '..') path.pop()
    else if (piece !== '.' && piece !== '') path.push(piece)
  }
  return path.join('/')
}

/** Target of the first relationship of a type. */
export function targetOf(relationships: Relationships, type: string): string | undefined {
  for (const relationship of relationships.values()) {
    if (relationship.type === type && !relationship.external) return relationship.target
  }
  return undefined
}

import { XmlCursor, xmlText } from '../../../../shared/document/xml-cursor.ts'
import { wordVocabulary } from './vocabulary.ts'

/**
 * Returns the bytes of a part by name, without a leading slash; undefined when it is missing. The caller
 * inflates and caches.
 */
export type Parts = (name: string) => Uint8Array | undefined

/** One relationship of a part (ECMA-376-2 9.3). */
export interface Relationship {
  readonly type: string // last word of the type URI: 'styles', 'image', 'hyperlink'
  readonly target: string // a part name, or an address when external
  readonly external: boolean
}
/** Relationships by id. */
export type Relationships = ReadonlyMap<string, Relationship>

/**
 * Reads the relationships of a part ('' for the package itself) by id (ECMA-376-2 9.3). A part without any
 * gives an empty map.
 */
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

/**
 * Resolves a relationship target, which is relative to the folder of `part`, into a part name. Some producers
 * write backslashes.
 */
function resolveTarget(part: string, target: string): string {
  if (target.startsWith('/')) return target.slice(1)
  const path = part.split('/').slice(0, -1)
  for (const segment of target.replaceAll('\\', '/').split('/')) {
    if (segment === '..') path.pop()
    else if (segment !== '.' && segment !== '') path.push(segment)
  }
  return path.join('/')
}

/** Returns the part name of the first internal relationship of a type; undefined when there is none. */
export function targetOf(relationships: Relationships, type: string): string | undefined {
  for (const relationship of relationships.values()) {
    if (relationship.type === type && !relationship.external) return relationship.target
  }
  return undefined
}

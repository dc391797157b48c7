import { derived } from '../../derived.ts'
import { XmlCursor, xmlText } from '../../xml/cursor.ts'
import type { ReadFile } from '../package.ts'
import { wordVocabulary } from './vocabulary.ts'

/** One relationship of a part (ECMA-376-2 9.3). */
export interface OoxmlRelationship {
  readonly type: string // last word of the type URI: 'styles', 'image', 'hyperlink'
  readonly target: string // a part name, or an address when external
  readonly external: boolean
}
/** Relationships by id. */
export type Relationships = ReadonlyMap<string, OoxmlRelationship>

/**
 * Reads the relationships of a part ('' for the package itself) by id (ECMA-376-2 9.3). A part without any
 * gives an empty map.
 */
export function readRelationships(parts: ReadFile, partName: string): Relationships {
  const slash = partName.lastIndexOf('/')
  const bytes = parts(`${partName.slice(0, slash + 1)}_rels/${partName.slice(slash + 1)}.rels`)
  if (bytes === undefined) return new Map()
  return derived(bytes, 'relationships', [partName], () => relationshipsIn(bytes, partName))
}

function relationshipsIn(bytes: Uint8Array, partName: string): Relationships {
  const relationships = new Map<string, OoxmlRelationship>()
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
      target: external ? target : resolveTarget(partName, target),
      external,
    })
  })
  return relationships
}

/**
 * Resolves a relationship target, which is relative to the folder of `part`, into a part name. Some producers
 * write backslashes.
 */
function resolveTarget(partName: string, target: string): string {
  if (target.startsWith('/')) return target.slice(1)
  const path = partName.split('/').slice(0, -1)
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

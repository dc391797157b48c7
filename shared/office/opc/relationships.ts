/** Relationships and content types, read and edited at positions. Source: ECMA-376-2, clauses 6.2.3 and 6.5. */
import { attributeOf, elementsIn, replaceElements } from '../../xml/elements.ts'
import { decodeEntities } from '../../xml/scan.ts'
import { targetOf } from './names.ts'

/** One relationship (ECMA-376-2, 6.5). */
export interface Relationship {
  readonly id: string
  readonly type: string // a URI
  readonly kind: string // the last word of the type
  readonly target: string // as written, with character references decoded
  readonly isExternal: boolean
}

/** Reads a relationship from the attributes of its element. */
export function relationshipOf(attributes: string): Relationship {
  const value = (name: string) => decodeEntities(attributeOf(attributes, name) ?? '')
  const type = value('Type')
  return {
    id: value('Id'),
    type,
    kind: type.split('/').at(-1) ?? '',
    target: value('Target'),
    isExternal: value('TargetMode') === 'External',
  }
}

/** All relationships in the text of a relationships part. */
export const relationshipsIn = (text: string): Relationship[] =>
  [...elementsIn(text, 'Relationship')].map(({ attributes }) => relationshipOf(attributes))

/** The relationships of `owner` to parts of the package, with their targets as full names. */
export const partsRelatedIn = (text: string, owner: string): Relationship[] =>
  relationshipsIn(text).flatMap((relationship) =>
    relationship.isExternal ? [] : [{ ...relationship, target: targetOf(owner, relationship.target) }],
  )

/** The text without the relationships for which `isGone` returns true. */
export const withoutRelationships = (text: string, isGone: (relationship: Relationship) => boolean): string =>
  replaceElements(text, 'Relationship', (attributes) => (isGone(relationshipOf(attributes)) ? '' : undefined))

/**
 * The content type that is declared for a part itself (an Override). Names of parts are compared without regard to
 * case.
 */
export function overrideOf(types: string, part: string): string | undefined {
  const name = `/${part}`.toLowerCase()
  for (const { attributes } of elementsIn(types, 'Override'))
    if (attributeOf(attributes, 'PartName')?.toLowerCase() === name)
      return attributeOf(attributes, 'ContentType')
  return undefined
}

/** The content types without the Override elements of these parts. */
export function withoutOverrides(types: string, parts: ReadonlySet<string>): string {
  if (parts.size === 0) return types
  return replaceElements(types, 'Override', (attributes) => {
    const name = attributeOf(attributes, 'PartName') ?? ''
    return parts.has(name.slice(1)) ? '' : undefined
  })
}

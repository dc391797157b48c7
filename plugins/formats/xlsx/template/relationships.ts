/** The relationships of a part to other parts of its package. Source: ECMA-376-2, 6.5. */
import { targetOf } from '../../../../shared/office/opc/names.ts'
import { attributeOf } from './shared-strings.ts'

/** Kind (the last word of the type), full name of the target, id. */
export type Relationship = readonly [kind: string, target: string, id: string]

export function relationshipsOf(texts: ReadonlyMap<string, string>, part: string): Relationship[] {
  const slash = part.lastIndexOf('/')
  const folder = part.slice(0, slash)
  const text = texts.get(`${folder}/_rels/${part.slice(slash + 1)}.rels`) ?? ''
  const found: Relationship[] = []
  for (const [element] of text.matchAll(/<Relationship\b[^<>]*>/g)) {
    const target = attributeOf(element, 'Target')
    if (target === undefined || attributeOf(element, 'TargetMode') === 'External') continue
    const kind = (attributeOf(element, 'Type') ?? '').split('/').at(-1) ?? ''
    found.push([kind, targetOf(part, target), attributeOf(element, 'Id') ?? ''])
  }
  return found
}

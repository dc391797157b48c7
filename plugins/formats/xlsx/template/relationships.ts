/** The relationships of a part to other parts of its package. Source: ECMA-376-2, 6.5. */
import { partsRelatedIn } from '../../../../shared/office/opc/relationships.ts'

/** Kind (the last word of the type), full name of the target, id. */
export type RelatedPart = readonly [kind: string, target: string, id: string]

/** The relationships of a part to other parts; `texts` are the parts by name. */
export function relationshipsOf(texts: ReadonlyMap<string, string>, part: string): RelatedPart[] {
  const slash = part.lastIndexOf('/')
  const folder = part.slice(0, slash)
  const text = texts.get(`${folder}/_rels/${part.slice(slash + 1)}.rels`) ?? ''
  return partsRelatedIn(text, part).map(({ kind, target, id }) => [kind, target, id])
}

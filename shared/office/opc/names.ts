/** Names of parts. Source: ECMA-376-2, clauses 6.2 and 6.5. */

/** 'word/document.xml' -> 'word/_rels/document.xml.rels'. */
export const relationsOf = (part: string): string => part.replace(/([^/]*)$/, '_rels/$1.rels')

/** The target of a relationship of `owner` as a full name. */
export function targetOf(owner: string, target: string): string {
  if (target.startsWith('/')) return target.slice(1)
  const path = owner.split('/').slice(0, -1)
  for (const segment of target.split('/')) {
    if (segment === '..') path.pop()
    else if (segment !== '.') path.push(segment)
  }
  return path.join('/')
}

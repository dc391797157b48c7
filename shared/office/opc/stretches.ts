/** Which of several parts loops go over, as far as their texts tell: sheets of a workbook, slides of a presentation. */
import { Aliases } from '../../template/bind/aliases.ts'
import { decodeEntities } from '../../template/scan/xml.ts'

/** More tags than this in all parts are not looked at: such a template is told so when it is compiled. */
const tagsAtMost = 200_000

/**
 * `texts`: of the parts, in order. The numbers of those that lie between the beginning of a loop and its end in another
 * part, and of those that hold a tag dropping `element`.
 */
export function repeatedAmong(
  texts: readonly string[],
  declarations: readonly string[],
  element: string,
): Set<number> {
  const tags = texts.map(tagsOf)
  const aliases = new Aliases()
  for (const text of declarations) for (const tag of tagsOf(text)) aliases.declare(tag)
  for (const list of tags) for (const tag of list) aliases.declare(tag)
  const found = new Set<number>()
  const begun = new Map<string, number>() // array -> the part its loop begins in
  tags.forEach((list, at) => {
    const marks: { readonly array: string; readonly next: boolean }[] = []
    for (const tag of list) {
      if (tag.startsWith('#')) continue
      const text = aliases.expand(tag)
      const drops = /:(?:drop|keep)\('?(\w+)/.exec(text)
      if (drops?.[1] === element) found.add(at)
      marks.push(...iteratorsOf(text))
    }
    // What begins and ends in one part is a loop of that part.
    const inside = new Set<string>()
    const seen = new Set<string>()
    for (const { array, next } of marks) {
      if (!next) seen.add(array)
      else if (seen.has(array)) inside.add(array)
    }
    for (const { array, next } of marks) {
      if (inside.has(array)) continue
      const from = begun.get(array)
      if (!next) begun.set(array, from ?? at)
      else if (from !== undefined) {
        begun.delete(array)
        for (let between = from; between <= at; between += 1) found.add(between)
      }
    }
  })
  return found
}

function tagsOf(text: string): string[] {
  if (!text.includes('{')) return []
  const plain = text.replace(/<[^<>]*>/g, '')
  const found: string[] = []
  for (const [, inside = ''] of plain.matchAll(/\{([^{}]*)\}/g)) {
    if (!/[[#$]|drop|keep/.test(inside)) continue
    found.push(decodeEntities(inside).replace(/\s/g, ''))
    if (found.length > tagsAtMost) break
  }
  return found
}

/** Iterators of a tag with the array they go over; brackets in its path are all the same. */
function* iteratorsOf(tag: string): Iterable<{ array: string; next: boolean }> {
  const path = /^[^:]*/.exec(tag.replace(/'[^']*'/g, ''))![0]
  for (const found of path.matchAll(/\[([^\]]*)\]/g)) {
    const parts = found[1]!.split(',').filter((part) => part !== '' && !/[=<>]|^-?\d+$/.test(part))
    if (parts.length === 0) continue
    const next = parts.some((part) => part.includes('+'))
    yield { array: path.slice(0, found.index).replace(/\[[^\]]*\]/g, '[]'), next }
    if (next) return
  }
}

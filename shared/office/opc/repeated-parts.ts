/**
 * Determines from the texts of parts which of them loops iterate over: sheets of a workbook, slides of a
 * presentation.
 */
import { pushAll } from '../../push-all.ts'
import { Aliases } from '../../template/bind/aliases.ts'
import { withoutTags } from '../../xml/markup.ts'
import { decodeEntities } from '../../xml/scan.ts'

/** The maximum number of tags that are examined in all parts together. The compiler reports a template with more. */
const maxTags = 200_000

/**
 * Returns the indexes of the parts from the one where a loop begins to the one where it ends, and of those with a tag
 * that drops `element`. `texts` are those of the parts in order, `declarations` those of parts that may declare
 * aliases.
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
  const repeatedParts = new Set<number>()
  const beginnings = new Map<string, number>() // array -> the part its loop begins in
  tags.forEach((list, partIndex) => {
    const loopMarkers: { readonly array: string; readonly next: boolean }[] = []
    for (const tag of list) {
      if (tag.startsWith('#')) continue
      const text = aliases.expand(tag)
      const drops = /:(?:drop|keep)\('?(\w+)/.exec(text)
      if (drops?.[1] === element) repeatedParts.add(partIndex)
      pushAll(loopMarkers, iteratorsOf(text))
    }
    // A loop that begins and ends in one part repeats only content of that part.
    const completeLoops = new Set<string>()
    const arrays = new Set<string>()
    for (const { array, next } of loopMarkers) {
      if (!next) arrays.add(array)
      else if (arrays.has(array)) completeLoops.add(array)
    }
    for (const { array, next } of loopMarkers) {
      if (completeLoops.has(array)) continue
      const from = beginnings.get(array)
      if (!next) beginnings.set(array, from ?? partIndex)
      else if (from !== undefined) {
        beginnings.delete(array)
        for (let between = from; between <= partIndex; between += 1) repeatedParts.add(between)
      }
    }
  })
  return repeatedParts
}

function tagsOf(text: string): string[] {
  if (!text.includes('{')) return []
  const unmarked = withoutTags(text)
  const tags: string[] = []
  for (const [, content = ''] of unmarked.matchAll(/\{([^{}]*)\}/g)) {
    if (!/[[#$]|drop|keep/.test(content)) continue
    tags.push(decodeEntities(content).replace(/\s/g, ''))
    if (tags.length > maxTags) break
  }
  return tags
}

/** The iterators of a tag with the path of their array, in which every selector is written as `[]`. */
function* iteratorsOf(tag: string): Iterable<{ array: string; next: boolean }> {
  const path = /^[^:]*/.exec(tag.replace(/'[^']*'/g, ''))![0]
  for (const brackets of path.matchAll(/\[([^\]]*)\]/g)) {
    const parts = (brackets[1] ?? '').split(',').filter((part) => part !== '' && !/[=<>]|^-?\d+$/.test(part))
    if (parts.length === 0) continue
    const next = parts.some((part) => part.includes('+'))
    yield { array: path.slice(0, brackets.index).replace(/\[[^\]]*\]/g, '[]'), next }
    if (next) return
  }
}

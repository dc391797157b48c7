import type { Link } from '../../../../shared/document/properties.ts'
import { entryOf } from '../../../../shared/entry-of.ts'
import type { SlidePart } from './part.ts'

/** Slide show jumps (21.1.2.3.5), with the slide that they lead to. */
const jumps: Readonly<Record<string, (at: number, count: number) => number>> = {
  nextslide: (at) => at + 1,
  previousslide: (at) => at - 1,
  firstslide: () => 0,
  lastslide: (_, count) => count - 1,
}

/** a:hlinkClick (21.1.2.3.5): an address or another slide; undefined for other actions. */
export function readLink({ cursor, relationships, context, partName }: SlidePart): Link | undefined {
  const target = relationships.get(cursor.attribute('r:id') ?? '')
  if (target?.external === true) return target.target === '' ? undefined : { href: target.target }
  const anchorOfTarget = target && context.anchors.get(target.target)
  if (anchorOfTarget !== undefined) return { anchor: anchorOfTarget }
  const jump = /jump=(\w+)/.exec(cursor.attribute('action') ?? '')?.[1]
  const names = [...context.anchors.keys()]
  const at = names.indexOf(partName)
  const to = at < 0 || jump === undefined ? undefined : entryOf(jumps, jump)?.(at, names.length)
  const anchor = to === undefined ? undefined : context.anchors.get(names[to] ?? '')
  return anchor === undefined ? undefined : { anchor }
}

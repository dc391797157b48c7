/** Moved shapes of OpenDocument files. Source: template language 22.8; ODF 1.3 part 3, 19.573, 19.575 and 19.228. */
import { entryOf } from '../entry-of.ts'
import { bindShifts, type Shift } from '../template/media/shifts.ts'
import type { ElementToken, Token } from '../template/scan/tokens.ts'
import { attributesOf, cutOffAttribute, withoutAttributes } from '../xml/elements.ts'
import { inCentimetres } from './odf-pictures.ts'
import { odfShapes } from './odf-rules.ts'

const shapes = [...odfShapes, 'draw:control']
const positions: ReadonlySet<string> = new Set([
  'svg:x',
  'svg:y',
  'svg:x1',
  'svg:y1',
  'svg:x2',
  'svg:y2',
  'draw:transform',
])

/** Moves shapes with `:transform` tags by the values of the tags. */
export function bindMovedShapes(tokens: readonly Token[]): readonly Token[] {
  return bindShifts(tokens, shapes, ({ open, lead, shift }, edits) => {
    const token = tokens[open] as ElementToken
    const { raw, offset } = token
    // The tag ends within an attribute that contains a template tag: the element is not moved.
    if (cutOffAttribute(raw) !== undefined) return false
    const isCompleteTag = raw.endsWith('>')
    const attributes = [...attributesOf(raw)].filter(([name]) => positions.has(name))
    const withoutPosition = withoutAttributes(raw, (name) => positions.has(name)).replace(/\s*>$/, '')
    edits.replace(open, open + 1, [
      { kind: 'open', name: token.name, raw: withoutPosition, offset },
      ...lead,
      {
        kind: 'computed',
        offset,
        hidden: true,
        compute: (scope) =>
          attributes.map(([name, value]) => ` ${name}="${moved(name, value, shift(scope))}"`).join(''),
      },
      ...(isCompleteTag ? [{ kind: 'text', raw: '>', offset, markup: true } satisfies Token] : []),
    ])
    return true
  })
}

function moved(name: string, value: string, { x, y }: Shift): string {
  if (name !== 'draw:transform') return length(value, name.startsWith('svg:x') ? x : y)
  // The position of a rotated shape is in the last of its transformations.
  return value.replace(
    /translate\s*\(\s*(\S+)[\s,]+([^\s)]+)\s*\)(?![\s\S]*translate)/,
    (_, across: string, down: string) => `translate (${length(across, x)} ${length(down, y)})`,
  )
}

function length(text: string, inches: number): string {
  const [, number = '', unit = ''] = /^\s*(-?[\d.]+)([a-z]*)\s*$/.exec(text) ?? []
  const centimetres = Number(number) * (entryOf(inCentimetres, unit) ?? Number.NaN)
  return number === '' || Number.isNaN(centimetres)
    ? text
    : `${Number((centimetres + inches * 2.54).toFixed(4))}cm`
}

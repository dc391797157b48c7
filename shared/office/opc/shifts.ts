/** Moved shapes of slides and Word documents. Source: template language 22.8; ECMA-376-1, 20.1.7.6 and 20.4.2.12. */

import { bindShifts } from '../../template/media/shifts.ts'
import type { ElementToken, Token } from '../../template/scan/tokens.ts'
import { attributeOf } from '../../xml/elements.ts'

const emusPerInch = 914_400
const largest = 2_147_483_647
const moved = (text: string | undefined, inches: number): string =>
  String(Math.max(-largest, Math.min(largest, Math.round(Number(text ?? 0) + inches * emusPerInch))))

const shapes = ['p:sp', 'p:pic', 'p:cxnSp', 'p:graphicFrame', 'p:grpSp', 'wp:anchor']

/** Moves shapes with `:transform` tags by the values of the tags. */
export function bindMoved(tokens: readonly Token[]): readonly Token[] {
  return bindShifts(tokens, shapes, ({ open, close, shift }, edits) => {
    const word = (tokens[open] as ElementToken).name === 'wp:anchor'
    let axis: 'x' | 'y' = 'x'
    for (let index = open + 1; index < close; index += 1) {
      const token = tokens[index]
      if (token === undefined) break
      const { offset } = token
      if (!word) {
        // Producers write `<a:off x="1"/>` or `<a:off x="1"></a:off>`.
        const isPair = token.kind === 'open' && tokens[index + 1]?.kind === 'close'
        if ((token.kind !== 'void' && !isPair) || token.name !== 'a:off') continue
        const attribute = (name: string) => attributeOf(token.raw, name)
        edits.replace(index, isPair ? index + 2 : index + 1, [
          {
            kind: 'computed',
            offset,
            compute: (scope) =>
              `<a:off x="${moved(attribute('x'), shift(scope).x)}" y="${moved(attribute('y'), shift(scope).y)}"/>`,
          },
        ])
        // The rest is the coordinate space of the group's shapes, which move with it.
        return false
      }
      if (token.kind === 'open' && token.name === 'wp:positionH') axis = 'x'
      if (token.kind === 'open' && token.name === 'wp:positionV') axis = 'y'
      const text = tokens[index + 1]
      if (token.kind !== 'open' || token.name !== 'wp:posOffset' || text?.kind !== 'text') continue
      const attribute = axis
      edits.replace(index + 1, index + 2, [
        { kind: 'computed', offset, compute: (scope) => moved(text.raw.trim(), shift(scope)[attribute]) },
      ])
    }
    return false
  })
}

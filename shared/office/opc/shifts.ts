/** Moved shapes of slides and Word documents. Source: template language 22.8; ECMA-376-1, 20.1.7.6 and 20.4.2.12. */
import { bindShifts } from '../../template/media/shifts.ts'
import type { ElementToken, Token } from '../../template/scan/tokens.ts'

const emusPerInch = 914_400
const largest = 2_147_483_647
const moved = (text: string | undefined, inches: number): string =>
  String(Math.max(-largest, Math.min(largest, Math.round(Number(text ?? 0) + inches * emusPerInch))))

const shapes = ['p:sp', 'p:pic', 'p:cxnSp', 'p:graphicFrame', 'p:grpSp', 'wp:anchor']

export function bindMoved(tokens: readonly Token[]): readonly Token[] {
  return bindShifts(tokens, shapes, ({ open, close, shift }, edits) => {
    const word = (tokens[open] as ElementToken).name === 'wp:anchor'
    let axis: 'x' | 'y' = 'x'
    for (let at = open + 1; at < close; at += 1) {
      const token = tokens[at]!
      const { offset } = token
      if (!word) {
        if (token.kind !== 'void' || token.name !== 'a:off') continue
        const own = (name: string) => new RegExp(`\\s${name}="(-?\\d+)"`).exec(token.raw)?.[1]
        edits.replace(at, at + 1, [
          {
            kind: 'computed',
            offset,
            compute: (scope) =>
              `<a:off x="${moved(own('x'), shift(scope).x)}" y="${moved(own('y'), shift(scope).y)}"/>`,
          },
        ])
        // Behind it: the shapes of a group, which go along.
        return false
      }
      if (token.kind === 'open' && token.name === 'wp:positionH') axis = 'x'
      if (token.kind === 'open' && token.name === 'wp:positionV') axis = 'y'
      const text = tokens[at + 1]
      if (token.kind !== 'open' || token.name !== 'wp:posOffset' || text?.kind !== 'text') continue
      const own = axis
      edits.replace(at + 1, at + 2, [
        { kind: 'computed', offset, compute: (scope) => moved(text.raw.trim(), shift(scope)[own]) },
      ])
    }
    return false
  })
}

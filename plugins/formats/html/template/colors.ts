/** Colours from data in pages: the `style` attribute of the element around the tag. Source: template language 22.4. */
import {
  type ColorScope,
  type ColorSource,
  chosen,
  Edits,
  findColors,
  withAttributes,
} from '../../../../shared/template/media/colors.ts'
import type { Piece } from '../../../../shared/template/scan/pieces.ts'

const scopes: Readonly<Record<ColorScope, readonly string[]>> = {
  p: 'p li h1 h2 h3 h4 h5 h6 dt dd blockquote figcaption caption td th div'.split(' '),
  cell: ['td', 'th'],
  row: ['tr'],
  shape: ['div', 'section', 'article', 'figure', 'svg'],
  part: ['span', 'a', 'b', 'strong', 'em', 'i', 'u', 's', 'mark', 'small', 'code'],
  page: ['body', 'html'],
}
const properties: Readonly<Record<ColorSource['type'], (hex: string) => string>> = {
  text: (hex) => `color:#${hex}`,
  background: (hex) => `background-color:#${hex}`,
  highlight: (hex) => `background-color:#${hex}`,
  border: (hex) => `border-color:#${hex}`,
}

export function bindColors(pieces: readonly Piece[]): readonly Piece[] {
  const edits = new Edits()
  const found = findColors(pieces, scopes, edits)
  if (found === undefined) return pieces
  const byElement = new Map<number, ColorSource[]>()
  for (const source of found.sources)
    byElement.set(source.open, [...(byElement.get(source.open) ?? []), source])
  for (const [at, sources] of byElement) {
    const piece = pieces[at]!
    if (piece.kind !== 'open') continue
    edits.replace(
      at,
      at + 1,
      withAttributes(piece, found.lead(at), [
        {
          attribute: 'style',
          write: (notes, before) => {
            const set = sources.flatMap(({ key, type }) => {
              const hex = chosen(notes, [key])
              return hex === undefined ? [] : [properties[type](hex)]
            })
            const all = [
              ...(before === undefined || before.trim() === '' ? [] : [before.trim().replace(/;$/, '')]),
              ...set,
            ]
            return all.length === 0 ? '' : ` style="${all.join(';')}"`
          },
        },
      ]),
    )
  }
  found.settle()
  return edits.apply(pieces)
}

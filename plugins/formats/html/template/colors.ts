/** Colours from data in pages: the `style` attribute of the element around the tag. Source: template language 22.4. */
import {
  type ColorSource,
  type ColorTarget,
  chosen,
  Edits,
  findColors,
  withAttributes,
} from '../../../../shared/template/media/colors.ts'
import type { Token } from '../../../../shared/template/scan/tokens.ts'

const targets: Readonly<Record<ColorTarget, readonly string[]>> = {
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

/** Binds `:color` tags: the colours become declarations in the style attribute of their element. */
export function bindColors(tokens: readonly Token[]): readonly Token[] {
  const edits = new Edits()
  const colors = findColors(tokens, targets, edits)
  if (colors === undefined) return tokens
  const byElement = new Map<number, ColorSource[]>()
  for (const source of colors.sources)
    byElement.set(source.open, [...(byElement.get(source.open) ?? []), source])
  for (const [at, sources] of byElement) {
    const token = tokens[at]!
    if (token.kind !== 'open') continue
    edits.replace(
      at,
      at + 1,
      withAttributes(token, colors.lead(at), [
        {
          attribute: 'style',
          write: (scope, before) => {
            const set = sources.flatMap(({ key, type }) => {
              const hex = chosen(scope, [key])
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
  colors.settle()
  return edits.apply(tokens)
}

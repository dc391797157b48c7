/** Collects the font families of a page and its characters outside of Latin, for hosts that fetch fonts before the layout. */
import type { ComputedStyle } from '../../../../../shared/css/style.ts'
import type { DocumentFonts, FontRequest } from '../../fonts/font-book.ts'
import type { LayoutBox } from './box.ts'
import { familyOf, isBold, isItalic } from './text-font.ts'

const maxRequests = 200
const maxCharacters = 2000

export function neededFonts(
  root: LayoutBox,
  fonts: Pick<DocumentFonts, 'has'>,
  language: string | undefined,
): FontRequest[] {
  const requests = new Map<string, Omit<FontRequest, 'text'>>()
  const characters = new Set<string>()
  const seen = new Set<ComputedStyle>()
  const see = (style: ComputedStyle): void => {
    if (seen.has(style) || requests.size >= maxRequests) return
    seen.add(style)
    const family = familyOf(style.get('font-family') ?? '', fonts)
    const [bold, italic] = [isBold(style), isItalic(style)]
    requests.set(`${family} ${bold} ${italic}`, { family, bold, italic })
  }
  const waiting: LayoutBox[] = [root]
  for (let box = waiting.pop(); box !== undefined; box = waiting.pop()) {
    see(box.style)
    if (box.kind === 'out-of-flow') waiting.push(box.box)
    else if (box.kind === 'block') for (const child of box.children) waiting.push(child)
    else if (box.kind === 'table') {
      for (const caption of box.captions) waiting.push(caption)
      for (const row of box.rows) for (const { box: cell } of row.cells) waiting.push(cell)
    } else if (box.kind === 'lines')
      for (const item of box.items) {
        see(item.state.style)
        if (item.kind === 'atomic' || item.kind === 'out-of-flow') waiting.push(item.box)
        if (item.kind !== 'text' || !/[^\0-\u024f]/.test(item.text)) continue
        for (const character of item.text)
          if (character > '\u024f' && characters.size < maxCharacters) characters.add(character)
      }
  }
  const text = [...characters].join('')
  const languages = language === undefined ? {} : { languages: [language] }
  return [...requests.values()].map((request) => ({ ...request, text, ...languages }))
}

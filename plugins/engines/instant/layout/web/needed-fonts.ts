/** Collects the font families of a page and its characters outside of Latin, for hosts that fetch fonts before the layout. */
import type { ComputedStyle } from '../../../../../shared/css/style.ts'
import { pushAll } from '../../../../../shared/push-all.ts'
import type { DocumentFonts, FontRequest } from '../../fonts/font-book.ts'
import type { LayoutBox } from './box.ts'
import { familyOf, isBold, isItalic } from './text-font.ts'

const maxRequests = 200
const maxCharacters = 2000

/** Characters behind Latin Extended-B, for which a font with Latin letters may have no glyph. */
const beyondLatin = /[^\0-\u024f]/

/** One request for each face that the boxes name, each with the characters that the page has outside of Latin. */
export function neededFonts(
  root: LayoutBox,
  fonts: Pick<DocumentFonts, 'has'>,
  language: string | undefined,
): FontRequest[] {
  const faces = new Map<string, Omit<FontRequest, 'text'>>()
  const characters = new Set<string>()
  const visitedStyles = new Set<ComputedStyle>()
  const addFace = (style: ComputedStyle): void => {
    if (visitedStyles.has(style) || faces.size >= maxRequests) return
    visitedStyles.add(style)
    const family = familyOf(style.get('font-family') ?? '', fonts)
    const [bold, italic] = [isBold(style), isItalic(style)]
    faces.set(`${family} ${bold} ${italic}`, { family, bold, italic })
  }
  const addCharacters = (text: string): void => {
    if (!beyondLatin.test(text)) return
    for (const character of text)
      if (character > '\u024f' && characters.size < maxCharacters) characters.add(character)
  }
  const unvisited: LayoutBox[] = [root]
  for (let box = unvisited.pop(); box !== undefined; box = unvisited.pop()) {
    addFace(box.style)
    pushAll(unvisited, boxesIn(box))
    if (box.kind !== 'lines') continue
    for (const item of box.items) {
      addFace(item.state.style)
      if (item.kind === 'text') addCharacters(item.text)
    }
  }
  const text = [...characters].join('')
  const languages = language === undefined ? {} : { languages: [language] }
  return [...faces.values()].map((face) => ({ ...face, text, ...languages }))
}

/** The boxes that a box contains itself. */
function boxesIn(box: LayoutBox): readonly LayoutBox[] {
  switch (box.kind) {
    case 'out-of-flow':
      return [box.box]
    case 'block':
      return box.children
    case 'table':
      return [...box.captions, ...box.rows.flatMap((row) => row.cells.map((cell) => cell.box))]
    case 'lines':
      return box.items.flatMap((item) =>
        item.kind === 'atomic' || item.kind === 'out-of-flow' ? [item.box] : [],
      )
    case 'picture':
      return []
    default:
      return box satisfies never
  }
}

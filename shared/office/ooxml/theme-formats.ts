/** The format scheme of a theme: the fills and lines that shapes and slides refer to by number (ECMA-376-1 20.1.4.1.14). */
import { XmlCursor } from '../../xml/cursor.ts'
import type { Relationships } from './relationships.ts'
import { wordVocabulary } from './vocabulary.ts'

/** Markup of the styles in their order. It names the placeholder colour `phClr`, so it is read at each use. */
export interface ThemeFormats {
  readonly fills: readonly string[]
  readonly lines: readonly string[]
  readonly backgrounds: readonly string[]
  /** Those of the theme part, for the pictures of its fills. */
  readonly relationships: Relationships
}

export const noFormats: ThemeFormats = { fills: [], lines: [], backgrounds: [], relationships: new Map() }

/** Themes have three styles of each kind; more than this are dropped. */
const maxStyles = 16

/** Reads the format scheme of a theme part. */
export function readThemeFormats(xml: string, relationships: Relationships): ThemeFormats {
  const lists = new Map<string, string[]>()
  const cursor = new XmlCursor(xml, wordVocabulary)
  if (!cursor.root()) return noFormats
  const visit = (name: string): void => {
    if (name === 'a:themeElements' || name === 'a:fmtScheme') cursor.each(visit)
    else if (name === 'a:fillStyleLst' || name === 'a:lnStyleLst' || name === 'a:bgFillStyleLst') {
      const list = lists.get(name) ?? []
      lists.set(name, list)
      cursor.each(() => void (list.length < maxStyles && list.push(cursor.markup())))
    }
  }
  cursor.each(visit)
  return {
    fills: lists.get('a:fillStyleLst') ?? [],
    lines: lists.get('a:lnStyleLst') ?? [],
    backgrounds: lists.get('a:bgFillStyleLst') ?? [],
    relationships,
  }
}

const drawing = 'http://schemas.openxmlformats.org/drawingml/2006/main'
const related = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A cursor whose root has the style as its only child. The prefixes of the style are declared again. */
export function cursorOnStyle(markup: string): XmlCursor {
  const [name = ''] = markup.slice(1).split(' ', 1)[0]!.split('>', 1)
  const prefix = name.includes(':') ? name.slice(0, name.indexOf(':')) : undefined
  const declaration = prefix === undefined ? `xmlns="${drawing}"` : `xmlns:${prefix}="${drawing}"`
  const others = ['a', 'r']
    .filter((other) => other !== prefix)
    .map((other) => `xmlns:${other}="${other === 'a' ? drawing : related}"`)
  const cursor = new XmlCursor(`<style ${declaration} ${others.join(' ')}>${markup}</style>`, wordVocabulary)
  cursor.root()
  return cursor
}

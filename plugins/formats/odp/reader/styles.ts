import { entryOf } from '../../../../shared/entry-of.ts'
import type { FlowAlign, FlowStyle } from '../../../../shared/flow/flow.ts'
import type { XmlCursor } from '../../../../shared/xml/cursor.ts'

/** Properties of a style that are kept in text without layout (ODF 1.3 part 3, 16). */
export interface SlideStyle {
  readonly parent?: string | undefined
  readonly text: FlowStyle
  readonly size?: number // pt
  readonly align?: FlowAlign | undefined
  /** text:enable-numbering; false if a paragraph of a list has no label. */
  readonly numbered?: boolean
  readonly listStyle?: string | undefined
  readonly hidden?: boolean // the page is hidden
}

/** The label of each level of a list style, from 0. */
export type ListLevels = ReadonlyMap<
  number,
  { readonly list: 'bullets' | 'numbers' | undefined; readonly start: number }
>

/** Styles by '<family> <name>' and list styles by name. */
export interface SlideStyles {
  readonly styles: Map<string, SlideStyle>
  readonly lists: Map<string, ListLevels>
}

const monospaced = /courier|mono|consolas|menlo|fixed/i
const aligns: Readonly<Record<string, FlowAlign>> = { center: 'center', end: 'right', right: 'right' }
/** The maximum number of styles, beyond that of real presentations. */
const maxStyles = 200_000

/** Reads office:styles or office:automatic-styles at the cursor. Later styles replace earlier ones. */
export function readStyles(cursor: XmlCursor, { styles, lists }: SlideStyles): void {
  cursor.each((name) => {
    if (styles.size + lists.size > maxStyles) return
    if (name === 'style:style') {
      const key = `${cursor.attribute('style:family') ?? ''} ${cursor.attribute('style:name') ?? ''}`
      styles.set(key, readStyle(cursor))
    } else if (name === 'text:list-style')
      lists.set(cursor.attribute('style:name') ?? '', readListLevels(cursor))
  })
}

function readStyle(cursor: XmlCursor): SlideStyle {
  const parent = cursor.attribute('style:parent-style-name')
  const listStyle = cursor.attribute('style:list-style-name') || undefined
  let text: FlowStyle = {}
  let size: number | undefined
  let align: FlowAlign | undefined
  let numbered: boolean | undefined
  let hidden = false
  cursor.each((name) => {
    if (name === 'style:text-properties') {
      text = readTextStyle(cursor)
      size = Number.parseFloat(/^[\d.]+(?=pt$)/.exec(cursor.attribute('fo:font-size') ?? '')?.[0] ?? '')
    } else if (name === 'style:paragraph-properties') {
      align = entryOf(aligns, cursor.attribute('fo:text-align'))
      const enabled = cursor.attribute('text:enable-numbering')
      if (enabled !== undefined) numbered = enabled === 'true'
    } else if (name === 'style:drawing-page-properties')
      hidden = cursor.attribute('presentation:visibility') === 'hidden'
  })
  return {
    parent,
    text,
    align,
    listStyle,
    hidden,
    ...(numbered !== undefined && { numbered }),
    ...(size !== undefined && size > 0 && { size }),
  }
}

function readTextStyle(cursor: XmlCursor): FlowStyle {
  const isSet = (name: string): boolean => (cursor.attribute(name) ?? 'none') !== 'none'
  const weight = cursor.attribute('fo:font-weight') ?? ''
  const position = cursor.attribute('style:text-position') ?? ''
  const font = cursor.attribute('style:font-name') ?? cursor.attribute('fo:font-family') ?? ''
  const raised = position.startsWith('super') || Number.parseFloat(position) > 0
  const lowered = position.startsWith('sub') || Number.parseFloat(position) < 0
  return {
    ...((weight === 'bold' || Number(weight) >= 600) && { bold: true }),
    ...(/italic|oblique/.test(cursor.attribute('fo:font-style') ?? '') && { italic: true }),
    ...(isSet('style:text-underline-style') && { underline: true }),
    ...(isSet('style:text-line-through-style') && { strike: true }),
    ...(raised && { script: 'super' as const }),
    ...(lowered && { script: 'sub' as const }),
    ...(monospaced.test(font) && { code: true }),
  }
}

function readListLevels(cursor: XmlCursor): ListLevels {
  const levels = new Map<number, { list: 'bullets' | 'numbers' | undefined; start: number }>()
  cursor.each((name) => {
    const level = Number(cursor.attribute('text:level') ?? 1) - 1
    if (name === 'text:list-level-style-number') {
      const isEmpty = (cursor.attribute('style:num-format') ?? '') === ''
      const start = Math.max(0, Math.trunc(Number(cursor.attribute('text:start-value') ?? 1)) || 0)
      levels.set(level, { list: isEmpty ? undefined : 'numbers', start })
    } else if (name === 'text:list-level-style-bullet') {
      const isEmpty = (cursor.attribute('text:bullet-char') ?? '').trim() === ''
      levels.set(level, { list: isEmpty ? undefined : 'bullets', start: 1 })
    } else if (name === 'text:list-level-style-image') levels.set(level, { list: 'bullets', start: 1 })
  })
  return levels
}

/** The maximum length of a chain of parent styles, which also ends cycles. */
const maxParents = 20

/** The first value in the chain of a style and its parents. */
export function inheritedValue<K extends keyof SlideStyle>(
  { styles }: SlideStyles,
  family: string,
  name: string | undefined,
  key: K,
): SlideStyle[K] | undefined {
  let at = name
  for (let step = 0; at !== undefined && step < maxParents; step++) {
    const style = styles.get(`${family} ${at}`)
    if (style?.[key] !== undefined) return style[key]
    at = style?.parent
  }
  return undefined
}

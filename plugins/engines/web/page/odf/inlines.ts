/** The content of a paragraph: text with styles, and what is between the texts. */
import { spaced, xml } from '../../../../../shared/flow/write-odf.ts'
import type { PageOdfStyles } from './document.ts'
import type { OdfAttributes } from './nodes.ts'

export type OdfInline =
  | {
      readonly kind: 'text'
      readonly text: string
      readonly attributes: OdfAttributes
      readonly link?: string
      readonly keptSpace?: 'lines' | 'all' // which white space is preserved
    }
  | { readonly kind: 'break' }
  /** `visible`: whether it occupies space on the line. */
  | {
      readonly kind: 'xml'
      readonly xml: string
      readonly visible: boolean
      readonly link?: string
      readonly tab?: number // the position that the tab leads to, pt
    }

/**
 * Collapses white space (CSS Text Level 3, 4.1): sequences become one space, and spaces at the ends of lines
 * are removed.
 */
export function collapsed(inlines: readonly OdfInline[]): readonly OdfInline[] {
  const out: OdfInline[] = []
  let blank = true
  const trim = () => {
    for (let at = out.length - 1; at >= 0; at--) {
      const inline = out[at] as OdfInline
      if (inline.kind === 'xml' && !inline.visible) continue
      if (inline.kind !== 'text' || inline.keptSpace === 'all' || !inline.text.endsWith(' ')) return
      const text = inline.text.slice(0, -1)
      if (text === '') out.splice(at, 1)
      else out[at] = { ...inline, text }
      return
    }
  }
  for (const inline of inlines) {
    if (inline.kind !== 'text') {
      if (inline.kind === 'break') trim()
      out.push(inline)
      if (inline.kind === 'break') blank = true
      else if (inline.visible) blank = false
      continue
    }
    if (inline.keptSpace === 'all') {
      if (inline.text !== '') out.push(inline)
      blank = blank && inline.text === ''
      continue
    }
    const lines = inline.keptSpace === 'lines' ? inline.text.split('\n') : [inline.text]
    for (const [at, line] of lines.entries()) {
      if (at > 0) {
        trim()
        out.push({ kind: 'break' })
        blank = true
      }
      let text = line.replace(/[ \t\r\n\f]+/g, ' ')
      if (blank) text = text.replace(/^ /, '')
      if (text === '') continue
      blank = text.endsWith(' ')
      out.push({ ...inline, text })
    }
  }
  trim()
  return out
}

/** Whether anything of the content is visible. */
export function isVisible(inlines: readonly OdfInline[]): boolean {
  return inlines.some((inline) =>
    inline.kind === 'text' ? inline.text !== '' : inline.kind === 'break' || inline.visible,
  )
}

export function writeInlines(
  inlines: readonly OdfInline[],
  paragraph: OdfAttributes,
  styles: PageOdfStyles,
): string {
  const joined: OdfInline[] = []
  for (const inline of inlines) {
    const last = joined.at(-1)
    if (
      inline.kind === 'text' &&
      last?.kind === 'text' &&
      last.link === inline.link &&
      last.keptSpace === inline.keptSpace &&
      sameAttributes(last.attributes, inline.attributes)
    )
      joined[joined.length - 1] = { ...last, text: last.text + inline.text }
    else joined.push(inline)
  }
  // The last break of a block ends its line without starting another one.
  const last = joined.findLastIndex((inline) => inline.kind !== 'xml' || inline.visible)
  if (last > 0 && joined[last]?.kind === 'break') joined.splice(last, 1)
  return joined
    .map((inline) => {
      if (inline.kind === 'break') return '<text:line-break/>'
      if (inline.kind === 'xml') return linked(inline.xml, inline.link)
      const style = styles.span(inline.attributes, paragraph)
      const text = spaced(inline.keptSpace === 'all' ? inline.text.replace(/\r\n?/g, '\n') : inline.text)
      return linked(
        style === undefined ? text : `<text:span text:style-name="${style}">${text}</text:span>`,
        inline.link,
      )
    })
    .join('')
}

function linked(content: string, link: string | undefined): string {
  return link === undefined
    ? content
    : `<text:a xlink:type="simple" xlink:href="${xml(link)}" text:style-name="Internet_20_link" text:visited-style-name="Internet_20_link">${content}</text:a>`
}

function sameAttributes(left: OdfAttributes, other: OdfAttributes): boolean {
  if (left === other) return true
  for (const [name, value] of left) if (other.get(name) !== value) return false
  return true
}

/**
 * HTML on slides. Paragraphs and lists become paragraphs with native bullets and numbers (`html-paragraphs.ts`), and table
 * rows become lines with tabs, since a text body cannot contain tables. Text without blocks stays in the paragraph of the
 * tag. Source: template language 22.5; ECMA-376-1, 21.1.2.3.
 */

import type { Additions } from '../../../../shared/office/opc/additions.ts'
import { bindHtml, type HtmlContent, type HtmlSurroundings } from '../../../../shared/template/html/bind.ts'
import type { HtmlBlock, HtmlInline } from '../../../../shared/template/html/model.ts'
import { characters, inlinesOf } from '../../../../shared/template/html/plain.ts'
import { linkAddress } from '../../../../shared/template/media/link.ts'
import type { Token } from '../../../../shared/template/scan/tokens.ts'
import type { RenderScope } from '../../../../shared/template/scope.ts'
import { attributesOf, elementIn, elementsIn } from '../../../../shared/xml/elements.ts'
import { escapeAttribute, escapeText } from '../../../../shared/xml/markup.ts'
import { slideParagraphs } from './html-paragraphs.ts'
import { namedSlides } from './places.ts'

/** The implementation of `OpenOpc.content` for slides: HTML in the text bodies of shapes and table cells. */
export function slideContent(text: (part: string) => string | undefined, additions: Additions) {
  const named = namedSlides(text)
  return {
    prepare: (part: string, tokens: readonly Token[]) =>
      bindHtml(named(part, tokens), {
        paragraphs: ['a:p'],
        splittable: new Set(['a:r', 'a:t']),
        properties: new Set(['a:pPr', 'a:rPr', 'a:endParaRPr']),
        silent: new Set(),
        looseInline: true,
        reopened: (raw) => raw,
        writer: (surroundings) => slideWriter(part, surroundings, additions),
      }),
    finish: () => undefined,
  }
}

function slideWriter(part: string, { path }: HtmlSurroundings, additions: Additions) {
  const runProperties = path.findLast(({ name }) => name === 'a:r')?.properties ?? ''
  const isRun = path.at(-1)?.name === 'a:t' && path.at(-2)?.name === 'a:r'
  const runs = (inlines: readonly HtmlInline[], content: HtmlContent, scope: RenderScope) =>
    inlines
      .map((inline) => run(inline, runProperties, content, (address) => additions.link(scope, part, address)))
      .join('')
  return {
    blocks: (blocks: readonly HtmlBlock[], content: HtmlContent, scope: RenderScope) =>
      slideParagraphs(blocks, path[0]?.properties ?? '')
        .map(({ properties, inlines }) => `<a:p>${properties}${runs(inlines, content, scope)}</a:p>`)
        .join(''),
    inline(blocks: readonly HtmlBlock[], content: HtmlContent, scope: RenderScope): string {
      const inlines = inlinesOf(blocks)
      // A field cannot contain runs, so only its text is written.
      if (!isRun) return escapeText(inlines.map(characters).join(''))
      return `</a:t></a:r>${runs(inlines, content, scope)}<a:r>${runProperties}<a:t>`
    },
  }
}

function run(
  inline: HtmlInline,
  runProperties: string,
  content: HtmlContent,
  link: (address: string) => string,
): string {
  if (inline.kind === 'break') return `<a:br>${runProperties}</a:br>`
  const text = characters(inline)
  return text === ''
    ? ''
    : `<a:r>${writeRunProperties(inline, runProperties, content, link)}<a:t>${escapeText(text)}</a:t></a:r>`
}

const relationships = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
/** The children of run properties in schema order. Alternatives that exclude each other are adjacent. */
const order = [
  ['a:ln'],
  ['a:noFill', 'a:solidFill', 'a:gradFill', 'a:blipFill', 'a:pattFill', 'a:grpFill'],
  ['a:effectLst', 'a:effectDag'],
  ['a:highlight'],
  ['a:uLnTx', 'a:uLn'],
  ['a:uFillTx', 'a:uFill'],
  ['a:latin'],
  ['a:ea'],
  ['a:cs'],
  ['a:sym'],
  ['a:hlinkClick'],
] as const

function writeRunProperties(
  { style }: HtmlInline,
  runProperties: string,
  content: HtmlContent,
  link: (address: string) => string,
): string {
  const properties = elementIn(runProperties, 'a:rPr')
  const attributes = attributesOf(properties?.attributes ?? '')
  const inside = properties?.content ?? ''
  if (style.bold !== undefined) attributes.set('b', style.bold ? '1' : '0')
  if (style.italic !== undefined) attributes.set('i', style.italic ? '1' : '0')
  if (style.underline !== undefined) attributes.set('u', style.underline ? 'sng' : 'none')
  if (style.strike === true) attributes.set('strike', 'sngStrike')
  if (style.position !== undefined) attributes.set('baseline', style.position === 'sup' ? '30000' : '-25000')
  const children = new Map<number, string>()
  for (const { name, start, end } of elementsIn(inside)) {
    const position = order.findIndex((names) => (names as readonly string[]).includes(name))
    if (position >= 0) children.set(position, inside.slice(start, end))
  }
  const set = (name: string, markup: string) =>
    children.set(
      order.findIndex((names) => (names as readonly string[]).includes(name)),
      markup,
    )
  const fill = (color: string) => `<a:srgbClr val="${color}"/>`
  if (style.color !== undefined) set('a:solidFill', `<a:solidFill>${fill(style.color)}</a:solidFill>`)
  const background = style.background ?? (style.highlighted === true ? 'FFFF00' : undefined)
  if (background !== undefined) set('a:highlight', `<a:highlight>${fill(background)}</a:highlight>`)
  const font = style.font ?? (style.code === true ? 'Courier New' : undefined)
  if (font !== undefined) set('a:latin', `<a:latin typeface="${escapeAttribute(font)}"/>`)
  if (style.size !== undefined) attributes.set('sz', String(Math.round(style.size * 100)))
  const { fallback } = content
  const address =
    style.link === undefined
      ? undefined
      : (linkAddress(style.link) ?? (fallback === undefined ? undefined : linkAddress(fallback)))
  // Positions inside a presentation have no address of this kind.
  if (address !== undefined && !address.startsWith('#'))
    set('a:hlinkClick', `<a:hlinkClick ${relationships} r:id="${link(address)}"/>`)
  const written = [...attributes].map(([name, value]) => ` ${name}="${value}"`).join('')
  const sorted = [...children].sort(([a], [b]) => a - b).map(([, markup]) => markup)
  return sorted.length === 0 ? `<a:rPr${written}/>` : `<a:rPr${written}>${sorted.join('')}</a:rPr>`
}

/** What stands in a line of a page: text, pictures, controls of forms, text that a sheet adds. */
import { spaced, xml } from '../../../../shared/flow/write-odf.ts'
import type { Styled } from './css/cascade.ts'
import { attributeOf } from './css/selector.ts'
import type { Style } from './css/style.ts'
import type { OdfStyles } from './odf/document.ts'
import type { Piece } from './odf/inlines.ts'
import { type Around, aroundOf, textLook } from './odf/looks.ts'
import type { Values } from './odf/nodes.ts'
import type { Pictures } from './pictures.ts'
import { isText, type Kid, type Tree } from './tree.ts'

export interface InlineTools {
  readonly tree: Tree
  readonly styles: OdfStyles
  readonly pictures: Pictures
  /** Names that links of the page lead to. */
  readonly linked: ReadonlySet<string>
}

const deepest = 200
const blank = '__________'
/** Of an element that stands on every page: what its text is there. */
const fields: Readonly<Record<string, string>> = {
  pageNumber: '<text:page-number text:select-page="current">1</text:page-number>',
  totalPages: '<text:page-count>1</text:page-count>',
  title: '<text:title/>',
  date: '<text:date/>',
}

export function inlinesOf(
  tools: InlineTools,
  of: Styled,
  kids: readonly Kid[],
  around: Around,
  room: number,
): readonly Piece[] {
  const pieces: Piece[] = []
  const words = textOf(of.style, around)
  const added = kids === tools.tree.kids(of)
  const generated = (pseudo: 'before' | 'after', one: Styled, at: Around) => {
    const made = tools.tree.cascade.generated(one, pseudo)
    if (made === undefined || made.text === '' || made.style.word('position') === 'absolute') return
    pieces.push({
      ...words,
      kind: 'text',
      text: made.text,
      look: textLook(made.style, aroundOf(made.style, at)),
      kept: 'lines',
    })
  }
  const walk = (parent: Styled, children: readonly Kid[], look: Around, depth: number): void => {
    const text = parent === of ? words : textOf(parent.style, look)
    for (const kid of children) {
      if (isText(kid)) {
        pieces.push({ kind: 'text', text: kid.value, ...text })
        continue
      }
      const { tagName, properties } = kid.element
      const id =
        attributeOf(kid.element, 'id') ?? (tagName === 'a' ? attributeOf(kid.element, 'name') : undefined)
      if (id !== undefined && tools.linked.has(id))
        pieces.push({ kind: 'xml', xml: `<text:bookmark text:name="${xml(id)}"/>`, shown: false })
      const inner = aroundOf(kid.style, look)
      if (tagName === 'br') pieces.push({ kind: 'break' })
      else if (tagName === 'img' || tagName === 'svg') pieces.push(...pictureOf(tools, kid, inner, room))
      else if (tagName === 'input' || tagName === 'select' || tagName === 'textarea') {
        const shown = controlOf(kid)
        if (shown !== '')
          pieces.push({ kind: 'text', text: shown, ...textOf(kid.style, inner), kept: 'lines' })
      } else if (depth < deepest) {
        const field = fieldOf(kid)
        if (field !== undefined) {
          pieces.push({ kind: 'xml', xml: field, shown: true })
          continue
        }
        const link = tagName === 'a' ? linkOf(String(properties['href'] ?? '')) : undefined
        const next = link === undefined ? inner : { ...inner, link }
        // Colour behind a text goes as far as that does: the room around it is a space there.
        const padded =
          kid.style.color('background-color') !== undefined && (kid.style.length('padding-left') ?? 0) > 2.5
        const side = (): Piece => ({ kind: 'text', text: '\u00a0', ...textOf(kid.style, next) })
        if (padded) pieces.push(side())
        generated('before', kid, next)
        walk(kid, tools.tree.kids(kid), next, depth + 1)
        generated('after', kid, next)
        if (padded) pieces.push(side())
        pieces.push(...roomBehind(kid, textOf(kid.style, next), room))
      }
    }
  }
  if (added) generated('before', of, around)
  walk(of, kids, around, 0)
  if (added) generated('after', of, around)
  return pieces
}

/** A label of a width of its own: what comes next stands behind it. A space keeps apart what margins do. */
function roomBehind(
  { style }: Styled,
  text: { look: Values; link?: string; kept?: 'lines' | 'all' },
  room: number,
): readonly Piece[] {
  if (!style.display.startsWith('inline-')) return []
  const width = style.length('width', room)
  if (width !== undefined && width > style.size && width < room * 0.9) {
    const tab = Math.round((width + (style.length('margin-right') ?? 0)) * 10) / 10
    return [{ kind: 'xml', xml: '<text:tab/>', shown: true, tab }]
  }
  return (style.length('margin-right') ?? 0) > 2 ? [{ kind: 'text', text: ' ', ...text }] : []
}

function textOf(style: Style, around: Around): { look: Values; link?: string; kept?: 'lines' | 'all' } {
  const space = style.word('white-space') ?? 'normal'
  const kept =
    space === 'pre-line' ? 'lines' : /^(?:pre|pre-wrap|break-spaces)$/.test(space) ? 'all' : undefined
  return {
    look: textLook(style, around),
    ...(around.link !== undefined && { link: around.link }),
    ...(kept && { kept }),
  }
}

/** Only what leads somewhere: no scripts. */
function linkOf(href: string): string | undefined {
  const plain = href.trim()
  if (plain === '' || plain === '#') return undefined
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(plain)?.[1]?.toLowerCase()
  return scheme === undefined || ['http', 'https', 'mailto', 'tel', 'ftp', 'sms'].includes(scheme)
    ? plain
    : undefined
}

function pictureOf(tools: InlineTools, one: Styled, around: Around, room: number): readonly Piece[] {
  const frame = tools.pictures.frame(one, room, tools.styles)
  const link = around.link === undefined ? {} : { link: around.link }
  if (frame !== undefined) return [{ kind: 'xml', xml: frame, shown: true, ...link }]
  const source = String(one.element.properties['src'] ?? '')
  const text = attributeOf(one.element, 'alt') ?? ''
  // Nothing is fetched here: the reader can follow it.
  const address = /^https?:/i.test(source) ? source : undefined
  const shown = text || (attributeOf(one.element, 'alt') === undefined ? (address ?? '') : '')
  if (shown === '') return []
  const to = around.link ?? address
  return [
    { kind: 'text', text: shown, look: textLook(one.style, around), ...(to !== undefined && { link: to }) },
  ]
}

/** What a control says; a line where something is to be written. */
function controlOf({ element }: Styled): string {
  const value = attributeOf(element, 'value') ?? ''
  if (element.tagName === 'select') {
    const options = element.children.flatMap((child) =>
      child.type !== 'element'
        ? []
        : child.tagName === 'optgroup'
          ? child.children.filter((one) => one.type === 'element')
          : [child],
    )
    const chosen = options.find((option) => option.properties['selected'] === true) ?? options[0]
    return chosen === undefined ? blank : plainText(chosen).trim() || blank
  }
  if (element.tagName === 'textarea') return plainText(element) || blank
  const type = (attributeOf(element, 'type') ?? 'text').toLowerCase()
  if (type === 'hidden' || type === 'file' || type === 'range' || type === 'color') return ''
  const checked = element.properties['checked'] === true
  if (type === 'checkbox') return checked ? '\u2611' : '\u2610'
  if (type === 'radio') return checked ? '\u25c9' : '\u25cb'
  if (type === 'image') return attributeOf(element, 'alt') ?? ''
  if (type === 'submit' || type === 'reset' || type === 'button') return value
  return type === 'password' ? blank : value || blank
}

function plainText(element: { readonly children: readonly { readonly type: string }[] }): string {
  return element.children
    .map((child) => (child.type === 'text' && 'value' in child ? String(child.value) : ''))
    .join('')
}

function fieldOf({ element }: Styled): string | undefined {
  if (element.tagName !== 'span' || element.children.some((child) => child.type === 'element'))
    return undefined
  const names = element.properties['className']
  const name = Array.isArray(names) ? names.map(String).find((one) => Object.hasOwn(fields, one)) : undefined
  return name === undefined || spaced(plainText(element)).trim() !== '' ? undefined : fields[name]
}

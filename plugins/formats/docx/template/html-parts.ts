/**
 * Additions to a document that HTML needs besides its text: list definitions and styles. They are collected while a
 * render writes and added to their parts at its end. Source: ECMA-376-1, 17.7 and 17.9.
 */

import { maxOf } from '../../../../shared/extremes.ts'
import type { Additions } from '../../../../shared/office/opc/additions.ts'
import type { HtmlList, ListMarker } from '../../../../shared/template/html/model.ts'
import type { PackageWriter } from '../../../../shared/template/package-writer.ts'
import { type RenderScope, scopeKey } from '../../../../shared/template/scope.ts'
import { attributeOf, elementIn, elementsIn, insertInto, tagsIn } from '../../../../shared/xml/elements.ts'

const namespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const main = 'word/document.xml'
const numberingType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml'
const numberingPart = 'word/numbering.xml'
const stylesType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml'
const stylesPart = 'word/styles.xml'

interface StyleDefinition {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly isDefault: boolean
}

/** Provides the ids that the HTML of a render uses in styles and numbering, and adds missing definitions to these parts. */
export interface HtmlParts {
  /** Returns the id of a new numbering for a list. */
  list(scope: RenderScope, list: HtmlList, level: number): number
  /** The id of the style of a heading; undefined in a document without styles. */
  heading(scope: RenderScope, level: number): string | undefined
  /** The id of a style, by its id or by its display name; undefined when there is no such style. */
  style(type: 'paragraph' | 'character' | 'table', name: string): string | undefined
  /** The names of the styles of a type. */
  styleNames(type: 'paragraph' | 'table'): readonly string[]
  /**
   * The id of the character style of links, or with `isUnstyled` of one without formatting. LibreOffice keeps a link in
   * a PDF only if its text has a character style.
   */
  link(scope: RenderScope, isUnstyled: boolean): string
  /** The width of the text of a page or column, in twips: that of the narrowest section. */
  textWidth(): number
  /** A picture number that is unique in this render. */
  drawing(scope: RenderScope): number
  finish(scope: RenderScope, writer: PackageWriter): void
}

interface Used {
  readonly abstracts: Map<ListMarker, number>
  readonly lists: { readonly abstract: number; readonly start: number; readonly level: number }[]
  readonly headings: Set<number>
  readonly links: Set<'usual' | 'bare'>
  drawings: number
}

/** Creates the parts. `text` returns the text of a part of the template. */
export function htmlParts(text: (part: string) => string | undefined, additions: Additions): HtmlParts {
  const numbering = text(numberingPart)
  const stylesText = text(stylesPart)
  let existing: ExistingDefinitions | undefined
  // The text of the document is available only while the template is opened.
  const width = textWidthOf(text(main))
  // Parsed only when a render writes HTML: most templates do not, and parsing styles takes a tenth of the time of compiling
  // them.
  const obtain = (): ExistingDefinitions => (existing ??= readExisting(numbering, stylesText ?? ''))
  const key = scopeKey<Used>('lists and styles for HTML')
  const used = (scope: RenderScope): Used =>
    scope.obtain(key, () => ({
      abstracts: new Map(),
      lists: [],
      headings: new Set(),
      links: new Set(),
      drawings: 0,
    }))
  return {
    list(scope, { marker, start }, level) {
      const { abstracts, lists } = used(scope)
      let abstract = abstracts.get(marker)
      if (abstract === undefined) abstracts.set(marker, (abstract = obtain().firstAbstract + abstracts.size))
      lists.push({ abstract, start, level })
      return obtain().firstList + lists.length - 1
    },
    heading(scope, level) {
      const { headings, styles } = obtain()
      const declared = headings[level - 1]
      if (declared !== undefined || stylesText === undefined) return declared
      used(scope).headings.add(level)
      return freeId(styles, `Heading${level}`)
    },
    style(type, name) {
      const { styles } = obtain()
      return (styles.find((style) => style.type === type && style.id === name) ?? byName(styles, type, name))
        ?.id
    },
    styleNames: (type) => obtain().styles.flatMap((style) => (style.type === type ? [style.name] : [])),
    link(scope, isUnstyled) {
      const { hyperlink, linkId, unstyledLinkId } = obtain()
      const declared = isUnstyled ? undefined : hyperlink
      if (declared === undefined) used(scope).links.add(isUnstyled ? 'bare' : 'usual')
      return declared ?? (isUnstyled ? unstyledLinkId : linkId)
    },
    textWidth: () => width,
    drawing: (scope) => firstDrawing + ++used(scope).drawings,
    finish(scope, writer) {
      const usedParts = scope.get(key)
      if (usedParts === undefined) return
      const { styles, firstList, linkId, unstyledLinkId } = obtain()
      const encoder = new TextEncoder()
      if (usedParts.lists.length > 0) {
        const part = encoder.encode(numberingWith(numbering, usedParts, firstList))
        if (numbering === undefined) {
          additions.relation(scope, main, `${office}/numbering`, numberingPart)
          additions.file(scope, numberingPart, part, numberingType)
        } else writer.add(numberingPart, part)
      }
      const base = styles.find(({ type, isDefault }) => type === 'paragraph' && isDefault)?.id
      const added = [
        ...[...usedParts.headings].map((level) =>
          headingStyle(level, freeId(styles, `Heading${level}`), base),
        ),
        ...(usedParts.links.has('usual') ? [linkStyle(linkId)] : []),
        ...(usedParts.links.has('bare') ? [unstyledLinkStyle(unstyledLinkId)] : []),
      ].join('')
      if (added === '') return
      if (stylesText === undefined) {
        const part = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:styles xmlns:w="${namespace}">${added}</w:styles>`
        additions.relation(scope, main, `${office}/styles`, stylesPart)
        additions.file(scope, stylesPart, encoder.encode(part), stylesType)
        return
      }
      writer.add(stylesPart, encoder.encode(insertInto(stylesText, 'w:styles', added)))
    },
  }
}

/** The definitions that the template has already. */
interface ExistingDefinitions {
  readonly styles: readonly StyleDefinition[]
  /** Ids of the styles of the six levels. */
  readonly headings: readonly (string | undefined)[]
  readonly hyperlink: string | undefined
  /** Ids of styles of links that a render may add. */
  readonly linkId: string
  readonly unstyledLinkId: string
  readonly firstAbstract: number
  readonly firstList: number
}

function readExisting(numbering: string | undefined, stylesText: string): ExistingDefinitions {
  const styles = readStyles(stylesText)
  return {
    styles,
    headings: [1, 2, 3, 4, 5, 6].map((level) => byName(styles, 'paragraph', `heading ${level}`)?.id),
    hyperlink: byName(styles, 'character', 'Hyperlink')?.id,
    linkId: freeId(styles, 'Hyperlink'),
    unstyledLinkId: freeId(styles, 'HtmlLink'),
    firstAbstract: numberAbove(numbering, 'w:abstractNum', 'w:abstractNumId'),
    firstList: Math.max(1, numberAbove(numbering, 'w:num', 'w:numId')),
  }
}

const byName = (
  styles: readonly StyleDefinition[],
  type: string,
  name: string,
): StyleDefinition | undefined =>
  styles.find((style) => style.type === type && normalised(style.name) === normalised(name))
const freeId = (styles: readonly StyleDefinition[], id: string): string =>
  styles.some((style) => style.id === id) ? freeId(styles, `${id}_`) : id

/** Higher than the numbers that editors assign to drawings, and than those of copied drawings. */
const firstDrawing = 100_000_000

const normalised = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '')

function readStyles(text: string): readonly StyleDefinition[] {
  return [...elementsIn(text, 'w:style')].map(({ attributes, content = '' }) => {
    const value = (name: string) => attributeOf(attributes, name) ?? ''
    return {
      id: value('w:styleId'),
      type: value('w:type'),
      name: attributeOf(elementIn(content, 'w:name')?.attributes ?? '', 'w:val') ?? '',
      isDefault: /^(?:1|true|on)$/.test(value('w:default')),
    }
  })
}

/** One more than the highest number in an attribute of these elements; 0 if there are none. */
function numberAbove(text: string | undefined, element: string, attribute: string): number {
  const numbers = [...tagsIn(text ?? '', element)].map((tag) => Number(attributeOf(tag, attribute)))
  return Math.max(-1, maxOf(numbers.filter(Number.isSafeInteger))) + 1
}

const defaultTextWidth = 9_000 // twips, for a page with ordinary margins

/** Source: ECMA-376-1, 17.6.4, 17.6.11 and 17.6.13. */
function textWidthOf(document: string | undefined): number {
  let narrowest: number | undefined
  for (const { content = '' } of elementsIn(document ?? '', 'w:sectPr')) {
    const value = (element: string, attribute: string) =>
      Number(attributeOf(elementIn(content, element)?.attributes ?? '', attribute) ?? Number.NaN)
    const page = value('w:pgSz', 'w:w') - value('w:pgMar', 'w:left') - value('w:pgMar', 'w:right')
    const columns = Math.max(1, value('w:cols', 'w:num') || 1)
    const width = (page - (columns - 1) * (value('w:cols', 'w:space') || 0)) / columns
    if (width >= minTextWidth) narrowest = Math.min(narrowest ?? width, width)
  }
  return Math.round(narrowest ?? defaultTextWidth)
}
const minTextWidth = 1_000 // twips; a narrower text is a mistake of the template

const bullets = ['•', '◦', '▪'] as const

function abstractNumbering(marker: ListMarker, id: number): string {
  const levels = Array.from({ length: 9 }, (_, level) => {
    const sign = marker === 'bullet' ? bullets[level % bullets.length] : `%${level + 1}.`
    return `<w:lvl w:ilvl="${level}"><w:start w:val="1"/><w:numFmt w:val="${marker}"/><w:lvlText w:val="${sign}"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="${720 * (level + 1)}" w:hanging="360"/></w:pPr></w:lvl>`
  })
  return `<w:abstractNum w:abstractNumId="${id}"><w:multiLevelType w:val="hybridMultilevel"/>${levels.join('')}</w:abstractNum>`
}

/** Adds definitions. Abstract definitions must precede the lists that use them. */
function numberingWith(existing: string | undefined, { abstracts, lists }: Used, firstList: number): string {
  const definitions = [...abstracts].map(([marker, id]) => abstractNumbering(marker, id)).join('')
  const numbers = lists
    .map(
      ({ abstract, start, level }, at) =>
        `<w:num w:numId="${firstList + at}"><w:abstractNumId w:val="${abstract}"/><w:lvlOverride w:ilvl="${level}"><w:startOverride w:val="${start}"/></w:lvlOverride></w:num>`,
    )
    .join('')
  const root = existing === undefined ? undefined : elementIn(existing, 'w:numbering')
  if (existing === undefined || root?.content === undefined)
    return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:numbering xmlns:w="${namespace}">${definitions}${numbers}</w:numbering>`
  // The last child may be a number that only Word for the Mac uses (17.9.20).
  const cleanup = elementIn(root.content, 'w:numIdMacAtCleanup')
  const last = cleanup === undefined ? root.contentEnd : root.contentStart + cleanup.start
  const firstNumber = elementIn(root.content, 'w:num')
  const first = firstNumber === undefined ? last : root.contentStart + firstNumber.start
  return existing.slice(0, first) + definitions + existing.slice(first, last) + numbers + existing.slice(last)
}

const headingSizes = [36, 30, 26, 24, 22, 22] // half points

function headingStyle(level: number, id: string, base: string | undefined): string {
  const size = headingSizes[level - 1]
  const basedOn = base === undefined ? '' : `<w:basedOn w:val="${base}"/><w:next w:val="${base}"/>`
  return `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="heading ${level}"/>${basedOn}<w:uiPriority w:val="9"/><w:unhideWhenUsed/><w:qFormat/><w:pPr><w:keepNext/><w:keepLines/><w:spacing w:before="${level < 3 ? 240 : 160}" w:after="80"/><w:outlineLvl w:val="${level - 1}"/></w:pPr><w:rPr><w:b/><w:bCs/><w:sz w:val="${size}"/><w:szCs w:val="${size}"/></w:rPr></w:style>`
}

const linkStyle = (id: string): string =>
  `<w:style w:type="character" w:styleId="${id}"><w:name w:val="Hyperlink"/><w:uiPriority w:val="99"/><w:unhideWhenUsed/><w:rPr><w:color w:val="0563C1"/><w:u w:val="single"/></w:rPr></w:style>`
const unstyledLinkStyle = (id: string): string =>
  `<w:style w:type="character" w:customStyle="1" w:styleId="${id}"><w:name w:val="HTML Link"/></w:style>`

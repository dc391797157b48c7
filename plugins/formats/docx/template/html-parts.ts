/**
 * What HTML needs beside the text of a document: list definitions and styles. They are collected while a render writes
 * and added to their parts at its end. Source: ECMA-376-1, 17.7 and 17.9.
 */

import type { Additions } from '../../../../shared/office/opc/additions.ts'
import type { HtmlList, ListMarker } from '../../../../shared/template/html/model.ts'
import type { PackageWriter } from '../../../../shared/template/package.ts'
import { type RenderScope, scopeKey } from '../../../../shared/template/scope.ts'

const namespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const main = 'word/document.xml'
const numberingType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml'
const numberingPart = 'word/numbering.xml'
const stylesType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml'
const stylesPart = 'word/styles.xml'

interface Style {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly isDefault: boolean
}

export interface HtmlParts {
  /** The id of a numbering of its own for a list. */
  list(scope: RenderScope, list: HtmlList, level: number): number
  /** The id of the style of a heading; undefined in a document without styles. */
  heading(scope: RenderScope, level: number): string | undefined
  /** The id of a style from its id or its name, as people know it; undefined when there is none such. */
  style(type: 'paragraph' | 'character' | 'table', name: string): string | undefined
  /**
   * The id of the character style of links; `bare`: of one without a look. LibreOffice keeps only links of a style in
   * the PDF that it makes.
   */
  link(scope: RenderScope, bare: boolean): string
  /** A number for a picture, unlike any other of this render. */
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

/** `text` gives the text of a part of the template. */
export function htmlParts(text: (part: string) => string | undefined, additions: Additions): HtmlParts {
  const numbering = text(numberingPart)
  const stylesText = text(stylesPart)
  const styles = readStyles(stylesText ?? '')
  const firstAbstract = above(numbering, /\sw:abstractNumId="(\d+)"/g)
  const firstList = Math.max(1, above(numbering, /<w:num\s[^>]*w:numId="(\d+)"/g))
  const byName = (type: string, name: string) =>
    styles.find((style) => style.type === type && plain(style.name) === plain(name))
  const headings = [1, 2, 3, 4, 5, 6].map((level) => byName('paragraph', `heading ${level}`)?.id)
  const free = (id: string): string => (styles.some((style) => style.id === id) ? free(`${id}_`) : id)
  const hyperlink = byName('character', 'Hyperlink')?.id
  const linkId = free('Hyperlink')
  const bareId = free('HtmlLink')
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
      if (abstract === undefined) abstracts.set(marker, (abstract = firstAbstract + abstracts.size))
      lists.push({ abstract, start, level })
      return firstList + lists.length - 1
    },
    heading(scope, level) {
      const known = headings[level - 1]
      if (known !== undefined || stylesText === undefined) return known
      used(scope).headings.add(level)
      return free(`Heading${level}`)
    },
    style(type, name) {
      return (styles.find((style) => style.type === type && style.id === name) ?? byName(type, name))?.id
    },
    link(scope, bare) {
      const known = bare ? undefined : hyperlink
      if (known === undefined) used(scope).links.add(bare ? 'bare' : 'usual')
      return known ?? (bare ? bareId : linkId)
    },
    drawing: (scope) => firstDrawing + ++used(scope).drawings,
    finish(scope, writer) {
      const known = scope.get(key)
      if (known === undefined) return
      const encoder = new TextEncoder()
      if (known.lists.length > 0) {
        const made = numberingWith(numbering, known, firstList)
        if (numbering === undefined) {
          additions.relation(scope, main, `${office}/numbering`, numberingPart)
          additions.file(scope, numberingPart, encoder.encode(made), numberingType)
        } else writer.add(numberingPart, encoder.encode(made))
      }
      const base = styles.find(({ type, isDefault }) => type === 'paragraph' && isDefault)?.id
      const added = [
        ...[...known.headings].map((level) => headingStyle(level, free(`Heading${level}`), base)),
        ...(known.links.has('usual') ? [linkStyle(linkId)] : []),
        ...(known.links.has('bare') ? [bareStyle(bareId)] : []),
      ].join('')
      if (added === '') return
      if (stylesText === undefined) {
        const made = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:styles xmlns:w="${namespace}">${added}</w:styles>`
        additions.relation(scope, main, `${office}/styles`, stylesPart)
        additions.file(scope, stylesPart, encoder.encode(made), stylesType)
        return
      }
      const end = stylesText.lastIndexOf('</w:styles>')
      const text = stylesText.slice(0, end) + added + stylesText.slice(end)
      if (end >= 0) writer.add(stylesPart, encoder.encode(text))
    },
  }
}

/** Above what editors number their drawings with, and what copies of drawings get. */
const firstDrawing = 100_000_000

const plain = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '')

function readStyles(text: string): readonly Style[] {
  const found: Style[] = []
  for (const [, attributes = '', content = ''] of text.matchAll(/<w:style\s([^>]*?)>(.*?)<\/w:style>/gs)) {
    const value = (name: string) => new RegExp(`w:${name}="([^"]*)"`).exec(attributes)?.[1] ?? ''
    found.push({
      id: value('styleId'),
      type: value('type'),
      name: /<w:name\s+w:val="([^"]*)"/.exec(content)?.[1] ?? '',
      isDefault: /^(?:1|true|on)$/.test(value('default')),
    })
  }
  return found
}

function above(text: string | undefined, pattern: RegExp): number {
  let highest = -1
  for (const [, number] of (text ?? '').matchAll(pattern)) highest = Math.max(highest, Number(number))
  return highest + 1
}

const bullets = ['•', '◦', '▪'] as const

function abstractNumbering(marker: ListMarker, id: number): string {
  const levels = Array.from({ length: 9 }, (_, level) => {
    const sign = marker === 'bullet' ? bullets[level % bullets.length] : `%${level + 1}.`
    return `<w:lvl w:ilvl="${level}"><w:start w:val="1"/><w:numFmt w:val="${marker}"/><w:lvlText w:val="${sign}"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="${720 * (level + 1)}" w:hanging="360"/></w:pPr></w:lvl>`
  })
  return `<w:abstractNum w:abstractNumId="${id}"><w:multiLevelType w:val="hybridMultilevel"/>${levels.join('')}</w:abstractNum>`
}

/** Abstract definitions stand before the lists that use them. */
function numberingWith(known: string | undefined, { abstracts, lists }: Used, firstList: number): string {
  const definitions = [...abstracts].map(([marker, id]) => abstractNumbering(marker, id)).join('')
  const numbers = lists
    .map(
      ({ abstract, start, level }, at) =>
        `<w:num w:numId="${firstList + at}"><w:abstractNumId w:val="${abstract}"/><w:lvlOverride w:ilvl="${level}"><w:startOverride w:val="${start}"/></w:lvlOverride></w:num>`,
    )
    .join('')
  const whole =
    known === undefined || !/<\/w:numbering>\s*$/.test(known)
      ? `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:numbering xmlns:w="${namespace}"></w:numbering>`
      : known
  const end = whole.lastIndexOf('</w:numbering>')
  const cleanup = whole.lastIndexOf('<w:numIdMacAtCleanup')
  const last = cleanup >= 0 ? cleanup : end
  const first = /<w:num\s/.exec(whole)?.index ?? last
  return whole.slice(0, first) + definitions + whole.slice(first, last) + numbers + whole.slice(last)
}

const headingSizes = [36, 30, 26, 24, 22, 22] // half points

function headingStyle(level: number, id: string, base: string | undefined): string {
  const size = headingSizes[level - 1]
  const basedOn = base === undefined ? '' : `<w:basedOn w:val="${base}"/><w:next w:val="${base}"/>`
  return `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="heading ${level}"/>${basedOn}<w:uiPriority w:val="9"/><w:unhideWhenUsed/><w:qFormat/><w:pPr><w:keepNext/><w:keepLines/><w:spacing w:before="${level < 3 ? 240 : 160}" w:after="80"/><w:outlineLvl w:val="${level - 1}"/></w:pPr><w:rPr><w:b/><w:bCs/><w:sz w:val="${size}"/><w:szCs w:val="${size}"/></w:rPr></w:style>`
}

const linkStyle = (id: string): string =>
  `<w:style w:type="character" w:styleId="${id}"><w:name w:val="Hyperlink"/><w:uiPriority w:val="99"/><w:unhideWhenUsed/><w:rPr><w:color w:val="0563C1"/><w:u w:val="single"/></w:rPr></w:style>`
const bareStyle = (id: string): string =>
  `<w:style w:type="character" w:customStyle="1" w:styleId="${id}"><w:name w:val="HTML Link"/></w:style>`

/**
 * HTML in OpenDocument texts: how blocks become paragraphs, lists and tables. `styles.ts` collects the styles they
 * need, `text.ts` writes the content of a paragraph. Source: template language 22.5; ODF 1.3 part 3, clauses 5, 6 and
 * 9.
 */

import { spliceAll } from '../../push-all.ts'
import {
  bindHtml,
  type HtmlContent,
  type HtmlMarkup,
  type HtmlSurroundings,
  type HtmlWriter,
} from '../../template/html/bind.ts'
import { linesOfCell } from '../../template/html/borders.ts'
import type {
  HtmlBlock,
  HtmlBorder,
  HtmlCell,
  HtmlList,
  HtmlListItem,
  HtmlParagraph,
  HtmlSides,
  HtmlTable,
} from '../../template/html/model.ts'
import { headingInlines, inlinesOf } from '../../template/html/plain.ts'
import { reportUnknownThemes } from '../../template/html/themes.ts'
import type { ElementToken, Token } from '../../template/scan/tokens.ts'
import type { RenderScope } from '../../template/scope.ts'
import { attributeOf, withoutAttribute } from '../../xml/elements.ts'
import type { OdfAdditions } from '../odf-pictures.ts'
import { borderOf, listStep, type NamedStyles, namedStyles, OdfStyles, textWidthOf } from './styles.ts'
import { nextNumber, type TextContext, textOf } from './text.ts'

/** The parts of an opened file that HTML is converted with. */
export interface OdfHtmlSource {
  readonly additions: OdfAdditions
  readonly styles: string // the text of styles.xml
  /**
   * Set for slides and drawings, whose shapes contain only paragraphs and lists: rows of tables become lines with
   * tabs.
   */
  readonly textOnly: boolean
}

export function bindOdfHtml(part: string, tokens: readonly Token[], source: OdfHtmlSource): readonly Token[] {
  const mayHold = tokens.some(
    (token) => token.kind === 'tag' && (/:(?:html|sign)\b/.test(token.text) || token.text.startsWith('$')),
  )
  if (!mayHold) return tokens
  const text = tokens.map((token) => ('raw' in token ? token.raw : '')).join('')
  const named = namedStyles(source.styles, text)
  let prefix = 'Html'
  while (text.includes(`"${prefix}`)) prefix += '_'
  const styles = new OdfStyles(part, { named, prefix, onSlides: source.textOnly })
  const bound = bindHtml(tokens, {
    paragraphs: ['text:p', 'text:h'],
    splittable: new Set(['text:span']),
    properties: new Set(),
    silent: new Set(),
    ...(source.textOnly ? { looseInline: true } : {}),
    measured: true,
    reopened: (raw) => withoutAttribute(raw, 'xml:id'),
    writer: (surroundings) => new OdfHtml(surroundings, styles, named, source),
  } satisfies HtmlMarkup)
  return bound === tokens ? tokens : withStyles(bound, styles)
}

const namespaces: Readonly<Record<string, string>> = {
  style: 'urn:oasis:names:tc:opendocument:xmlns:style:1.0',
  text: 'urn:oasis:names:tc:opendocument:xmlns:text:1.0',
  table: 'urn:oasis:names:tc:opendocument:xmlns:table:1.0',
  draw: 'urn:oasis:names:tc:opendocument:xmlns:drawing:1.0',
  fo: 'urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0',
  svg: 'urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0',
  xlink: 'http://www.w3.org/1999/xlink',
}

/** Adds the styles of a render to the automatic styles of the part, and the namespaces that the markup needs to its root. */
function withStyles(tokens: readonly Token[], styles: OdfStyles): readonly Token[] {
  const root = tokens.findIndex(({ kind }) => kind === 'open')
  const { raw } = tokens[root] as ElementToken
  const missing = Object.entries(namespaces).filter(([prefix]) => !raw.includes(`xmlns:${prefix}=`))
  const declared = missing.map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`).join('')
  const result = [...tokens]
  result[root] = { ...(tokens[root] as ElementToken), raw: raw.replace(/>$/, `${declared}>`) }
  const name = 'office:automatic-styles'
  const { offset } = result[root]!
  const computed: Token = {
    kind: 'computed',
    offset,
    compute: (scope) => styles.written(scope),
    hidden: true,
  }
  const holder = result.findIndex((token) => 'name' in token && token.name === name && token.kind !== 'open')
  const holderToken = result[holder]
  const inElement = (content: Token): Token[] => [
    { kind: 'open', name, raw: `<${name}>`, offset },
    content,
    { kind: 'close', name, raw: `</${name}>`, offset },
  ]
  if (holderToken === undefined) {
    const body = result.findIndex(
      (token) => 'name' in token && (token.name === 'office:body' || token.name === 'office:master-styles'),
    )
    if (body >= 0) spliceAll(result, body, 0, inElement(computed))
  } else if (holderToken.kind === 'void') spliceAll(result, holder, 1, inElement(computed))
  else result.splice(holder, 0, computed)
  return result
}

interface OdfFlow extends TextContext {
  readonly indent: number // cm
  readonly inList: number // lists around it
  readonly breaks: boolean
  /** The paragraph is in a cell and has no space above or below. */
  readonly flush?: { readonly top: boolean; readonly bottom: boolean }
}

const cmPerPixel = 2.54 / 96
const quoteIndent = 40 * cmPerPixel

class OdfHtml implements HtmlWriter {
  readonly #styles: OdfStyles
  readonly #named: NamedStyles
  readonly #source: OdfHtmlSource
  readonly #style: string
  readonly #spans: { readonly open: string; readonly close: string }
  readonly #breaks: boolean
  readonly #textWidth: number // cm

  constructor(surroundings: HtmlSurroundings, styles: OdfStyles, named: NamedStyles, source: OdfHtmlSource) {
    this.#styles = styles
    this.#named = named
    this.#source = source
    this.#textWidth = textWidthOf(source.styles)
    const [paragraph, ...spans] = surroundings.path
    this.#style = attributeOf(paragraph!.raw, 'text:style-name') ?? ''
    this.#spans = {
      open: spans.map(({ raw }) => raw).join(''),
      close: spans.map(({ name }) => `</${name}>`).join(''),
    }
    this.#breaks =
      !source.textOnly &&
      surroundings.ancestors.every(
        (name) => !/^(?:table:table-cell|style:(?:header|footer).*|draw:text-box|text:note-body)$/.test(name),
      )
  }

  inline(blocks: readonly HtmlBlock[], content: HtmlContent, scope: RenderScope): string {
    return textOf(inlinesOf(blocks), this.#context(content, scope))
  }

  blocks(blocks: readonly HtmlBlock[], content: HtmlContent, scope: RenderScope, follows: boolean): string {
    const flow: OdfFlow = { ...this.#context(content, scope), indent: 0, inList: 0, breaks: this.#breaks }
    return blocks
      .map((block, index) => {
        const following = blocks[index + 1]
        const isLast = following === undefined && !follows
        const spaced =
          block.kind === 'paragraph' ? block.spaced && block.heading === undefined : block.kind !== 'rule'
        const isSpaced = spaced && !content.options.nospace && !isLast && !this.#source.textOnly
        const gap = isSpaced ? this.#empty() : ''
        // Text that ends with a table would have no paragraph for the cursor after it.
        const endsWithTable =
          block.kind === 'table' &&
          !this.#source.textOnly &&
          gap === '' &&
          following?.kind !== 'paragraph' &&
          !(isLast === false && following === undefined)
        return this.#block(block, flow) + (endsWithTable ? this.#empty() : gap)
      })
      .join('')
  }

  #context(content: HtmlContent, scope: RenderScope): TextContext {
    const { additions, textOnly } = this.#source
    reportUnknownThemes(scope, content.options, {
      has: (kind, name) => this.#named.common(kind, name) !== undefined,
      names: (kind) => this.#named.names(kind),
    })
    return { content, scope, styles: this.#styles, additions, textOnly, textWidth: this.#textWidth }
  }

  #empty(): string {
    return `<text:p${this.#style === '' ? '' : ` text:style-name="${this.#style}"`}/>`
  }

  #block(block: HtmlBlock, flow: OdfFlow): string {
    switch (block.kind) {
      case 'paragraph':
        return this.#paragraph(block, flow)
      case 'list':
        return this.#list(block, flow)
      case 'table':
        return this.#source.textOnly ? this.#lines(block, flow) : this.#table(block, flow)
      case 'rule': {
        if (this.#source.textOnly) return this.#line('―'.repeat(20))
        const indent = flow.indent + quoteIndent * block.quote
        return `<text:p text:style-name="${this.#styles.paragraph(flow.scope, { style: '', indent, rule: true })}"/>`
      }
      default:
        return block satisfies never
    }
  }

  #paragraph(paragraph: HtmlParagraph, flow: OdfFlow): string {
    const block = this.#source.textOnly ? withoutLevel(paragraph) : paragraph
    const { headingTheme, quoteTheme } = flow.content.options
    const quote = flow.inList > 0 ? 0 : block.quote
    const named =
      quote > 0 && quoteTheme !== undefined ? this.#named.common('paragraph', quoteTheme) : undefined
    const heading = block.heading === undefined ? undefined : this.#headingStyle(block.heading, headingTheme)
    const base = block.heading === undefined ? (named ?? this.#style) : (heading ?? '')
    const textChanges = {
      style: base,
      indent:
        (named === undefined ? flow.indent + quoteIndent * quote : 0) + (block.indent ?? 0) * cmPerPixel,
      ...(block.rtl === undefined ? {} : { rtl: true as const }),
      ...(flow.inList > 0 ? { list: true as const } : {}),
      ...(block.align === undefined ? {} : { align: alignments[block.align] }),
      ...(block.background === undefined ? {} : { background: block.background }),
      ...(block.borders === undefined ? {} : { borders: block.borders }),
      ...(flow.breaks && block.breakBefore === true ? { breakBefore: true } : {}),
      ...(flow.breaks && block.breakAfter === true ? { breakAfter: true } : {}),
      ...(block.heading !== undefined && heading === undefined ? { heading: block.heading } : {}),
      ...(flow.flush?.top === true ? { flushTop: true as const } : {}),
      ...(flow.flush?.bottom === true ? { flushBottom: true as const } : {}),
    }
    const isUnformatted =
      Object.keys(textChanges).length === 2 &&
      textChanges.indent === 0 &&
      this.#named.automatic(base) === undefined
    const style = isUnformatted ? base : this.#styles.paragraph(flow.scope, textChanges)
    const name = style === '' ? '' : ` text:style-name="${style}"`
    const text = textOf(block.inlines, flow)
    if (block.heading !== undefined)
      return `<text:h${name} text:outline-level="${block.heading}">${text}</text:h>`
    return `<text:p${name}>${this.#spans.open}${text}${this.#spans.close}</text:p>`
  }

  #headingStyle(level: number, theme: string | undefined): string | undefined {
    const themed = theme === undefined ? undefined : this.#named.common('paragraph', `${theme}${level}`)
    return themed ?? this.#named.common('paragraph', `Heading ${level}`)
  }

  /** Items without a marker are written into lists without markers; the numbers continue after them. */
  #list(list: HtmlList, flow: OdfFlow): string {
    const indent = flow.inList > 0 ? 0 : quoteIndent * list.quote
    const itemFlow: OdfFlow = { ...flow, indent: 0, inList: flow.inList + 1, breaks: false }
    const groups: { unmarked: boolean; start: number; items: HtmlListItem[] }[] = []
    let number = list.start
    for (const item of list.items) {
      const lastGroup = groups.at(-1)
      if (lastGroup?.unmarked === item.unmarked) lastGroup.items.push(item)
      else groups.push({ unmarked: item.unmarked, start: number, items: [item] })
      if (!item.unmarked) number += 1
    }
    const listMarkup = groups
      .map(({ unmarked, start, items }) => {
        const style = this.#styles.list(flow.scope, unmarked ? 'none' : list.marker, indent)
        const contents = items.map((item) =>
          item.blocks.map((block) => this.#block(block, itemFlow)).join(''),
        )
        return listOf(style, contents, unmarked || list.marker === 'bullet' ? undefined : start)
      })
      .join('')
    return flow.inList > 0 ? listMarkup : listMarkup.replaceAll(separator, '')
  }

  /**
   * `padded`: the padding of the cell separates its text from the borders, so the space above the first paragraph and
   * below the last is omitted. Text outside of any element has none.
   */
  #cellText(blocks: readonly HtmlBlock[], flow: OdfFlow, padded: boolean): string {
    return blocks
      .map((block, at) => {
        if (!padded || block.kind !== 'paragraph') return this.#block(block, flow)
        const bottom = at === blocks.length - 1 || !block.spaced
        // LibreOffice ignores the inherited space below a paragraph as soon as the space above is set.
        const flush = { top: bottom && (at === 0 || !block.spaced), bottom }
        return this.#paragraph(block, { ...flow, flush })
      })
      .join('')
  }

  /** Writes rows as paragraphs, with tabs between cells. */
  #lines({ rows }: HtmlTable, flow: OdfFlow): string {
    return rows
      .map((row) =>
        this.#line(
          row
            .filter(({ covered }) => !covered)
            .map((cell) => textOf(inlinesOf(cell.blocks), flow))
            .join('<text:tab/>'),
        ),
      )
      .join('')
  }

  #line(text: string): string {
    const style = this.#style === '' ? '' : ` text:style-name="${this.#style}"`
    return `<text:p${style}>${this.#spans.open}${text}${this.#spans.close}</text:p>`
  }

  #table(table: HtmlTable, flow: OdfFlow): string {
    const { rows, columns, widths, headerRows } = table
    const { scope } = flow
    const indent = flow.indent + (flow.inList > 0 ? listStep * flow.inList : quoteIndent * table.quote)
    const theme = flow.content.options.tableTheme
    const themed = theme === undefined ? undefined : this.#named.common('table', theme)
    const tableStyle =
      themed ?? this.#styles.table(scope, 'table', tableProperties(table, indent, flow.textWidth))
    const column = (fraction: number, repeated: number) => {
      const size = Math.max(1, Math.round(fraction))
      const style = this.#styles.table(
        scope,
        'table-column',
        `<style:table-column-properties style:rel-column-width="${size}*"/>`,
      )
      const repetition = repeated === 1 ? '' : ` table:number-columns-repeated="${repeated}"`
      return `<table:table-column table:style-name="${style}"${repetition}/>`
    }
    const grid =
      widths === undefined
        ? column(1, columns)
        : widths.map((fraction) => column(fraction * 10_000, 1)).join('')
    const cellFlow: OdfFlow = { ...flow, indent: 0, inList: 0, breaks: false }
    const cell = (htmlCell: HtmlCell, row: number, at: number) => {
      const { colspan, rowspan, covered } = htmlCell
      if (covered) return '<table:covered-table-cell/>'
      const area = { rows: rowspan, columns: colspan }
      // A table style of the template determines the borders of its tables.
      const lines = themed === undefined ? linesOfCell(table, { row, column: at }, area) : {}
      const style = this.#styles.table(scope, 'table-cell', cellProperties(htmlCell, lines))
      const across = colspan > 1 ? ` table:number-columns-spanned="${colspan}"` : ''
      const down = rowspan > 1 ? ` table:number-rows-spanned="${rowspan}"` : ''
      const content = this.#cellText(htmlCell.blocks, cellFlow, themed === undefined)
      return `<table:table-cell table:style-name="${style}" office:value-type="string"${across}${down}>${content === '' ? this.#empty() : content}</table:table-cell>`
    }
    const lines = rows.map(
      (cells, row) =>
        `<table:table-row>${cells.map((htmlCell, at) => cell(htmlCell, row, at)).join('')}</table:table-row>`,
    )
    const header = lines.slice(0, headerRows).join('')
    const head = header === '' ? '' : `<table:table-header-rows>${header}</table:table-header-rows>`
    const body = lines.slice(headerRows).join('')
    const tableMarkup = `<table:table table:name="HtmlTable${nextNumber(scope)}" table:style-name="${tableStyle}">${grid}${head}${body}</table:table>`
    return flow.inList > 0 ? separator + tableMarkup + separator : tableMarkup
  }
}

/** `indent` and `textWidth` are in cm. A width replaces the margins (ODF 1.3 part 3, 20.405). */
function tableProperties({ rtl, width, align }: HtmlTable, indent: number, textWidth: number): string {
  const direction = rtl === true ? ' style:writing-mode="rl-tb"' : ''
  const margin = indent === 0 ? '' : ` fo:margin-left="${indent.toFixed(3)}cm"`
  const available = textWidth - indent
  const widthFraction = width?.unit === 'percent' ? width.value / 100 : undefined
  const size =
    width === undefined
      ? available
      : width.unit === 'px'
        ? width.value * cmPerPixel
        : available * (widthFraction ?? 1)
  if (size >= available)
    return `<style:table-properties style:rel-width="100%" table:align="margins"${margin} table:border-model="collapsing"${direction}/>`
  const relative = widthFraction === undefined ? '' : ` style:rel-width="${Math.round(widthFraction * 100)}%"`
  const side = align ?? (rtl === true ? 'right' : 'left')
  return `<style:table-properties style:width="${size.toFixed(3)}cm"${relative} table:align="${side}"${side === 'left' ? margin : ''} table:border-model="collapsing"${direction}/>`
}

const defaultPadding = '0.1cm'

/** The properties of a cell with these borders. */
function cellProperties(
  { padding, background, verticalAlign }: HtmlCell,
  lines: HtmlSides<HtmlBorder>,
): string {
  const sides = ['top', 'right', 'bottom', 'left'] as const
  const distances = sides.map((side) => {
    const pixels = padding?.[side]
    return pixels === undefined ? defaultPadding : `${(pixels * cmPerPixel).toFixed(3)}cm`
  })
  const borders = sides.map((side) => borderOf(lines[side]))
  const fill = background === undefined ? '' : ` fo:background-color="#${background}"`
  const verticalAlignment = verticalAlign === undefined ? '' : ` style:vertical-align="${verticalAlign}"`
  return `<style:table-cell-properties${sidesOf('fo:padding', distances)}${sidesOf('fo:border', borders)}${fill}${verticalAlignment}/>`
}

/** One attribute if all sides are equal, otherwise one for each side. */
function sidesOf(name: string, [top = '', right, bottom, left]: readonly string[]): string {
  if (right === top && bottom === top && left === top) return ` ${name}="${top}"`
  return ` ${name}-top="${top}" ${name}-right="${right}" ${name}-bottom="${bottom}" ${name}-left="${left}"`
}

/** Slides have no headings. */
function withoutLevel(block: HtmlParagraph): HtmlParagraph {
  const { heading: _, ...otherProperties } = block
  return { ...otherProperties, inlines: headingInlines(block) }
}

/** Separates content that a list cannot contain. XML does not allow this character, so no text contains it. */
const separator = '\uffff'

/**
 * Writes a list. Items cannot contain tables (ODF 1.3 part 3, 5.3.3), so the list ends before a table and begins
 * again after it; the rest of the item then has no marker. `start`: the number of the first item; undefined: none.
 */
function listOf(style: string, items: readonly string[], start: number | undefined): string {
  let result = ''
  let isOpen = false
  let isCounted = false // whether numbering continues automatically
  const openList = () => {
    if (!isOpen) result += `<text:list text:style-name="${style}">`
    isOpen = true
  }
  const close = () => {
    if (isOpen) result += '</text:list>'
    isOpen = false
    isCounted = false
  }
  items.forEach((item, index) => {
    const from = start === undefined || isCounted ? '' : ` text:start-value="${start + index}"`
    item.split(separator).forEach((part, n) => {
      if (n % 2 === 1) {
        close()
        result += separator + part + separator
      } else if (n === 0) {
        openList()
        isCounted = true
        result += `<text:list-item${from}>${part === '' ? '<text:p/>' : part}</text:list-item>`
      } else if (part !== '') {
        openList()
        result += `<text:list-header>${part}</text:list-header>`
      }
    })
  })
  close()
  return result
}

const alignments = { left: 'left', right: 'right', center: 'center', justify: 'justify' } as const

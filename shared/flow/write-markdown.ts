/**
 * Writes a flow as GitHub Flavored Markdown. Pictures are embedded as data URLs, so that the result is one
 * file.
 */

import type {
  BlockContent,
  Definition,
  DefinitionContent,
  FootnoteDefinition,
  ListItem,
  PhrasingContent,
  Root,
  RootContent,
  TableRow,
} from 'mdast'
import { gfmToMarkdown } from 'mdast-util-gfm'
import { toMarkdown } from 'mdast-util-to-markdown'
import { toBase64 } from '../plugin/base64.ts'
import { pushAll } from '../push-all.ts'
import { escapeAttribute } from '../xml/markup.ts'
import type {
  Flow,
  FlowBlock,
  FlowCell,
  FlowEquation,
  FlowInline,
  FlowItem,
  FlowStyle,
  FlowTable,
} from './flow.ts'
import { columnsOf, gridOf } from './grid.ts'
import { type InnerLinks, innerLinks } from './inner-links.ts'

type MarkdownContent = BlockContent | DefinitionContent

/** Returns the document as Markdown. Blocks that it has no syntax for, such as page breaks, are omitted. */
export function writeMarkdown(flow: Flow): string {
  const writer = new MarkdownWriter(flow)
  const children: RootContent[] = [...writer.blocks(flow.blocks), ...writer.definitions]
  const root: Root = { type: 'root', children: children as Root['children'] }
  return toMarkdown(root, {
    bullet: '-',
    emphasis: '*',
    fence: '`',
    fences: true,
    listItemIndent: 'one',
    rule: '-',
    resourceLink: true,
    extensions: [gfmToMarkdown({ tablePipeAlign: false })],
    // Where there are equations, a dollar sign in the text must not begin another.
    unsafe: writer.hasEquations ? [{ character: '$', inConstruct: 'phrasing' }] : [],
  })
}

/** Converts blocks into mdast nodes. Notes become definitions at the end of the document. */
class MarkdownWriter {
  readonly definitions: (Definition | FootnoteDefinition)[] = []
  readonly #flow: Flow
  readonly #links: InnerLinks
  /** Whether equations were written. */
  hasEquations = false
  /** Number of the last note. */
  #notes = 0

  constructor(flow: Flow) {
    this.#flow = flow
    this.#links = innerLinks(flow.blocks)
  }

  blocks(blocks: readonly FlowBlock[]): MarkdownContent[] {
    return blocks.flatMap((block) => this.#block(block))
  }

  #block(block: FlowBlock): readonly MarkdownContent[] {
    switch (block.kind) {
      case 'heading': {
        const children = this.#phrases(
          block.inlines.filter((inline) => inline.kind !== 'break'),
          true,
        )
        const depth = Math.min(Math.max(block.level, 1), 6) as 1 | 2 | 3 | 4 | 5 | 6
        return children.length === 0 ? [] : [{ type: 'heading', depth, children }]
      }
      case 'paragraph': {
        const children = this.#phrases(block.inlines)
        const anchors = (block.anchors ?? []).filter((name) => this.#links.targets.has(name))
        const anchorTags = anchors.map(
          (name): PhrasingContent => ({ type: 'html', value: `<a id="${escapeAttribute(name)}"></a>` }),
        )
        return children.length === 0 ? [] : [{ type: 'paragraph', children: [...anchorTags, ...children] }]
      }
      case 'list': {
        const children = block.items.map((item) => this.#item(item))
        const spread = children.some((item) => item.spread === true)
        return [
          {
            type: 'list',
            ordered: block.ordered,
            start: block.ordered ? block.start : null,
            spread,
            children,
          },
        ]
      }
      case 'table':
        return this.#table(block)
      case 'code':
        return [{ type: 'code', lang: block.language ?? null, value: block.text.replace(/\n$/, '') }]
      case 'quote':
        return [{ type: 'blockquote', children: this.blocks(block.blocks) }]
      case 'rule':
        return [{ type: 'thematicBreak' }]
      case 'page-break':
        return []
      default:
        return block satisfies never
    }
  }

  #item({ blocks, checked }: FlowItem): ListItem {
    const children = this.blocks(blocks)
    const spread = children.filter((child) => child.type !== 'list').length > 1
    return { type: 'listItem', spread, ...(checked !== undefined && { checked }), children }
  }

  #table({ rows, headerRows }: FlowTable): readonly MarkdownContent[] {
    const columns = columnsOf(rows)
    if (columns === 0) return []
    const grid = gridOf(rows, columns)
    // Markdown tables have no spans, so covered cells are empty.
    const lines: TableRow[] = grid.map((row) => ({
      type: 'tableRow',
      children: row.map((cell) => ({
        type: 'tableCell',
        children: cell === 'covered' || cell === 'empty' ? [] : this.#cell(cell),
      })),
    }))
    const align = Array.from({ length: columns }, (_, at) => {
      const kinds = grid.slice(headerRows).map((row) => alignOf(row[at]))
      const [first] = kinds
      return first !== undefined && kinds.every((kind) => kind === first) ? first : null
    })
    return [{ type: 'table', align, children: lines }]
  }

  /** Blocks of a cell on one line, separated by <br>. */
  #cell(cell: FlowCell): PhrasingContent[] {
    const lines = linesOf(cell.blocks, '')
    return lines.flatMap((line, at): PhrasingContent[] => [
      ...(at === 0 ? [] : [{ type: 'html' as const, value: '<br>' }]),
      ...this.#phrases(line).map(
        (phrase): PhrasingContent => (phrase.type === 'break' ? { type: 'html', value: '<br>' } : phrase),
      ),
    ])
  }

  #phrases(inlines: readonly FlowInline[], inHeading = false): PhrasingContent[] {
    const out: PhrasingContent[] = []
    for (const inline of joined(inlines, inHeading)) {
      if (inline.kind === 'break') out.push({ type: 'break' })
      else if (inline.kind === 'picture') pushAll(out, this.#picture(inline))
      else if (inline.kind === 'note') out.push(this.#note(inline.blocks))
      else if (inline.equation !== undefined) out.push(this.#equation(inline.equation))
      else pushAll(out, styled(this.#withHeadingId(inline)))
    }
    while (out.at(-1)?.type === 'break') out.pop()
    return out
  }

  /** Writes an equation as GitHub and others do: `$x$` in a line of text, `$$x$$` for an equation of its own. */
  #equation({ latex, display }: FlowEquation): PhrasingContent {
    this.hasEquations = true
    const sign = display ? '$$' : '$'
    return { type: 'html', value: `${sign}${latex}${sign}` }
  }

  /** Links to headings use the identifier that Markdown renderers generate for the heading. */
  #withHeadingId(inline: Extract<FlowInline, { kind: 'text' }>): typeof inline {
    const heading = inline.link?.startsWith('#') ? this.#links.headings.get(inline.link.slice(1)) : undefined
    return heading === undefined ? inline : { ...inline, link: `#${heading}` }
  }

  #note(blocks: readonly FlowBlock[]): PhrasingContent {
    const identifier = String(++this.#notes)
    this.definitions.push({
      type: 'footnoteDefinition',
      identifier,
      label: identifier,
      children: this.blocks(blocks),
    })
    return { type: 'footnoteReference', identifier, label: identifier }
  }

  #picture({ picture, text }: Extract<FlowInline, { kind: 'picture' }>): PhrasingContent[] {
    const source = this.#flow.pictures.get(picture)
    if (source === undefined) return text === '' ? [] : [{ type: 'text', value: text }]
    return [{ type: 'image', url: `data:${source.mime};base64,${toBase64(source.bytes)}`, alt: text }]
  }
}

/** The lines of a table cell: each paragraph, list item and row becomes one. */
function linesOf(blocks: readonly FlowBlock[], prefix: string): readonly (readonly FlowInline[])[] {
  return blocks.flatMap((block): readonly (readonly FlowInline[])[] => {
    switch (block.kind) {
      case 'heading':
      case 'paragraph':
        return [prefix === '' ? block.inlines : [{ kind: 'text', text: prefix, style: {} }, ...block.inlines]]
      case 'list':
        return block.items.flatMap((item, at) =>
          linesOf(item.blocks, block.ordered ? `${block.start + at}. ` : '• '),
        )
      case 'quote':
        return linesOf(block.blocks, prefix)
      case 'code':
        return block.text.split('\n').map((text) => [{ kind: 'text', text, style: { code: true } }])
      case 'table':
        return block.rows.map((row) =>
          row.cells.flatMap((cell, at): readonly FlowInline[] => [
            ...(at === 0 ? [] : [{ kind: 'text' as const, text: ' ', style: {} }]),
            ...linesOf(cell.blocks, '').flat(),
          ]),
        )
      case 'rule':
      case 'page-break':
        return []
      default:
        return block satisfies never
    }
  })
}

function alignOf(
  cell: ReturnType<typeof gridOf>[number][number] | undefined,
): 'left' | 'center' | 'right' | undefined {
  if (cell === undefined || cell === 'covered' || cell === 'empty') return undefined
  const [first] = cell.blocks
  const align = first?.kind === 'paragraph' ? first.align : undefined
  return align === 'justify' ? undefined : align
}

/**
 * Merges neighbouring text of equal style: word processors split a sentence into many runs. In headings bold
 * is dropped, since headings are bold anyway.
 */
function joined(inlines: readonly FlowInline[], inHeading: boolean): readonly FlowInline[] {
  const out: FlowInline[] = []
  for (const inline of inlines) {
    const last = out.at(-1)
    if (inline.kind !== 'text') {
      out.push(inline)
      continue
    }
    const { bold: _, ...styleWithoutBold } = inline.style
    const run = { ...inline, style: inHeading ? styleWithoutBold : inline.style }
    if (
      last?.kind === 'text' &&
      last.equation === undefined &&
      run.equation === undefined &&
      last.link === run.link &&
      keyOf(last.style) === keyOf(run.style)
    )
      out[out.length - 1] = { ...last, text: last.text + run.text }
    else out.push(run)
  }
  return out
}

/** A key for the part of a style that Markdown can express. */
function keyOf({ bold, italic, strike, code, script }: FlowStyle): string {
  return [bold, italic, strike, code].map((flag) => (flag === true ? 1 : 0)).join('') + (script ?? '')
}

/** Emphasis delimiters must touch their text (CommonMark 6.2), so spaces at its ends are moved outside. */
function styled({ text, style, link }: Extract<FlowInline, { kind: 'text' }>): readonly PhrasingContent[] {
  const textNodes = (value: string): PhrasingContent[] => (value === '' ? [] : [{ type: 'text', value }])
  const inner = text.trim()
  const before = text.slice(0, text.length - text.trimStart().length)
  const after = text.slice(text.trimEnd().length)
  if (inner === '') return textNodes(text)
  let content: PhrasingContent[] =
    style.code === true ? [{ type: 'inlineCode', value: inner }] : textNodes(inner)
  if (style.script !== undefined) {
    const tag = style.script === 'super' ? 'sup' : 'sub'
    content = [{ type: 'html', value: `<${tag}>` }, ...content, { type: 'html', value: `</${tag}>` }]
  }
  if (style.strike === true) content = [{ type: 'delete', children: content }]
  if (style.italic === true) content = [{ type: 'emphasis', children: content }]
  if (style.bold === true) content = [{ type: 'strong', children: content }]
  if (link !== undefined) content = [{ type: 'link', url: link, children: content }]
  return [...textNodes(before), ...content, ...textNodes(after)]
}

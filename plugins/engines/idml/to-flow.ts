/** The text of a document in reading order: stories in the order in which they begin on the pages. */
import { entryOf } from '../../../shared/entry-of.ts'
import type {
  Flow,
  FlowAlign,
  FlowBlock,
  FlowInline,
  FlowItem,
  FlowStyle,
} from '../../../shared/flow/flow.ts'
import type { Idml } from './document.ts'
import { maxFrameDepth } from './growth.ts'
import { languageOf } from './languages.ts'
import { IdmlNumbering } from './numbering.ts'
import { type IdmlPage, isText } from './pages.ts'
import { blocksOf, type StoryBlock, type StoryInline, type StoryParagraph, type StoryTable } from './story.ts'
import type { StoryStyle } from './story-style.ts'
import { pageNumberMark } from './tree.ts'

export function flowOfIdml(document: Idml, pages: readonly IdmlPage[]): Flow {
  const frames = pages.flatMap(({ items }) => items.filter(({ item }) => isText(item)))
  const idsOf = (master: boolean) =>
    frames
      .filter((frame) => frame.master === master)
      .map(({ item }) => item.attributes.get('ParentStory') ?? '')
  // The content of masters is repeated on every page, so it is read only when there is nothing else.
  const storyIds = new Set(idsOf(false))
  const ids = storyIds.size > 0 ? storyIds : new Set(idsOf(true))
  const stories = [...ids].flatMap((id) => document.stories.get(id) ?? [])
  const blocks = stories.flatMap((story) => flowBlocks(blocksOf(story, document), document, 0))
  const language = languageOf(
    document.paragraphs.get('ParagraphStyle/$ID/NormalParagraphStyle').get('AppliedLanguage'),
  )
  const [page] = pages
  return {
    ...(document.name !== undefined && { title: document.name }),
    ...(language !== undefined && { language: language.join('-') }),
    ...(page !== undefined && {
      page: {
        width: page.width,
        height: page.height,
        margin: { top: 36, right: 36, bottom: 36, left: 36 },
      },
    }),
    blocks,
    pictures: new Map(),
  }
}

/** `depth`: the number of enclosing frames. */
function flowBlocks(blocks: readonly StoryBlock[], document: Idml, depth: number): readonly FlowBlock[] {
  const flow: FlowBlock[] = []
  let list: { readonly ordered: boolean; readonly items: FlowItem[] } | undefined
  const numbering = new IdmlNumbering()
  for (const block of blocks) {
    if (block.kind === 'table') {
      list = undefined
      flow.push(tableOf(block, document, depth))
      continue
    }
    const label = numbering.next(block.formatting)
    const paragraph = paragraphOf(block, document, depth)
    if (label === undefined) {
      if (paragraph !== undefined) {
        flow.push(paragraph)
        list = undefined
      }
      continue
    }
    const ordered = block.formatting.get('BulletsAndNumberingListType') === 'NumberedList'
    const item = { blocks: paragraph === undefined ? [] : [paragraph] }
    if (list?.ordered === ordered) list.items.push(item)
    else {
      const start = Number.parseInt(label, 10)
      list = { ordered, items: [item] }
      flow.push({ kind: 'list', start: Number.isFinite(start) ? start : 1, ...list })
    }
  }
  return flow
}

/** An empty paragraph is space between others. */
function paragraphOf(block: StoryParagraph, document: Idml, depth: number): FlowBlock | undefined {
  const inlines = block.inlines.flatMap((inline) => inlinesOf(inline, document, depth))
  if (inlines.length === 0) return undefined
  const align = alignOf(block.formatting)
  const level = levelOf(block.style)
  const rtl = block.formatting.get('ParagraphDirection') === 'RightToLeftDirection'
  const more = {
    inlines,
    ...(align !== undefined && { align }),
    ...(rtl && { direction: 'rtl' as const }),
  }
  return level === undefined ? { kind: 'paragraph', ...more } : { kind: 'heading', level, ...more }
}

const alignments: Readonly<Record<string, FlowAlign>> = {
  CenterAlign: 'center',
  RightAlign: 'right',
  LeftJustified: 'justify',
  CenterJustified: 'justify',
  RightJustified: 'justify',
  FullyJustified: 'justify',
}
const alignOf = (formatting: StoryStyle) => entryOf(alignments, formatting.get('Justification'))

/** Heading styles are recognized by their names, in several languages. */
function levelOf(style: string): number | undefined {
  const name =
    style
      .replace(/^ParagraphStyle\//, '')
      .split(/%3a|:/i)
      .at(-1) ?? ''
  const match =
    /^(?:h|head|heading|headline|title|titel|überschrift|titre|titolo|título)[\s_-]*([1-6])?$/i.exec(name)
  return match === null ? undefined : Number(match[1] ?? 1)
}

function inlinesOf(inline: StoryInline, document: Idml, depth: number): readonly FlowInline[] {
  switch (inline.kind) {
    case 'break':
      return [{ kind: 'break' }]
    case 'note':
      return [{ kind: 'note', blocks: flowBlocks(inline.blocks, document, depth) }]
    case 'object': {
      const story = document.stories.get(inline.item.attributes.get('ParentStory') ?? '')
      if (story === undefined || depth >= maxFrameDepth) return []
      return blocksOf(story, document).flatMap((block) =>
        block.kind === 'paragraph'
          ? block.inlines.flatMap((inner) => inlinesOf(inner, document, depth + 1))
          : [],
      )
    }
    default: {
      const text = document.growth.written(inline.text.replaceAll(pageNumberMark, ''))
      if (text === '') return []
      return [
        {
          kind: 'text',
          text,
          style: styleOf(inline),
          ...(inline.link !== undefined && { link: inline.link }),
        },
      ]
    }
  }
}

function styleOf({ formatting, hasOverrides }: Extract<StoryInline, { kind: 'text' }>): FlowStyle {
  // Formatting of a complete paragraph comes from its style.
  if (!hasOverrides) return {}
  const font = formatting.get('FontStyle') ?? ''
  const position = formatting.get('Position')
  return {
    ...(/bold|black|heavy/i.test(font) && { bold: true }),
    ...(/italic|oblique|kursiv/i.test(font) && { italic: true }),
    ...(formatting.is('Underline') && { underline: true }),
    ...(formatting.is('StrikeThru') && { strike: true }),
    ...(position === 'Superscript' && { script: 'super' as const }),
    ...(position === 'Subscript' && { script: 'sub' as const }),
  }
}

function tableOf(
  { cells, headerRows, heights, widths }: StoryTable,
  document: Idml,
  depth: number,
): FlowBlock {
  const byRow = Map.groupBy(cells, ({ row }) => row)
  const rows = heights.map((_, y) => ({
    cells: (byRow.get(y) ?? [])
      .sort((left, right) => left.column - right.column)
      .map((cell) => ({
        blocks: flowBlocks(cell.blocks, document, depth),
        columns: cell.columns,
        rows: cell.rows,
      })),
  }))
  return { kind: 'table', rows, headerRows, widths }
}

import { type FlowBlock, plainText } from './flow.ts'

/** Targets of internal links. */
export interface InnerLinks {
  /** Names that at least one link refers to. */
  readonly targets: ReadonlySet<string>
  /** Name of an anchor in a heading to the identifier that Markdown renderers generate for that heading. */
  readonly headings: ReadonlyMap<string, string>
}

export function innerLinks(blocks: readonly FlowBlock[]): InnerLinks {
  const targets = new Set<string>()
  const headings = new Map<string, string>()
  const names = new Map<string, number>()
  walk(blocks)
  return { targets, headings }

  function walk(list: readonly FlowBlock[]): void {
    for (const block of list) {
      for (const inner of nestedBlocks(block)) walk(inner)
      if (block.kind !== 'heading' && block.kind !== 'paragraph') continue
      for (const inline of block.inlines)
        if (inline.kind === 'text' && inline.link?.startsWith('#')) targets.add(inline.link.slice(1))
      if (block.kind !== 'heading') continue
      const name = unique(headingName(plainText(block.inlines)))
      for (const anchor of block.anchors ?? []) headings.set(anchor, name)
    }
  }

  function unique(name: string): string {
    const before = names.get(name) ?? 0
    names.set(name, before + 1)
    return before === 0 ? name : `${name}-${before}`
  }
}

/** The lists of blocks inside a block, those of its notes included. */
function nestedBlocks(block: FlowBlock): readonly (readonly FlowBlock[])[] {
  switch (block.kind) {
    case 'list':
      return block.items.map(({ blocks }) => blocks)
    case 'quote':
      return [block.blocks]
    case 'table':
      return block.rows.flatMap(({ cells }) => cells.map(({ blocks }) => blocks))
    case 'heading':
    case 'paragraph':
      return block.inlines.flatMap((inline) => (inline.kind === 'note' ? [inline.blocks] : []))
    default:
      return []
  }
}

/**
 * The identifier that GitHub generates for a heading: letters and digits in lower case, hyphens for spaces,
 * nothing else.
 */
function headingName(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}

/** Labels of lists that are part of their text. */

import { type FlowBlock, type FlowInline, type FlowItem, plainText } from '../../../../shared/flow/flow.ts'

const bulletStart = /^\s*[•·▪▫◦‣●○■□➢➤✓✔\uf0b7\uf0a7\uf076\uf0fc\ue000-\uf8ff–-]\s+/u
const circleStart = /^\s*o\s+/
export const ordinalStart = /^\s*\(?(\d{1,3}|[a-z]|[ivxlc]{1,6})[.)]\s+/i
const bulletStyles: ReadonlySet<unknown> = new Set(['Disc', 'Circle', 'Square', 'Unordered'])

/**
 * Converts adjacent paragraphs that begin with bullets, or with consecutive numbers, into lists if no tag marks them
 * as such.
 */
export function withLists(blocks: readonly FlowBlock[]): FlowBlock[] {
  const out: FlowBlock[] = []
  const numbers = blocks.map((block) =>
    block.kind === 'paragraph'
      ? Number(/^\s*(\d{1,3})[.)]\s/.exec(plainText(block.inlines))?.[1])
      : Number.NaN,
  )
  /** The list made from the preceding paragraphs. */
  let open: { readonly ordered: boolean; readonly items: FlowItem[] } | undefined
  for (const [at, block] of blocks.entries()) {
    const number = numbers[at] ?? Number.NaN
    const counts = numbers[at + 1] === number + 1 || numbers[at - 1] === number - 1
    const isBullet = block.kind === 'paragraph' && bulletStart.test(plainText(block.inlines))
    if (!isBullet && !counts) {
      out.push(block)
      open = undefined
      continue
    }
    const item = withoutLabel([block], isBullet ? 'Disc' : 'Decimal')
    const goesOn =
      open !== undefined && open.ordered !== isBullet && (isBullet || numbers[at - 1] === number - 1)
    if (open !== undefined && goesOn) open.items.push(item)
    else {
      open = { ordered: !isBullet, items: [item] }
      out.push({ kind: 'list', start: isBullet ? 1 : number, ...open })
    }
  }
  return out
}

/** The blocks of an item whose label is part of its text. */
export function withoutLabel(
  blocks: readonly FlowBlock[],
  numbering: string | number | undefined,
): { readonly blocks: readonly FlowBlock[]; readonly number?: number } {
  const [first, ...rest] = blocks
  const [inline, ...more] = first?.kind === 'paragraph' ? first.inlines : []
  if (first?.kind !== 'paragraph' || inline?.kind !== 'text') return { blocks }
  const text = plainText(first.inlines)
  const ordinal = bulletStyles.has(numbering) ? null : ordinalStart.exec(text)
  const label = ordinal ?? bulletStart.exec(text) ?? (numbering === 'Circle' ? circleStart.exec(text) : null)
  if (label === null) return { blocks }
  // The label may be a separate text.
  let left = label[0].length
  const inlines = [inline, ...more].flatMap((content): FlowInline[] => {
    if (content.kind !== 'text' || left === 0) return [content]
    const remaining = content.text.slice(left)
    left = Math.max(0, left - content.text.length)
    return remaining === '' ? [] : [{ ...content, text: remaining }]
  })
  const cut = [{ ...first, inlines }, ...rest]
  return ordinal === null ? { blocks: cut } : { blocks: cut, number: Number(ordinal[1]) || 1 }
}

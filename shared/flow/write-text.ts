/** Writes a flow as plain text for reading, as in the text part of an e-mail. */
import type { Flow, FlowBlock, FlowInline, FlowTable } from './flow.ts'
import { gridOf } from './grid.ts'

/** Maximum width of a table in characters; wider ones are written with tabs between their cells. */
const widestTable = 160

export function writeText(flow: Flow): string {
  const notes: string[] = []
  const text = blocksText(flow.blocks, '', notes)
  const lines = [
    text,
    ...(notes.length === 0 ? [] : [notes.map((note, at) => `[${at + 1}] ${note}`).join('\n')]),
  ]
  return `${lines
    .join('\n\n')
    .split('\n')
    .map(withoutBlanksBehind)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`
}

/**
 * Removes spaces at the end of a line. A regular expression would retry from each space and take quadratic
 * time.
 */
function withoutBlanksBehind(line: string): string {
  let end = line.length
  while (line[end - 1] === ' ' || line[end - 1] === '\t') end--
  return line.slice(0, end)
}

function blocksText(blocks: readonly FlowBlock[], indent: string, notes: string[], tight = false): string {
  return blocks
    .map((block) => blockText(block, indent, notes))
    .filter((text) => text !== '')
    .join(tight ? '\n' : '\n\n')
}

function blockText(block: FlowBlock, indent: string, notes: string[]): string {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return indented(inlineText(block.inlines, notes), indent)
    case 'list':
      return block.items
        .map((item, at) => {
          const box = item.checked === undefined ? '' : item.checked ? '[x] ' : '[ ] '
          const bullet = `${block.ordered ? `${block.start + at}.` : '-'} ${box}`
          const inner = `${indent}${' '.repeat(block.ordered ? 3 : 2)}`
          const text = blocksText(item.blocks, inner, notes, true)
          return `${indent}${bullet}${text.slice(inner.length)}`
        })
        .join('\n')
    case 'table':
      return indented(tableText(block, notes), indent)
    case 'code':
      return indented(block.text.replace(/\n$/, ''), indent)
    case 'quote':
      return blocksText(block.blocks, `${indent}> `, notes)
    case 'rule':
      return `${indent}${'-'.repeat(40)}`
    case 'page-break':
      return ''
    default:
      return block satisfies never
  }
}

function indented(text: string, indent: string): string {
  return indent === ''
    ? text
    : text
        .split('\n')
        .map((line) => indent + line)
        .join('\n')
}

function inlineText(inlines: readonly FlowInline[], notes: string[]): string {
  let text = ''
  for (const [at, inline] of inlines.entries()) {
    if (inline.kind === 'break') text += '\n'
    else if (inline.kind === 'picture') text += inline.text === '' ? '' : `[${inline.text}]`
    else if (inline.kind === 'note') {
      const number = notes.push('')
      notes[number - 1] = blocksText(inline.blocks, '', notes, true)
      text += `[${number}]`
    } else {
      text += inline.text
      const next = inlines[at + 1]
      const last = next?.kind !== 'text' || next.link !== inline.link
      // Write the address after the text, unless the text shows it already.
      if (
        inline.link !== undefined &&
        last &&
        /^(https?|mailto):/i.test(inline.link) &&
        !inline.link.includes(inline.text.trim())
      )
        text += ` (${inline.link.replace(/^mailto:/i, '')})`
    }
  }
  return text
}

function tableText({ rows }: FlowTable, notes: string[]): string {
  const lines = gridOf(rows, 0).map((row) =>
    row.map((cell) =>
      cell === 'covered' || cell === 'empty'
        ? ''
        : blocksText(cell.blocks, '', notes, true)
            .split('\n')
            .map((line) => line.trim())
            .filter((line) => line !== '')
            .join(' / '),
    ),
  )
  const widths = (lines[0] ?? []).map((_, at) =>
    lines.reduce((max, line) => Math.max(max, line[at]?.length ?? 0), 0),
  )
  const total = widths.reduce((sum, width) => sum + width + 3, 0)
  if (total > widestTable) return lines.map((line) => line.join('\t')).join('\n')
  return lines.map((line) => line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('   ')).join('\n')
}

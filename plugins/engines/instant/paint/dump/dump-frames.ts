import type { Frame, GlyphRun, Page, ParagraphItem, Path, Placed } from '../../layout/frame.ts'

/**
 * Writes pages as text, for tests and for debugging: one line for each item, indented as frames are nested,
 * with lengths in points and one decimal. Glyph runs show their text, face and width, so that a difference
 * between two dumps can be read.
 */
export function dumpFrames(pages: readonly Page[]): string {
  const lines: string[] = []
  for (const [index, { frame, label }] of pages.entries()) {
    const named = label === undefined ? '' : ` label ${label.prefix ?? ''}${label.number} ${label.style}`
    lines.push(`page ${index + 1} ${pt(frame.width)}x${pt(frame.height)}${named}`)
    dumpFrame(frame, 1, lines)
  }
  return `${lines.join('\n')}\n`
}

function dumpFrame(frame: Frame, depth: number, lines: string[]): void {
  for (const placed of frame.items) {
    if (placed.item.kind === 'paragraph') continue
    lines.push(`${'  '.repeat(depth)}${pt(placed.x)},${pt(placed.y)} ${describe(placed.item)}`)
    if (placed.item.kind === 'group') dumpFrame(placed.item.frame, depth + 1, lines)
  }
}

function describe(item: Exclude<Placed['item'], ParagraphItem>): string {
  switch (item.kind) {
    case 'glyphs':
      return `text ${JSON.stringify(item.run.text)} ${describeRun(item.run)}${colour(item.colour)}${faint(item.opacity)}`
    case 'group': {
      const transform = item.transform === undefined ? '' : ` turn ${item.transform.map(pt).join(' ')}`
      return `group ${pt(item.frame.width)}x${pt(item.frame.height)}${item.clip ? ' clip' : ''}${item.mask === undefined ? '' : ' mask'}${item.field === undefined ? '' : ` field ${item.field.field.kind}`}${transform}${faint(item.opacity)}`
    }
    case 'shape':
      return `shape ${describePath(item.path)}`
    case 'image':
      return `image ${item.image.format} ${pt(item.width)}x${pt(item.height)}${faint(item.opacity)}`
    case 'link':
      return `link ${item.href} ${pt(item.width)}x${pt(item.height)}`
    case 'mark':
      return `mark ${item.id}`
    default:
      return item satisfies never
  }
}

function describeRun(run: GlyphRun): string {
  return `${run.face.key} ${pt(run.size)} w ${pt(run.width)}${run.rtl ? ' rtl' : ''}`
}

function describePath({ commands, fill, stroke }: Path): string {
  const parts = [
    commands.map(([kind, ...values]) => [kind, ...values.map((value) => pt(value))].join(' ')).join(' '),
  ]
  if (fill !== undefined) parts.push(fill.kind === 'solid' ? `fill${colour(fill.colour)}` : fill.kind)
  if (stroke !== undefined) {
    const dash = stroke.dash === undefined ? '' : ` dash ${stroke.dash.map(pt).join(' ')}`
    parts.push(`stroke${colour(stroke.colour)} ${pt(stroke.width)}${dash}`)
  }
  return parts.join(' ')
}

function colour(value: number): string {
  return ` #${value.toString(16).padStart(6, '0')}`
}
function faint(opacity: number | undefined): string {
  return opacity === undefined || opacity === 1 ? '' : ` opacity ${opacity}`
}
function pt(value: number): string {
  const rounded = Math.round(value * 10) / 10
  return String(rounded === 0 ? 0 : rounded)
}

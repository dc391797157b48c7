import type { Block, Inline, Paragraph } from '../../../../../shared/document/content.ts'
import type { Indent, ParagraphProperties, RunProperties } from '../../../../../shared/document/properties.ts'
import { libreOffice } from '../../compat/libreoffice.ts'
import type { ListLabel } from '../../style/labels.ts'
import type { LayoutContext } from '../context.ts'
import type { Pt } from '../frame.ts'

/** The number of sizes that LibreOffice tries. */
const maxPasses = 10

/**
 * Shrinks the text of blocks until it fits a height. The scale, in whole percent, is multiplied by the square root of the
 * fraction that fits, because smaller letters also need fewer lines, until a scale repeats. The result is the largest scale at
 * which the text fits.
 */
export function shrunkToFit(
  context: LayoutContext,
  blocks: readonly Block[],
  height: Pt,
  measure: (blocks: readonly Block[]) => Pt,
): readonly Block[] {
  const counted = blocks.findLastIndex(hasContent) + 1
  if (counted === 0) return blocks
  const tried = new Set<number>()
  let percent = 100
  let [scaled, best, fits] = [blocks, blocks, 0]
  for (let pass = 0; pass < maxPasses && !tried.has(percent); pass++) {
    context.budget.check()
    tried.add(percent)
    const used = heightOf(scaled.slice(0, counted), counted < blocks.length, measure)
    const ratio = used > 0 ? height / used : 1
    if (ratio >= 1 && percent > fits) [best, fits] = [scaled, percent]
    percent = Math.max(1, Math.min(100, Math.floor(percent * Math.sqrt(ratio))))
    if (!tried.has(percent)) scaled = scaledBlocks(context, blocks, percent / 100)
  }
  return fits > 0 ? best : scaled
}

/** Observed in LibreOffice: empty paragraphs at the end do not count, so that text does not shrink for them. */
const hasContent = (block: Block): boolean => block.kind !== 'paragraph' || block.inlines.length > 0

/** The height of blocks, with the space after the last one where more paragraphs follow. */
function heightOf(
  blocks: readonly Block[],
  isFollowed: boolean,
  measure: (blocks: readonly Block[]) => Pt,
): Pt {
  const last = blocks.at(-1)
  const below = isFollowed && last?.kind === 'paragraph' ? (last.properties.spaceAfter ?? 0) : 0
  return measure(blocks) + below
}

/** Copies of blocks in which sizes, spacing and indents are smaller. Tables keep their size. */
function scaledBlocks(context: LayoutContext, blocks: readonly Block[], scale: number): readonly Block[] {
  const runs = new Map<RunProperties, RunProperties>()
  const properties = new Map<ParagraphProperties, ParagraphProperties>()
  const base = context.document.styles.defaults.run
  const runOf = (run: RunProperties): RunProperties => {
    let scaled = runs.get(run)
    if (scaled === undefined) runs.set(run, (scaled = scaledRun(run, base, scale)))
    return scaled
  }
  const propertiesOf = (of: ParagraphProperties): ParagraphProperties => {
    let scaled = properties.get(of)
    if (scaled === undefined)
      properties.set(of, (scaled = scaledProperties(of, listIndentOf(context, of), scale)))
    return scaled
  }
  return blocks.map((block): Block => {
    if (block.kind !== 'paragraph') return block
    const paragraph: Paragraph = {
      ...block,
      properties: propertiesOf(block.properties),
      mark: runOf(block.mark),
      inlines: block.inlines.map(
        (inline): Inline => ('run' in inline ? { ...inline, run: runOf(inline.run) } : inline),
      ),
    }
    context.ownership?.originals.set(paragraph.inlines, block.inlines)
    const label = context.labels.paragraphs.get(block)
    if (label !== undefined) context.labels.paragraphs.set(paragraph, scaledLabel(label, scale))
    return paragraph
  })
}

/** The indents that the list of a paragraph adds. */
function listIndentOf({ styler }: LayoutContext, { list }: ParagraphProperties): Indent {
  const level = styler.level(list)
  return level?.addsIndent === true ? (level.paragraph.indent ?? {}) : {}
}

function scaledRun(run: RunProperties, base: RunProperties, scale: number): RunProperties {
  const size = libreOffice.shrunkSize(run.size ?? base.size ?? 18, scale)
  const complexSize = run.complexSize === undefined ? size : libreOffice.shrunkSize(run.complexSize, scale)
  return { ...run, size, complexSize }
}

function scaledProperties(of: ParagraphProperties, listIndent: Indent, scale: number): ParagraphProperties {
  const { indent = {}, spaceBefore = 0, spaceAfter = 0 } = of
  const { start = 0, end = 0, first = 0 } = indent
  // The list adds its indents without scaling, so subtract the difference.
  const added = { start: listIndent.start ?? 0, first: listIndent.first ?? 0 }
  return {
    ...of,
    indent: {
      start: (start + added.start) * scale - added.start,
      end: end * scale,
      first: (first + added.first) * scale - added.first,
    },
    spaceBefore: spaceBefore * scale,
    spaceAfter: spaceAfter * scale,
  }
}

function scaledLabel({ text, level }: ListLabel, scale: number): ListLabel {
  const { run, paragraph } = level
  const { start = 0, first = 0 } = paragraph.indent ?? {}
  return {
    text,
    level: {
      ...level,
      run: run.size === undefined ? run : { ...run, size: run.size * scale, complexSize: run.size * scale },
      paragraph: { ...paragraph, indent: { start: start * scale, first: first * scale } },
    },
  }
}

import type { DocumentSettings } from '../../../../../shared/document/document.ts'
import type { TabStop } from '../../../../../shared/document/properties.ts'
import { word } from '../../compat/word.ts'
import type { ComputedParagraph } from '../../style/computed.ts'
import { measure } from '../../text/shape.ts'
import type { LayoutContext } from '../context.ts'
import type { Pt } from '../frame.ts'
import { blank, type TextSegment } from './types.ts'

/** The stop that a tab goes to; positions count from the start edge of the region. */
export interface ResolvedTabStop {
  readonly at: Pt
  readonly align: TabStop['align']
  readonly leader: TabStop['leader']
  readonly decimal?: string
}

/**
 * The next stop after `x`: a tab stop of the paragraph, else the hanging indent, else a default stop every
 * `defaultTab` points.
 */
export function nextStop(
  style: ComputedParagraph,
  x: Pt,
  settings: Pick<DocumentSettings, 'defaultTab' | 'tabsFromIndent'>,
): ResolvedTabStop {
  const min = x + 0.05
  const fromIndent = word.tabsCountFromIndent(settings)
  const base = (stop: TabStop): Pt =>
    stop.fromIndent === true && fromIndent ? stop.at + style.indentStart : stop.at
  const declared = style.tabs.find((stop) => stop.align !== 'bar' && base(stop) > min)
  const hanging = style.indentFirst < 0 && style.indentStart > min ? style.indentStart : undefined
  if (declared !== undefined && (hanging === undefined || base(declared) <= hanging)) {
    return { at: base(declared), align: declared.align, leader: declared.leader, decimal: declared.decimal }
  }
  const interval = Math.max(1, style.defaultTab ?? settings.defaultTab)
  const origin = fromIndent ? style.indentStart : 0
  const regular = origin + (Math.floor((min - origin) / interval) + 1) * interval
  const at = hanging === undefined ? regular : hanging
  return { at, align: 'left', leader: 'none' }
}

/** The width of what follows a tab, from segment `from` up to the next tab; for a decimal stop up to the decimal sign. */
export function widthToStop(segments: readonly TextSegment[], from: number, stop: ResolvedTabStop): Pt {
  let width = 0
  for (let i = from; i < segments.length; i++) {
    const segment = segments[i]
    if (segment === undefined) break
    if (segment.kind === 'tab' || segment.kind === 'break') break
    if (stop.align === 'decimal' && segment.kind === 'text') {
      const sign = decimalSign(segment.text, stop.decimal)
      if (sign >= 0) return width + measure(segment.text.slice(0, sign), segment.textStyle.shaping)
    }
    if (segment.kind === 'text' || segment.kind === 'object' || segment.kind === 'space')
      width += segment.width
  }
  return width
}

/**
 * The index of the decimal sign: the given one, or a point or comma followed by digits only; -1 when absent.
 */
function decimalSign(text: string, sign: string | undefined): number {
  if (sign !== undefined) return text.indexOf(sign)
  const match = /[.,](?=\d*$)/.exec(text)
  return match === null ? -1 : match.index
}

/**
 * The space before the text of a cell that is aligned at the decimal stop of its paragraph although no tab leads there;
 * undefined where nothing is aligned so. `width` is that of the cell.
 */
export function decimalSpace(
  { document: { settings } }: LayoutContext,
  style: ComputedParagraph,
  segments: readonly TextSegment[],
  width: Pt | undefined,
): TextSegment | undefined {
  const [first] = segments
  if (first === undefined || style.tabs.length !== 1 || style.align !== 'start') return undefined
  if (!word.cellsAlignDecimals(settings) || segments.some(({ kind }) => kind === 'tab')) return undefined
  const start = style.indentStart + style.indentFirst
  const stop = nextStop(style, start, settings)
  if (stop.align !== 'decimal') return undefined
  const all = segments.reduce((sum, segment) => sum + segment.width, 0)
  const free = (width ?? Number.POSITIVE_INFINITY) - style.indentEnd - start - all
  const space = Math.min(stop.at - start - widthToStop(segments, 0, stop), free)
  return space > 0 ? { ...blank(first.textStyle), kind: 'object', width: space } : undefined
}

/** The character that is repeated for each kind of leader. */
export const leaderCharacters: Readonly<Record<TabStop['leader'], string>> = {
  none: '',
  dot: '.',
  hyphen: '-',
  underscore: '_',
  'middle-dot': '\u00b7',
  heavy: '_',
}

import type { DocumentSettings } from '../../../../../shared/document/document.ts'
import type { TabStop } from '../../../../../shared/document/properties.ts'
import { word } from '../../compat/word.ts'
import type { ComputedParagraph } from '../../style/computed.ts'
import type { Pt } from '../frame.ts'

/** The stop that a tab goes to; positions count from the start edge of the region. */
export interface ResolvedTabStop {
  readonly at: Pt
  readonly align: TabStop['align']
  readonly leader: TabStop['leader']
  readonly decimal?: string
}

/**
 * The next stop behind `x`: a tab stop of the paragraph, else the hanging indent, else a default stop every
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

/** The character that is repeated for each kind of leader. */
export const leaderCharacters: Readonly<Record<TabStop['leader'], string>> = {
  none: '',
  dot: '.',
  hyphen: '-',
  underscore: '_',
  'middle-dot': '\u00b7',
  heavy: '_',
}

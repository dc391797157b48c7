import type { FormField } from '../../../../../shared/document/form-field.ts'
import type { Link } from '../../../../../shared/document/properties.ts'
import { libreOffice } from '../../compat/libreoffice.ts'
import type { Face } from '../../fonts/face.ts'
import { borderInset, sameBorder } from '../../style/border-width.ts'
import { type Neighbours, neighboursOf } from '../../text/joining.ts'
import { clustersOf, countStretchable, expandClusters, expandSpaces, widerAtEnd } from '../../text/justify.ts'
import { shape } from '../../text/shape.ts'
import type { GlyphRun, Pt } from '../frame.ts'
import { shapingOf } from './text-style.ts'
import type { TabPart, TextSegment, TextStyle } from './types.ts'

/** Neighbouring segments with the same text style, which become one run of glyphs. */
export interface ShapingGroup {
  readonly textStyle: TextStyle
  readonly face: Face
  readonly level: number
  readonly link: Link | undefined
  /** The field of a form that the text is the content of. */
  readonly control: FormField | undefined
  /** An object or bookmark instead of text. */
  readonly box: TextSegment | undefined
  /** The number or bullet of a list. */
  readonly label: boolean
  /** Grows while segments are joined. */
  text: string
  /** The shaped text; set when the group is complete, and replaced when it is justified. */
  run: GlyphRun | undefined
  /** The width of the run with its border; changes along with `run`. */
  width: Pt
  /** The width of a border on each side, included in `width`; absent where the neighbour shares the box. */
  before?: Pt
  after?: Pt
}

export const sum = (groups: readonly ShapingGroup[]): Pt =>
  groups.reduce((total, group) => total + group.width, 0)

/**
 * Joins the segments between two tab stops into groups and shapes them. Trailing spaces and unused soft
 * hyphens are dropped.
 */
export function shapeGroups(part: TabPart, isLast: boolean, keepsBlanks: boolean): ShapingGroup[] {
  const { segments } = part
  let end = segments.length
  if (isLast) while (end > 0 && mayHang(segments[end - 1]!)) end--
  const groups: ShapingGroup[] = []
  for (let i = 0; i < segments.length; i++) {
    const segment = segments[i]!
    if (
      (i >= end && segment.kind === 'space' && !keepsBlanks) ||
      (segment.kind === 'text' && segment.text === '')
    )
      continue
    if (segment.kind === 'soft-hyphen') {
      if (isLast && i === end - 1 && segments.length > 1) groups.push(textGroup(segment, '-'))
      continue
    }
    if ((segment.kind !== 'text' && segment.kind !== 'space') || segment.text === '') {
      if (segment.kind !== 'break') groups.push(boxGroup(segment))
      continue
    }
    const open = groups.at(-1)
    if (
      open !== undefined &&
      open.box === undefined &&
      open.textStyle === segment.textStyle &&
      open.face === segment.face &&
      open.level === segment.level &&
      open.label === (segment.label === 'text') &&
      open.link === segment.link &&
      open.control === segment.control
    ) {
      open.text += segment.text
    } else groups.push(textGroup(segment, segment.text))
  }
  groups.forEach((group, index) => {
    if (group.box !== undefined) return
    const { textStyle, face, level } = group
    group.run = shape(group.text, shapingOf(textStyle, face, level, neighboursOfGroup(groups, index)))
    group.width = libreOffice.portionWidth(group.run.width)
  })
  borderGroups(groups)
  return groups
}

/** The letters of the groups on both sides that join those of a group; bookmarks between them do not part them. */
function neighboursOfGroup(groups: readonly ShapingGroup[], index: number): Neighbours | undefined {
  const { text, level } = groups[index]!
  if ((level & 1) === 0) return undefined
  const textAt = (step: 1 | -1): string => {
    let at = index + step
    while (groups[at]?.box?.kind === 'mark') at += step
    return groups[at]?.text ?? ''
  }
  const [before, after] = [textAt(-1), textAt(1)]
  return neighboursOf(before + text + after, before.length, before.length + text.length)
}

/** Adds the width of borders at the ends of each run of text with equal borders. */
function borderGroups(all: readonly ShapingGroup[]): void {
  if (all.every(({ textStyle }) => textStyle.run.border === undefined)) return
  const groups = all.filter(({ run }) => run !== undefined)
  groups.forEach((group, index) => {
    const { border } = group.textStyle.run
    if (border === undefined) return
    const edge = borderInset(group.textStyle.run)
    if (!sameBorder(groups[index - 1]?.textStyle.run.border, border)) group.before = edge
    if (!sameBorder(groups[index + 1]?.textStyle.run.border, border)) group.after = edge
    group.width += (group.before ?? 0) + (group.after ?? 0)
  })
}

/** Whether a segment may hang over the end of a line. */
const mayHang = (segment: TextSegment): boolean =>
  segment.kind === 'space' ||
  segment.kind === 'break' ||
  (segment.kind === 'mark' && segment.drawing === undefined)

const emptyGroup = (segment: TextSegment, box?: TextSegment): ShapingGroup => ({
  textStyle: segment.textStyle,
  face: segment.face,
  level: segment.level,
  link: segment.link,
  control: segment.control,
  box,
  label: segment.label === 'text',
  text: '',
  run: undefined,
  width: 0,
})

const boxGroup = (segment: TextSegment): ShapingGroup => {
  const group = emptyGroup(segment, segment)
  if (segment.kind === 'object' || segment.kind === 'space') group.width = segment.width
  return group
}

const textGroup = (segment: TextSegment, text: string): ShapingGroup => {
  const group = emptyGroup(segment)
  group.text = text
  return group
}

/**
 * Justifies a line: distributes the free width evenly over its spaces, and in scripts without spaces over all
 * characters but the last of the line.
 */
export function justifyGroups(groups: readonly ShapingGroup[], free: Pt): void {
  if (free <= 0) return
  const last = groups.findLastIndex(({ run }) => run !== undefined)
  const isKorean = groups.some(({ text }) => hangul.test(text)) // Korean separates words by spaces
  const growsByCharacter = ({ textStyle, run }: ShapingGroup): boolean =>
    run !== undefined && textStyle.kind === 'east-asian' && !isKorean
  const opportunities = groups.map((group, index) => {
    if (group.run === undefined) return 0
    if (growsByCharacter(group)) return clustersOf(group.run) - (index === last ? 1 : 0)
    const next = groups[index + 1]
    return (
      countStretchable(group.text) +
      (libreOffice.scriptChangeStretches && next !== undefined && growsByCharacter(next) ? 1 : 0)
    )
  })
  const total = opportunities.reduce((sum, count) => sum + count, 0)
  if (total <= 0) return
  const each = free / total
  for (const [index, group] of groups.entries()) {
    if (group.run === undefined || opportunities[index] === 0) continue
    const isByCharacter = growsByCharacter(group)
    group.run = isByCharacter
      ? expandClusters(group.run, each, index === last)
      : expandSpaces(group.run, each)
    const between = isByCharacter ? 0 : (opportunities[index] ?? 0) - countStretchable(group.text)
    if (between > 0) group.run = widerAtEnd(group.run, each)
    group.width = group.run.width + (group.before ?? 0) + (group.after ?? 0)
  }
}

const hangul = /[\u1100-\u11ff\uac00-\ud7a3]/

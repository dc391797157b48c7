/**
 * Conditional formats: rules of CT_ConditionalFormatting (ECMA-376-1 18.3.1.18) and those that Excel 2010 and later write into
 * the extensions of a sheet ([MS-XLSX] 2.6.33).
 */

import type {
  CellArea,
  CellCondition,
  CellIcon,
  ColorScale,
  ConditionalRule,
  DataBar,
  DatePeriod,
  DifferentialFormat,
  IconSet,
  ScalePoint,
} from '../../../../shared/document/sheet.ts'
import type { Writable } from '../../../../shared/document/writable.ts'
import { entryOf } from '../../../../shared/entry-of.ts'
import { pushAll } from '../../../../shared/push-all.ts'
import type { XmlCursor } from '../../../../shared/xml/cursor.ts'
import { type Palette, readColor } from './colors.ts'
import { readDifferential } from './formats.ts'
import { areaOf } from './page-setup.ts'

/** The state of reading the rules of one sheet. */
export interface ConditionsReading {
  readonly rules: { readonly priority: number; readonly rule: ConditionalRule; readonly id?: string }[]
  /** Data bars of extensions by the id of the rule that they extend. */
  readonly bars: Map<string, BarExtension>
  /** Whether a rule of an unknown kind was found. */
  hasUnknown: boolean
}
interface ConditionsContext {
  readonly palette: Palette
  readonly differentials: readonly DifferentialFormat[]
}

export const newConditionsReading = (): ConditionsReading => ({
  rules: [],
  bars: new Map(),
  hasUnknown: false,
})

/** The maximum number of rules of one sheet. Further rules are omitted; real sheets have a few hundred. */
const maxRules = 20_000
/** The maximum number of areas of one conditional format. */
const maxAreas = 10_000

/** The rules of a sheet by priority. */
export function rulesOf({ rules, bars }: ConditionsReading): readonly ConditionalRule[] {
  return [...rules]
    .sort((a, b) => a.priority - b.priority)
    .map(({ rule, id }) => {
      const extension = id === undefined ? undefined : bars.get(id)
      if (extension === undefined || rule.effect.kind !== 'bar') return rule
      return { ...rule, effect: extendedBar(rule.effect, extension) }
    })
}

/** Reads s:conditionalFormatting or x14:conditionalFormatting at the cursor. */
export function readConditions(
  cursor: XmlCursor,
  reading: ConditionsReading,
  context: ConditionsContext,
): void {
  // In extensions, the areas follow the rules, so the rules refer to a list that is filled later.
  const areas: CellArea[] = areasIn(cursor.attribute('sqref') ?? '')
  cursor.each((name) => {
    if (name === 'xm:sqref') pushAll(areas, areasIn(cursor.text()))
    else if (name.endsWith(':cfRule')) readRule(cursor, areas, reading, context)
  })
}

/** ST_Sqref (18.18.76): references separated by spaces. */
const areasIn = (list: string): CellArea[] =>
  list.split(/\s+/, maxAreas).flatMap((text) => areaOf(text) ?? [])

/** CT_CfRule (18.3.1.10). */
function readRule(
  cursor: XmlCursor,
  areas: readonly CellArea[],
  reading: ConditionsReading,
  { palette, differentials }: ConditionsContext,
): void {
  const attributes = ruleAttributes(cursor)
  const isExtension = cursor.name === 'x14:cfRule'
  let style = differentials[integer(cursor.attribute('dxfId'), -1)]
  let id = isExtension ? cursor.attribute('id') : undefined
  const formulas: string[] = []
  let effect: ColorScale | DataBar | IconSet | undefined
  let bar: BarExtension | undefined
  cursor.each((name) => {
    if (name.endsWith(':formula') || name === 'xm:f') formulas.push(cursor.text())
    else if (name.endsWith(':dxf')) style = readDifferential(cursor, palette)
    else if (name.endsWith(':colorScale')) effect = readScale(cursor, palette)
    else if (name.endsWith(':iconSet')) effect = readIcons(cursor)
    else if (name === 's:dataBar') effect = readBar(cursor, palette)
    else if (name === 'x14:dataBar') bar = readBarExtension(cursor, palette)
    else if (name === 's:extLst')
      cursor.each(() =>
        cursor.each((child) => {
          if (child === 'x14:id') id = cursor.text()
        }),
      )
  })
  if (bar !== undefined && id !== undefined) reading.bars.set(id, bar)
  // A data bar of an extension extends the rule with its id, which older programs read. A data bar without a colour has no
  // such rule.
  if (bar !== undefined && attributes.priority === undefined) return
  if (bar !== undefined) effect = extendedBar(defaultBar(bar.color ?? '638EC6'), bar)
  if (reading.rules.length >= maxRules) {
    reading.hasUnknown = true
    return
  }
  const add = (added: ConditionalRule['effect']): void =>
    void reading.rules.push({
      priority: attributes.priority ?? 0,
      rule: { areas, effect: added },
      ...(id !== undefined && { id }),
    })
  if (effect !== undefined) {
    add(effect)
    return
  }
  const when = conditionOf(attributes, formulas)
  if (when === undefined) reading.hasUnknown ||= !scales.has(attributes.type)
  else if (style !== undefined) add({ kind: 'style', when, style, stops: attributes.stops })
}
const scales = new Set(['dataBar', 'colorScale', 'iconSet'])

/** The attributes of a rule. */
interface RuleAttributes {
  readonly type: string
  readonly priority: number | undefined
  readonly stops: boolean
  readonly operator: string
  readonly text: string | undefined
  readonly period: string
  readonly rank: number
  readonly percent: boolean
  readonly bottom: boolean
  readonly below: boolean
  readonly orEqual: boolean
  readonly deviations: number
}
function ruleAttributes(cursor: XmlCursor): RuleAttributes {
  const priority = cursor.attribute('priority')
  return {
    type: cursor.attribute('type') ?? '',
    priority: priority === undefined ? undefined : integer(priority, 0),
    stops: isOn(cursor.attribute('stopIfTrue')),
    operator: cursor.attribute('operator') ?? '',
    text: cursor.attribute('text'),
    period: cursor.attribute('timePeriod') ?? '',
    rank: Math.max(0, integer(cursor.attribute('rank'), 10)),
    percent: isOn(cursor.attribute('percent')),
    bottom: isOn(cursor.attribute('bottom')),
    below: cursor.attribute('aboveAverage') === '0' || cursor.attribute('aboveAverage') === 'false',
    orEqual: isOn(cursor.attribute('equalAverage')),
    deviations: Math.max(0, integer(cursor.attribute('stdDev'), 0)),
  }
}

/** ST_CfType (18.18.12). Undefined for unknown kinds, and if an operand is missing. */
function conditionOf(rule: RuleAttributes, formulas: readonly string[]): CellCondition | undefined {
  const [first] = formulas
  switch (rule.type) {
    case 'cellIs': {
      const operator = entryOf(operators, rule.operator)
      if (operator === undefined) return textCondition(entryOf(textMatches, rule.operator), rule.text, first)
      return formulas.length < (operator === 'between' || operator === 'outside' ? 2 : 1)
        ? undefined
        : { kind: 'compare', operator, operands: formulas.slice(0, 2) }
    }
    case 'expression':
      return first === undefined ? undefined : { kind: 'formula', formula: first }
    case 'top10':
      return { kind: 'rank', rank: rule.rank, percent: rule.percent, smallest: rule.bottom }
    case 'aboveAverage':
      return { kind: 'average', below: rule.below, orEqual: rule.orEqual, deviations: rule.deviations }
    case 'duplicateValues':
      return { kind: 'duplicate' }
    case 'uniqueValues':
      return { kind: 'unique' }
    case 'containsText':
    case 'notContainsText':
    case 'beginsWith':
    case 'endsWith':
      return textCondition(entryOf(textMatches, rule.type), rule.text, first)
    case 'containsBlanks':
      return { kind: 'blank' }
    case 'notContainsBlanks':
      return { kind: 'filled' }
    case 'containsErrors':
      return { kind: 'error' }
    case 'notContainsErrors':
      return { kind: 'no-error' }
    case 'timePeriod': {
      const period = entryOf(periods, rule.period)
      return period === undefined ? undefined : { kind: 'period', period }
    }
    default:
      return undefined
  }
}
/** The text from the attribute, or from the formula that other programs write instead. */
function textCondition(
  match: TextMatch | undefined,
  text: string | undefined,
  formula: string | undefined,
): CellCondition | undefined {
  if (match !== undefined && text !== undefined) return { kind: 'text', match, text }
  return formula === undefined ? undefined : { kind: 'formula', formula }
}

/** ST_ConditionalFormattingOperator (18.18.15). */
const operators: Readonly<Record<string, Extract<CellCondition, { kind: 'compare' }>['operator']>> = {
  equal: 'equal',
  notEqual: 'unequal',
  lessThan: 'less',
  lessThanOrEqual: 'at-most',
  greaterThan: 'greater',
  greaterThanOrEqual: 'at-least',
  between: 'between',
  notBetween: 'outside',
}
type TextMatch = Extract<CellCondition, { kind: 'text' }>['match']
const textMatches: Readonly<Record<string, TextMatch>> = {
  containsText: 'contains',
  notContainsText: 'lacks',
  notContains: 'lacks',
  beginsWith: 'begins',
  endsWith: 'ends',
}
/** ST_TimePeriod (18.18.82). */
const periods: Readonly<Record<string, DatePeriod>> = {
  yesterday: 'yesterday',
  today: 'today',
  tomorrow: 'tomorrow',
  last7Days: 'last-7-days',
  lastWeek: 'last-week',
  thisWeek: 'this-week',
  nextWeek: 'next-week',
  lastMonth: 'last-month',
  thisMonth: 'this-month',
  nextMonth: 'next-month',
}

/** A threshold that is being read. */
interface ReadPoint {
  readonly point: ScalePoint
  readonly inclusive: boolean
}

/** CT_Cfvo (18.3.1.11). */
function readPoint(cursor: XmlCursor): ReadPoint {
  const type = cursor.attribute('type') ?? 'num'
  const inclusive = cursor.attribute('gte') !== '0' && cursor.attribute('gte') !== 'false'
  let value = cursor.attribute('val') ?? ''
  cursor.each((name) => {
    if (name === 'xm:f') value = cursor.text()
  })
  return { point: pointOf(type, value), inclusive }
}
function pointOf(type: string, value: string): ScalePoint {
  switch (type) {
    case 'min':
    case 'max':
      return { kind: type }
    case 'autoMin':
    case 'autoMax':
      return { kind: 'auto' }
    case 'percent':
    case 'percentile': {
      const percentage = Number(value)
      // A percentage may be a formula, which is then evaluated as a number.
      return Number.isFinite(percentage)
        ? { kind: type, share: Math.min(100, Math.max(0, percentage)) }
        : { kind: 'formula', formula: value }
    }
    default:
      return { kind: 'formula', formula: value === '' ? '0' : value }
  }
}

/** CT_ColorScale (18.3.1.16): two or three thresholds, each with a colour. */
function readScale(cursor: XmlCursor, palette: Palette): ColorScale | undefined {
  const points: ScalePoint[] = []
  const colors: string[] = []
  cursor.each((name) => {
    if (name.endsWith(':cfvo') && points.length < 3) points.push(readPoint(cursor).point)
    else if (name.endsWith(':color')) colors.push(readColor(cursor, palette) ?? 'FFFFFF')
  })
  if (points.length < 2 || colors.length < points.length) return undefined
  return { kind: 'scale', points: points.map((at, index) => ({ at, color: colors[index] ?? 'FFFFFF' })) }
}

/** CT_DataBar (18.3.1.28) without the extension of Excel 2010. */
const defaultBar = (color: string): Writable<DataBar> => ({
  kind: 'bar',
  from: { kind: 'min' },
  to: { kind: 'max' },
  color,
  negativeColor: color,
  axisColor: '000000',
  gradient: true,
  axis: 'none',
  minLength: 10,
  maxLength: 90,
  showsValue: true,
})

function readBar(cursor: XmlCursor, palette: Palette): DataBar {
  const bar = defaultBar('638EC6')
  bar.showsValue = isOn(cursor.attribute('showValue') ?? '1')
  bar.minLength = percent(cursor.attribute('minLength'), 10)
  bar.maxLength = percent(cursor.attribute('maxLength'), 90)
  const points: ScalePoint[] = []
  cursor.each((name) => {
    if (name === 's:cfvo') points.push(readPoint(cursor).point)
    else if (name === 's:color') bar.color = bar.negativeColor = readColor(cursor, palette) ?? bar.color
  })
  const [from, to] = points
  return { ...bar, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
}

/** The members of CT_DataBar in [MS-XLSX] 2.6.10, which override those of a bar. */
interface BarExtension extends Partial<DataBar> {}

function readBarExtension(cursor: XmlCursor, palette: Palette): BarExtension {
  const position = cursor.attribute('axisPosition') ?? 'automatic'
  const bar: Partial<Writable<DataBar>> = {
    axis: position === 'none' || position === 'middle' ? position : 'automatic',
    gradient: isOn(cursor.attribute('gradient') ?? '1'),
    minLength: percent(cursor.attribute('minLength'), 10),
    maxLength: percent(cursor.attribute('maxLength'), 90),
  }
  if (cursor.attribute('showValue') !== undefined) bar.showsValue = isOn(cursor.attribute('showValue'))
  const sameColor = isOn(cursor.attribute('negativeBarColorSameAsPositive') ?? '0')
  const points: ScalePoint[] = []
  cursor.each((name) => {
    const color = (): string | undefined => readColor(cursor, palette)
    if (name === 'x14:cfvo') points.push(readPoint(cursor).point)
    else if (name === 'x14:fillColor') Object.assign(bar, { color: color() ?? '638EC6' })
    else if (name === 'x14:negativeFillColor' && !sameColor)
      Object.assign(bar, { negativeColor: color() ?? 'FF0000' })
    else if (name === 'x14:axisColor') Object.assign(bar, { axisColor: color() ?? '000000' })
  })
  const [from, to] = points
  return { ...bar, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
}

const extendedBar = (bar: DataBar, extension: BarExtension): DataBar => ({ ...bar, ...extension })

/** CT_IconSet (18.3.1.49), and its extension with icons of several sets. */
function readIcons(cursor: XmlCursor): IconSet | undefined {
  const set = cursor.attribute('iconSet') ?? '3TrafficLights1'
  const showsValue = isOn(cursor.attribute('showValue') ?? '1')
  const reverse = isOn(cursor.attribute('reverse'))
  const isCustom = isOn(cursor.attribute('custom'))
  const points: ReadPoint[] = []
  const custom: (CellIcon | undefined)[] = []
  cursor.each((name) => {
    if (name.endsWith(':cfvo') && points.length < 5) points.push(readPoint(cursor))
    else if (name === 'x14:cfIcon' && custom.length < 5) {
      const iconSet = cursor.attribute('iconSet') ?? 'NoIcons'
      const index = integer(cursor.attribute('iconId'), 0)
      custom.push(iconSet === 'NoIcons' ? undefined : { set: iconSet, index: Math.max(0, index) })
    }
  })
  if (points.length < 2) return undefined
  const icons = points.map(({ point, inclusive }, at) => {
    const index = reverse ? points.length - 1 - at : at
    const icon = isCustom ? custom[index] : { set, index }
    return { from: point, inclusive, ...(icon !== undefined && { icon }) }
  })
  return { kind: 'icons', icons, showsValue }
}

const isOn = (value: string | undefined): boolean => value === '1' || value === 'true'
const integer = (value: string | undefined, fallback: number): number => {
  const number = Number(value)
  return value === undefined || !Number.isFinite(number) ? fallback : Math.trunc(number)
}
const percent = (value: string | undefined, fallback: number): number =>
  Math.min(100, Math.max(0, integer(value, fallback)))

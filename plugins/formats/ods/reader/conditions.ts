/** Conditional formats as LibreOffice writes them (`calcext:conditional-formats`, not part of ODF 1.3). */

import type {
  CellCondition,
  ConditionalRule,
  DataBar,
  DatePeriod,
  IconSet,
  ScalePoint,
} from '../../../../shared/document/sheet.ts'
import { entryOf } from '../../../../shared/entry-of.ts'
import { percent as percentOf, color as readColor } from '../../../../shared/office/opendocument/values.ts'
import type { XmlCursor } from '../../../../shared/xml/cursor.ts'
import { a1Formula, areasOf } from './addresses.ts'
import type { SheetReading } from './context.ts'

const maxRules = 20_000

/** Reads the rules of a table. If several rules change the same cells, the first one applies. */
export function readConditions(cursor: XmlCursor, context: SheetReading): ConditionalRule[] {
  const rules: ConditionalRule[] = []
  cursor.each((name) => {
    if (name !== 'calcext:conditional-format') return
    const areas = areasOf(cursor.attribute('calcext:target-range-address'))
    cursor.each((child) => {
      const effect = rules.length < maxRules ? readEffect(cursor, child, context) : undefined
      if (effect !== undefined) rules.push({ areas, effect })
      else context.warn('read.conditional-format', 'Conditional formats of unsupported kinds are not drawn.')
    })
  })
  return rules
}

function readEffect(
  cursor: XmlCursor,
  name: string,
  { differential }: SheetReading,
): ConditionalRule['effect'] | undefined {
  switch (name) {
    case 'calcext:condition':
    case 'calcext:date-is': {
      const style = cursor.attribute('calcext:apply-style-name') ?? cursor.attribute('calcext:style') ?? ''
      const when =
        name === 'calcext:date-is'
          ? periodOf(cursor.attribute('calcext:date'))
          : conditionOf(cursor.attribute('calcext:value') ?? '')
      return when && { kind: 'style', when, style: differential(style), stops: true }
    }
    case 'calcext:color-scale': {
      const points: { at: ScalePoint; color: string }[] = []
      cursor.each((child) => {
        if (child === 'calcext:color-scale-entry' && points.length < 3)
          points.push({
            at: readPoint(cursor),
            color: readColor(cursor.attribute('calcext:color')) ?? 'FFFFFF',
          })
      })
      return points.length < 2 ? undefined : { kind: 'scale', points }
    }
    case 'calcext:data-bar':
      return readBar(cursor)
    case 'calcext:icon-set':
      return readIcons(cursor)
    default:
      return undefined
  }
}

const operators: Readonly<Record<string, Extract<CellCondition, { kind: 'compare' }>['operator']>> = {
  '=': 'equal',
  '!=': 'unequal',
  '<>': 'unequal',
  '<': 'less',
  '<=': 'at-most',
  '>': 'greater',
  '>=': 'at-least',
}

/** Parses a condition such as '>5', 'between(1,[.A1])' or 'formula-is([.B1]=2)'. */
function conditionOf(value: string): CellCondition | undefined {
  const compared = /^(<=|>=|!=|<>|=|<|>)(.+)$/s.exec(value)
  if (compared !== null) {
    const operator = entryOf(operators, compared[1])
    return operator && { kind: 'compare', operator, operands: [a1Formula(compared[2] ?? '')] }
  }
  const called = /^([a-z-]+)(?:\((.*)\))?$/s.exec(value)
  if (called === null) return undefined
  const [, name = '', inner = ''] = called
  const text = /^"(.*)"$/s.exec(inner)?.[1]?.replaceAll('""', '"') ?? inner
  const rank = Math.max(0, Number(inner) || 0)
  switch (name) {
    case 'formula-is':
      return { kind: 'formula', formula: a1Formula(inner) }
    case 'between':
    case 'not-between': {
      const operands = argumentsOf(a1Formula(inner))
      return operands.length < 2
        ? undefined
        : { kind: 'compare', operator: name === 'between' ? 'between' : 'outside', operands }
    }
    case 'top-elements':
    case 'top-percent':
      return { kind: 'rank', rank, percent: name === 'top-percent', smallest: false }
    case 'bottom-elements':
    case 'bottom-percent':
      return { kind: 'rank', rank, percent: name === 'bottom-percent', smallest: true }
    case 'above-average':
    case 'above-equal-average':
    case 'below-average':
    case 'below-equal-average':
      return {
        kind: 'average',
        below: name.startsWith('below'),
        orEqual: name.includes('equal'),
        deviations: 0,
      }
    case 'duplicate':
    case 'unique':
      return { kind: name }
    case 'is-error':
      return { kind: 'error' }
    case 'is-no-error':
      return { kind: 'no-error' }
    case 'begins-with':
      return { kind: 'text', match: 'begins', text }
    case 'ends-with':
      return { kind: 'text', match: 'ends', text }
    case 'contains-text':
      return { kind: 'text', match: 'contains', text }
    case 'not-contains-text':
      return { kind: 'text', match: 'lacks', text }
    default:
      return undefined
  }
}

/** Splits the arguments of a function call at commas outside of parentheses and quotes. */
function argumentsOf(list: string): string[] {
  const parts = ['']
  let depth = 0
  let isText = false
  for (const character of list) {
    if (character === '"') isText = !isText
    else if (!isText && character === '(') depth++
    else if (!isText && character === ')') depth--
    if (character === ',' && depth === 0 && !isText) parts.push('')
    else parts[parts.length - 1] += character
  }
  return parts
}

const periods = new Set<string>([
  'today',
  'yesterday',
  'tomorrow',
  'last-7-days',
  'this-week',
  'last-week',
  'next-week',
  'this-month',
  'last-month',
  'next-month',
  'this-year',
  'last-year',
  'next-year',
])
const periodOf = (text: string | undefined): CellCondition | undefined =>
  text !== undefined && periods.has(text) ? { kind: 'period', period: text as DatePeriod } : undefined

/** A threshold of a scale, from `calcext:type` and `calcext:value`. */
function readPoint(cursor: XmlCursor): ScalePoint {
  const value = cursor.attribute('calcext:value') ?? '0'
  switch (cursor.attribute('calcext:type')) {
    case 'minimum':
      return { kind: 'min' }
    case 'maximum':
      return { kind: 'max' }
    case 'auto-minimum':
    case 'auto-maximum':
      return { kind: 'auto' }
    case 'percent':
    case 'percentile': {
      const kind = cursor.attribute('calcext:type') === 'percent' ? 'percent' : 'percentile'
      return { kind, share: Math.min(100, Math.max(0, Number(value) || 0)) }
    }
    default:
      return { kind: 'formula', formula: a1Formula(value) }
  }
}

function readBar(cursor: XmlCursor): DataBar {
  const axis = cursor.attribute('calcext:axis-position')
  const number = (name: string, fallback: number): number => {
    const text = cursor.attribute(name)
    const fraction = percentOf(text) ?? Number(text ?? fallback) / 100
    return Number.isFinite(fraction) ? Math.min(100, Math.max(0, fraction * 100)) : fallback
  }
  const color = readColor(cursor.attribute('calcext:positive-color')) ?? '0000FF'
  const base = {
    kind: 'bar',
    color,
    negativeColor: readColor(cursor.attribute('calcext:negative-color')) ?? 'FF0000',
    axisColor: readColor(cursor.attribute('calcext:axis-color')) ?? '000000',
    gradient: cursor.attribute('calcext:gradient') !== 'false',
    axis: axis === 'none' || axis === 'middle' ? axis : 'automatic',
    minLength: number('calcext:min-length', 0),
    maxLength: number('calcext:max-length', 100),
    showsValue: cursor.attribute('calcext:show-value') !== 'false',
  } as const
  const points: ScalePoint[] = []
  cursor.each((child) => {
    if (child === 'calcext:formatting-entry') points.push(readPoint(cursor))
  })
  const [from = { kind: 'auto' }, to = { kind: 'auto' }] = points
  return { ...base, from, to }
}

function readIcons(cursor: XmlCursor): IconSet | undefined {
  const set = cursor.attribute('calcext:icon-set-type') ?? '3Arrows'
  const showsValue = cursor.attribute('calcext:show-value') !== 'false'
  const points: ScalePoint[] = []
  cursor.each((child) => {
    if (child === 'calcext:formatting-entry' && points.length < 5) points.push(readPoint(cursor))
  })
  if (points.length < 2) return undefined
  return {
    kind: 'icons',
    showsValue,
    icons: points.map((from, index) => ({ from, inclusive: true, icon: { set, index } })),
  }
}

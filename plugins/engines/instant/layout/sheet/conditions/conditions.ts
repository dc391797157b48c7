/**
 * The effects of conditional formats on the cells of a sheet. Rules are looked up by the column of a cell. `evaluate.ts`
 * decides whether a condition holds, and `scales.ts` computes the position of a value on a scale.
 */
import type {
  CellArea,
  CellFormat,
  CellIcon,
  CellValue,
  ColorScale,
  ConditionalRule,
  DataBar,
  DifferentialFormat,
  IconSet,
  Sheet,
} from '../../../../../../shared/document/sheet.ts'
import type { SheetContext } from '../context.ts'
import type { Grid } from '../grid.ts'
import { holds } from './evaluate.ts'
import { createFormulas, type Origin } from './formulas.ts'
import { barOf, type CellBar, colorOf, iconOf, type ScaledValue } from './scales.ts'
import { createAreaValues } from './values.ts'

/** The combined effect of all rules on one cell. */
export interface ConditionalFormatting {
  /** The format of the cell with the changes of all matching rules. */
  readonly format: CellFormat
  readonly bar?: CellBar
  readonly icon?: CellIcon
  /** The value is not shown beside its bar or icon. */
  readonly hidesValue: boolean
}

export interface Conditions {
  /** The formatting of a cell; undefined if no rule applies. `value` is undefined for an empty cell. */
  at(
    row: number,
    column: number,
    value: CellValue | undefined,
    format: CellFormat,
  ): ConditionalFormatting | undefined
  /** The areas that have rules, clipped to a rectangle of cells. */
  areasIn(cells: CellArea): readonly CellArea[]
}

/** The limit of rules that are evaluated, plus cells that their formulas read, in one sheet. */
const maxSteps = 10_000_000

/** A rule with one of its areas. */
interface AreaRule {
  readonly rule: ConditionalRule
  readonly top: number
  readonly bottom: number
  readonly origin: Origin
}

export function createConditions(context: SheetContext, sheet: Sheet, grid: Grid): Conditions | undefined {
  const { conditions } = sheet
  if (conditions === undefined || conditions.length === 0) return undefined
  const steps = { left: maxSteps }
  const formulas = createFormulas(context, sheet, steps)
  const values = createAreaValues(context, grid, steps)
  const origins = new Map<readonly CellArea[], Origin>()
  const lists = [...new Set(conditions.map(({ areas }) => areas))]
  for (const areas of lists) origins.set(areas, originOf(areas))
  const columns = new Map<number, readonly AreaRule[]>()
  const rulesIn = (column: number): readonly AreaRule[] => {
    let cached = columns.get(column)
    if (cached === undefined) {
      cached = conditions.flatMap((rule) => {
        context.budget.check(rule.areas.length)
        const origin = origins.get(rule.areas) ?? { row: 0, column: 0 }
        return rule.areas.flatMap(({ top, bottom, left, right }) =>
          left <= column && column <= right ? [{ rule, top, bottom, origin }] : [],
        )
      })
      columns.set(column, cached)
    }
    return cached
  }
  const formatted = createFormatted()
  /** The effects of the rules that apply to a cell, in their order, up to one that stops the others. */
  const effectsOn = (row: number, column: number, value: CellValue | undefined): CellEffects => {
    const effects: CellEffects = { hidesValue: false }
    for (const { rule, top, bottom, origin } of rulesIn(column)) {
      if (row < top || row > bottom) continue
      context.budget.check()
      if (--steps.left < 0) {
        formulas.warnUnfinished()
        break
      }
      const { effect, areas } = rule
      const cell = { row, column, value, origin }
      if (effect.kind === 'style') {
        if (!holds(effect.when, cell, () => values.of(areas), formulas)) continue
        effects.style = effects.style === undefined ? effect.style : merged(effects.style, effect.style)
        if (effect.stops) break
      } else if (typeof value === 'number')
        addScale(effects, effect, { value, cell, values: values.of(areas), formulas })
    }
    return effects
  }
  return {
    at(row, column, value, format) {
      const { style, fill, bar, icon, hidesValue } = effectsOn(row, column, value)
      if (style === undefined && fill === undefined && bar === undefined && icon === undefined && !hidesValue)
        return undefined
      const styled = style === undefined ? format : formatted(format, style)
      return {
        format: fill === undefined ? styled : { ...styled, fill },
        ...(bar !== undefined && { bar }),
        ...(icon !== undefined && { icon }),
        hidesValue,
      }
    },
    areasIn: (cells) => lists.flatMap((areas) => areas.flatMap((area) => clipped(area, cells, context))),
  }
}

/** What the rules have contributed so far to one cell. The first rule has precedence. */
interface CellEffects {
  style?: DifferentialFormat
  fill?: string | undefined
  bar?: CellBar | undefined
  icon?: CellIcon | undefined
  hidesValue: boolean
}

function addScale(effects: CellEffects, scale: ColorScale | DataBar | IconSet, scaled: ScaledValue): void {
  switch (scale.kind) {
    case 'scale':
      effects.fill ??= colorOf(scale, scaled)
      return
    case 'bar':
      if (effects.bar !== undefined) return
      effects.bar = barOf(scale, scaled)
      effects.hidesValue ||= effects.bar !== undefined && !scale.showsValue
      return
    case 'icons':
      if (effects.icon !== undefined) return
      effects.icon = iconOf(scale, scaled)
      effects.hidesValue ||= !scale.showsValue
      return
    default:
      scale satisfies never
  }
}

function clipped(area: CellArea, cells: CellArea, { budget }: SheetContext): CellArea[] {
  budget.check()
  const top = Math.max(area.top, cells.top)
  const left = Math.max(area.left, cells.left)
  const bottom = Math.min(area.bottom, cells.bottom)
  const right = Math.min(area.right, cells.right)
  return bottom < top || right < left ? [] : [{ top, left, bottom, right }]
}

/**
 * The cell that relative references refer to: the top left cell of the leftmost, then topmost area (observed in LibreOffice).
 */
function originOf(areas: readonly CellArea[]): Origin {
  const [first] = areas
  let origin = { row: first?.top ?? 0, column: first?.left ?? 0 }
  for (const { top, left } of areas)
    if (left < origin.column || (left === origin.column && top < origin.row))
      origin = { row: top, column: left }
  return origin
}

/** Merges the properties of two rules; the first one has precedence. */
const merged = (first: DifferentialFormat, second: DifferentialFormat): DifferentialFormat => ({
  ...second,
  ...first,
  ...(second.font !== undefined && { font: { ...second.font, ...first.font } }),
  ...(second.borders !== undefined && { borders: { ...second.borders, ...first.borders } }),
})

/**
 * Returns a function that applies the changes of a rule to a format. Text is measured by the identity of its font, so each
 * pair returns the same object.
 */
function createFormatted(): (format: CellFormat, style: DifferentialFormat) => CellFormat {
  const cache = new WeakMap<CellFormat, WeakMap<DifferentialFormat, CellFormat>>()
  return (format, style) => {
    let byStyle = cache.get(format)
    if (byStyle === undefined) cache.set(format, (byStyle = new WeakMap()))
    let cached = byStyle.get(style)
    if (cached === undefined) byStyle.set(style, (cached = withStyle(format, style)))
    return cached
  }
}

export function withStyle(
  format: CellFormat,
  { font, number, fill, borders }: DifferentialFormat,
): CellFormat {
  return {
    ...format,
    ...(font !== undefined && { font: { ...format.font, ...font } }),
    ...(number !== undefined && { number }),
    ...(fill !== undefined && { fill }),
    ...(borders !== undefined && { borders: { ...format.borders, ...borders } }),
  }
}

import { normaliseLanguage } from '../../locale/tags.ts'
import { checkTimeZone } from '../../locale/time-zone.ts'
import { newCondition } from './condition.ts'
import type { RenderContext, TagState } from './formatter.ts'

/** The members of a render context that a caller may omit. */
export type PartialContext = Partial<Omit<RenderContext, 'memo'>>

/**
 * A render context from the options of a caller: language normalised, time zone checked (an unknown one is the error
 * template.timezone), everything else with its default: English, UTC, no conversion of currencies.
 */
export function renderContext(options: PartialContext = {}): RenderContext {
  return {
    lang: normaliseLanguage(options.lang ?? 'en'),
    timezone: checkTimeZone(options.timezone ?? 'UTC'),
    now: options.now ?? 0,
    translations: options.translations ?? {},
    enums: options.enums ?? {},
    currencySource: options.currencySource,
    currencyTarget: options.currencyTarget,
    currencyRates: options.currencyRates ?? {},
    highPrecision: options.highPrecision ?? false,
    lineBreak: options.lineBreak,
    formatId: options.formatId ?? 'txt',
    escape: options.escape,
    memo: new Map(),
  }
}

/** The state that one evaluation of one tag begins with. */
export const tagState = (render: RenderContext): TagState => ({ render, condition: newCondition() })

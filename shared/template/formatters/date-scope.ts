import { type DateLocale, dateLocale } from '../../locale/dates.ts'
import { type TimeZone, timeZone } from '../../locale/time-zone.ts'
import { checkLength } from './budget.ts'
import { compileReader, type DateReader } from './date-read.ts'
import { compileWriter, type DateWriter } from './date-write.ts'
import type { RenderContext } from './formatter.ts'

/** The state that all date formatters of one render share: locale, zone and the patterns compiled so far. */
export interface DateScope {
  readonly locale: DateLocale
  readonly zone: TimeZone
  readonly now: number
  writer(pattern: string): DateWriter
  reader(pattern: string): DateReader
}

/** A template has a handful of patterns; more than this come from data and are not worth keeping. */
const maxPatterns = 200

/** The date settings of a render, computed on first use. */
export function dateScope(render: RenderContext): DateScope {
  const cached = render.memo.get('date') as DateScope | undefined
  if (cached !== undefined) return cached
  const locale = dateLocale(render.lang)
  const zone = timeZone(render.timezone)
  const scope: DateScope = {
    locale,
    zone,
    now: render.now,
    writer: cachedCompile((pattern) => compileWriter(pattern, locale, zone)),
    reader: cachedCompile((pattern) => compileReader(pattern, locale, zone, render.now)),
  }
  render.memo.set('date', scope)
  return scope
}

function cachedCompile<Compiled>(compile: (pattern: string) => Compiled): (pattern: string) => Compiled {
  const compiled = new Map<string, Compiled>()
  return (pattern) => {
    let result = compiled.get(pattern)
    if (result === undefined) {
      checkLength('formatD', pattern.length * maxExpansionLength)
      result = compile(pattern)
      if (compiled.size >= maxPatterns) compiled.clear()
      compiled.set(pattern, result)
    }
    return result
  }
}

/** One letter of a pattern prints at most about this many characters. */
const maxExpansionLength = 32

import { entryOf } from '../../entry-of.ts'
import { type Currency, currency, languageCurrency } from '../../locale/currencies.ts'
import { localNumber } from '../../locale/numbers.ts'
import { integer, isMissing, toNumber } from './coerce.ts'
import { decimalNotation, divideExact, exact, multiplyExact, numberOrText, roundDecimal } from './decimal.ts'
import { optional, value } from './define.ts'
import type { RenderContext } from './formatter.ts'
import { locale } from './number.ts'
import { printed } from './printed.ts'

/**
 * Amounts of money. Rates are units for one euro; a missing rate is 1. Without `currencySource` nothing is
 * converted; without `currencyTarget` the currency of the language is printed.
 */

/**
 * Converts an amount and returns a number. A `formatC` after it prints in the target currency.
 *
 * @example 2499.5 {d.v:convCurr(GBP):formatC} => 1.999,60 £ | lang=de-de currencySource=EUR currencyTarget=EUR currencyRates={"EUR":1,"USD":1.25,"GBP":0.8}
 * @example 2499.5 {d.v:convCurr(USD,GBP)} => 3905.46875 | currencySource=EUR currencyRates={"EUR":1,"USD":1.25,"GBP":0.8}
 * @example 10 {d.v:convCurr} => 12.5 | currencySource=EUR currencyTarget=USD currencyRates={"EUR":1,"USD":1.25}
 * @example null {d.v:convCurr(GBP)} =>
 */
export const convCurr = value(
  'convCurr',
  [
    optional('target', 'text', 'currency of the result, the target currency of the render when left out'),
    optional('source', 'text', 'currency of the value, the source currency of the render when left out'),
  ],
  (v, [target, source], state) => {
    const to = code(target) ?? targetOf(state.render)
    state.currency = to
    return isMissing(v)
      ? v
      : converted(v, code(source) ?? code(state.render.currencySource), to, state.render)
  },
)

/**
 * The amount with its currency, in the format of the language. L (default) prints the symbol, LL the English name,
 * M the name alone; a number sets the decimals, which otherwise are those of the currency. Converts from the source to
 * the target currency unless `convCurr` has done so. A value that is not a number is returned unchanged.
 *
 * @example 2499.5 {d.v:formatC}; {d.v:formatC(0)}; {d.v:formatC(LL)}; {d.v:formatC(M)} => $2,499.50; $2,500; 2,499.50 dollars; dollars | currencySource=USD currencyTarget=USD
 * @example 1 {d.v:formatC(LL)} => 1.00 dollar | currencyTarget=USD
 * @example 2499.5 {d.v:formatC} => 2.499,50 € | lang=de-de currencySource=EUR currencyTarget=EUR
 * @example 2499.5 {d.v:formatC} => R$ 2.499,50 | lang=pt-br
 * @example 2499.5 {d.v:formatC} => 2,499.50 ¥ | lang=ja
 * @example 2499.5 {d.v:formatC} => €2.499,50 | lang=nl-nl
 * @example -2499.5 {d.v:formatC} => -2’499.50 CHF | lang=fr-ch
 * @example -2499.5 {d.v:formatC} => £-2,499.50 | lang=en-gb
 * @example 2499.5 {d.v:formatC} => 2,499.50 € | lang=en
 * @example 10 {d.v:formatC(L, USD)} => $12.50 | currencySource=EUR currencyTarget=EUR currencyRates={"EUR":1,"USD":1.25}
 * @example 10 {d.v:formatC(other)} => $10.00
 * @example 1.5 {d.v:formatC} => 1.500 KWD | lang=en currencyTarget=KWD
 * @example 5 {d.v:formatC} => QQQ5.00 | currencyTarget=QQQ
 * @example "n/a" {d.v:formatC} => n/a
 * @example null {d.v:formatC} =>
 */
export const formatC = value(
  'formatC',
  [
    optional('format', 'text', 'L, LL, M or the number of decimals'),
    optional('currency', 'text', 'the currency to print, before all others'),
  ],
  (v, [format, forced], state) => {
    const { render } = state
    const target = code(forced) ?? state.currency ?? targetOf(render)
    const from = state.currency ?? code(render.currencySource)
    const amount = decimalNotation(converted(v, from, target, render))
    if (amount === undefined) return v
    const printedIn = currency(target)
    const requested = printed(format)
    const decimalPlaces = integer(/^\s*\d+\s*$/.test(requested) ? requested : undefined, printedIn.decimals)
    if (requested === 'M') return unitName(amount, printedIn)
    const number = localNumber(roundDecimal(amount, decimalPlaces), locale(render))
    if (requested === 'LL') return `${number} ${unitName(amount, printedIn)}`
    return locale(render).money.replace(/[#¤]/g, (part) => (part === '#' ? number : printedIn.symbol))
  },
)

const unitName = (amount: string, { name }: Currency): string => (Number(amount) === 1 ? name : `${name}s`)

function targetOf(render: RenderContext): string {
  const target = code(render.currencyTarget)
  if (target !== undefined) return target
  const cached = render.memo.get('currency')
  if (typeof cached === 'string') return cached
  const ofLanguage = languageCurrency(render.lang)
  render.memo.set('currency', ofLanguage)
  return ofLanguage
}

/** Returns the value itself without a source, between equal currencies, and if it is not a number. */
function converted(v: unknown, source: string | undefined, target: string, render: RenderContext): unknown {
  if (source === undefined || source === target) return v
  const from = rate(source, render)
  const to = rate(target, render)
  if (render.highPrecision) {
    const [amount, divisor, factor] = [exact(v), exact(from), exact(to)]
    if (amount && divisor && factor) return numberOrText(divideExact(multiplyExact(amount, factor), divisor))
  }
  return (toNumber(v) / from) * to
}

function rate(code: string, { currencyRates }: RenderContext): number {
  const rate = Number(entryOf(currencyRates, code) ?? 1)
  return Number.isFinite(rate) && rate > 0 ? rate : 1
}

/** A currency code in capitals; undefined when none was given. */
function code(argument: unknown): string | undefined {
  const text = typeof argument === 'string' ? argument.trim() : ''
  return text === '' ? undefined : text.toUpperCase()
}

import { entryOf } from '../../entry-of.ts'
import { isMissing, toNumber } from './coerce.ts'
import { make, oneOf, optional, required } from './define.ts'
import type { ConditionState, Formatter } from './formatter.ts'
import { compared, printed } from './printed.ts'

/**
 * Conditions of one tag. A test returns the value unchanged and combines its result with the hidden state: with OR at
 * first, then with the operator last chosen by `and` or `or`, strictly from left to right. `show` and `elseShow` read
 * the state; once one of them has replaced the value, later conditional formatters of the tag have no effect.
 */

const other = required('x', 'any', 'what to compare with')

/**
 * True when both have the same text.
 *
 * @example 1 {d.v:ifEQ(1):show(same):elseShow(other)} => same
 * @example true {d.v:ifEQ(true):show(same):elseShow(other)} => same
 * @example null {d.v:ifEQ(''):show(same):elseShow(other)} => other
 * @example 3 {d.v:ifEQ(1):show(A):ifEQ(2):show(B):elseShow(Z)} => Z
 * @example {"v":1,"b":2,"c":3} {d.v:ifEQ(1):or(.b):ifEQ(9):and(.c):ifEQ(5):show(Y):elseShow(N)} => N
 */
export const ifEQ = test('ifEQ', (v, x) => compared(v) === compared(x), [other])

/**
 * True when the texts differ.
 *
 * @example "a" {d.v:ifNE(b):show(differs)} => differs
 * @example 5 {d.v:ifNE(5):show(differs):elseShow(equal)} => equal
 */
export const ifNE = test('ifNE', (v, x) => compared(v) !== compared(x), [other])

/**
 * True when the value is the greater number. Text is read up to the end of its leading number; without one it is false.
 *
 * @example 72 {d.v:ifGT(50):show(pass):elseShow(fail)} => pass
 * @example 72 {d.v:ifGT(90):show(top)} => 72
 * @example "32kg" {d.v:ifGT(31.5):show(heavy)} => heavy
 * @example "x" {d.v:ifGT(0):show(yes):elseShow(no)} => no
 */
export const ifGT = test('ifGT', (v, x) => toNumber(v) > toNumber(x), [other])

/**
 * True when the value is greater or equal, as numbers.
 *
 * @example 5 {d.v:ifGTE(5):show(yes):elseShow(no)} => yes
 */
export const ifGTE = test('ifGTE', (v, x) => toNumber(v) >= toNumber(x), [other])

/**
 * True when the value is the smaller number.
 *
 * @example 4 {d.v:ifLT(10):show(0):formatN(1)} => 0.0
 * @example null {d.v:ifLT(10):show(yes):elseShow(no)} => no
 */
export const ifLT = test('ifLT', (v, x) => toNumber(v) < toNumber(x), [other])

/**
 * True when the value is smaller or equal, as numbers.
 *
 * @example "5" {d.v:ifLTE(5):show(yes):elseShow(no)} => yes
 */
export const ifLTE = test('ifLTE', (v, x) => toNumber(v) <= toNumber(x), [other])

/**
 * True when a text contains the other text, or an array contains an equal item.
 *
 * @example "car is broken" {d.v:ifIN(is):show(yes):elseShow(no)} => yes
 * @example [1,2,"x"] {d.v:ifIN(2):show(yes):elseShow(no)} => yes
 * @example "abc" {d.v:ifIN(''):show(yes):elseShow(no)} => no
 * @example 12 {d.v:ifIN(1):show(yes):elseShow(no)} => no
 */
export const ifIN = test('ifIN', (v, x) => contains(v, x), [other])

/**
 * True when neither a text nor an array contains the other; also for a missing value.
 *
 * @example "abc" {d.v:ifNIN(z):show(yes):elseShow(no)} => yes
 * @example null {d.v:ifNIN(z):show(yes):elseShow(no)} => yes
 * @example 12 {d.v:ifNIN(1):show(yes):elseShow(no)} => no
 */
export const ifNIN = test(
  'ifNIN',
  (v, x) => isMissing(v) || ((typeof v === 'string' || Array.isArray(v)) && !contains(v, x)),
  [other],
)

/**
 * True for null, undefined, '', [], {} and NaN. 0 and false are not empty.
 *
 * @example [] {d.v:ifEM:show(none)} => none
 * @example 0 {d.v:ifEM:show(none)} => 0
 * @example {"v":{}} {d.v:ifEM:show(none):elseShow(some)} => none
 */
export const ifEM = test('ifEM', isEmpty)

/**
 * True when `ifEM` is not.
 *
 * @example "a" {d.v:ifNEM:show(some):elseShow(none)} => some
 * @example null {d.v:ifNEM:show(some):elseShow(none)} => none
 */
export const ifNEM = test('ifNEM', (v) => !isEmpty(v))

/**
 * True when the value is of the JSON type: string, number, integer, boolean, object, array, or binary for true, false,
 * 1, 0 and these as text.
 *
 * @example "" {d.v:ifTE(string):show(yes):elseShow(no)} => yes
 * @example "1" {d.v:ifTE(number):show(yes):elseShow(no)} => no
 * @example 2.5 {d.v:ifTE(integer):show(yes):elseShow(no)} => no
 * @example [] {d.v:ifTE(object):show(yes):elseShow(no)} => no
 * @example "0" {d.v:ifTE(binary):show(yes):elseShow(no)} => yes
 * @example null {d.v:ifTE(object):show(yes):elseShow(no)} => no
 */
export const ifTE = test('ifTE', (v, type) => entryOf(types, printed(type))?.(v) ?? false, [
  oneOf(required('type', 'text', 'string, number, integer, boolean, object, array or binary'), [
    'string',
    'number',
    'integer',
    'boolean',
    'object',
    'array',
    'binary',
  ]),
])

const nextOperand = optional('x', 'any', 'the value to test next; the same one when left out')

/**
 * Combines the following tests with AND, and may replace the tested value.
 *
 * @example {"v":1,"b":2} {d.v:ifEQ(1):and(.b):ifEQ(2):show(Y):elseShow(N)} => Y
 * @example 3 {d.v:ifGT(0):and:ifLT(10):show(digit)} => digit
 * @example {"v":0,"B":2,"C":3,"D":4} {d.v:ifEQ(1):and(.B):ifEQ(2):or(.C):ifEQ(3):and(.D):ifEQ(4):show(Y):elseShow(N)} => Y
 */
export const and = operator('and')

/**
 * Combines the following tests with OR, and may replace the tested value.
 *
 * @example {"v":1,"b":2} {d.v:ifEQ(1):or(.b):ifEQ(9):show(Y):elseShow(N)} => Y
 */
export const or = operator('or')

const shown = required('x', 'any', 'the new value')

/**
 * The value becomes `x` when the condition is true. Without a test the truth of the value decides. If the condition
 * does not hold, the value is returned unchanged.
 *
 * @example 72 {d.v:ifGT(50):show(pass)} => pass
 * @example {"v":3,"lbl":"three"} {d.v:ifEQ(3):show(.lbl):prepend(-)} => -three
 * @example "a" {d.v:show(yes)} => yes
 * @example null {d.v:show(yes)} =>
 */
export const show = outcome('show', true)

/**
 * The value becomes `x` when the condition is false. Without a test the truth of the value decides.
 *
 * @example null {d.v:elseShow(none)} => none
 * @example 72 {d.v:ifGT(50):show(pass):elseShow(fail)} => pass
 */
export const elseShow = outcome('elseShow', false)

const text = required('text', 'any', 'the new value if the condition holds')
const goOn = optional('continue', 'boolean', 'true: later formatters still run')

/**
 * Older form: an empty value becomes the text, and later formatters are skipped unless `continue` is true.
 *
 * @example "" {d.v:ifEmpty(none):upperCase} => none
 * @example "" {d.v:ifEmpty(none, true):upperCase} => NONE
 * @example "a" {d.v:ifEmpty(none):upperCase} => A
 */
export const ifEmpty = legacy('ifEmpty', [text, goOn], (v, [shown, on]) => [isEmpty(v), shown, on])

/**
 * Older form: an equal value becomes the text, and later formatters are skipped unless `continue` is true.
 *
 * @example 1 {d.v:ifEqual(1, one):prepend(x)} => one
 * @example 1 {d.v:ifEqual(1, one, true):prepend(x)} => xone
 * @example 2 {d.v:ifEqual(1, one):prepend(x)} => x2
 */
export const ifEqual = legacy('ifEqual', [other, text, goOn], (v, [x, shown, on]) => [
  compared(v) === compared(x),
  shown,
  on,
])

/**
 * Older form: a text or array that contains `x` becomes the text. An empty `x` is contained in every text.
 *
 * @example "abc" {d.v:ifContain(b, yes):upperCase} => yes
 * @example "abc" {d.v:ifContain('', yes)} => yes
 * @example ["a"] {d.v:ifContain(z, yes):len} => 1
 */
export const ifContain = legacy('ifContain', [other, text, goOn], (v, [x, shown, on]) => [
  (typeof v === 'string' && printed(x) === '') || contains(v, x),
  shown,
  on,
])

/** The hidden state before the first formatter of a tag. */
export const newCondition = (): ConditionState => ({
  result: undefined,
  operator: 'or',
  decided: false,
  stopped: false,
})

/** Whether the condition is true for `show`, a block, `drop` or `keep` after these tests. */
export const holds = (condition: ConditionState, v: unknown): boolean =>
  condition.result ?? (Boolean(v) && !Number.isNaN(v))

function test(
  name: string,
  holdsFor: (v: unknown, x: unknown) => boolean,
  parameters: Formatter['parameters'] = [],
): Formatter {
  return make(name, 'test', parameters, (v, [x], { condition }) => {
    if (condition.decided) return v
    const result = holdsFor(v, x)
    if (condition.result === undefined) condition.result = result
    else
      condition.result =
        condition.operator === 'and' ? condition.result && result : condition.result || result
    return v
  })
}

function operator(name: 'and' | 'or'): Formatter {
  return make(name, 'condition', [nextOperand], (v, args, { condition }) => {
    if (condition.decided) return v
    condition.operator = name
    return args.length > 0 ? args[0] : v
  })
}

function outcome(name: string, expected: boolean): Formatter {
  return make(name, 'condition', [shown], (v, args, { condition }) => {
    if (condition.decided || holds(condition, v) !== expected) return v
    condition.decided = true
    return args.length > 0 ? args[0] : ''
  })
}

function legacy(
  name: string,
  parameters: Formatter['parameters'],
  evaluate: (v: unknown, args: readonly unknown[]) => [fires: boolean, shown: unknown, goOn: unknown],
): Formatter {
  return make(name, 'value', parameters, (v, args, { condition }) => {
    const [fires, text, on] = evaluate(v, args)
    if (!fires) return v
    if (printed(on) !== 'true') condition.stopped = true
    return text ?? ''
  })
}

function isEmpty(v: unknown): boolean {
  if (isMissing(v) || v === '') return true
  if (typeof v === 'number') return Number.isNaN(v)
  if (Array.isArray(v)) return v.length === 0
  if (!isJsonObject(v)) return false
  for (const _ in v) return false
  return true
}

function contains(v: unknown, x: unknown): boolean {
  const expected = printed(x)
  if (typeof v === 'string') return expected !== '' && v.includes(expected)
  return (
    Array.isArray(v) && expected !== '' && v.some((item) => !isMissing(item) && printed(item) === expected)
  )
}

/** An object of the data, as opposed to the objects of this program (a date, markup). */
const isJsonObject = (v: unknown): v is object =>
  typeof v === 'object' && v !== null && !Array.isArray(v) && isObjectPrototype(Object.getPrototypeOf(v))

const isObjectPrototype = (prototype: unknown): boolean =>
  prototype === null || prototype === Object.prototype

const types: Readonly<Record<string, (v: unknown) => boolean>> = Object.assign(Object.create(null), {
  string: (v: unknown) => typeof v === 'string',
  number: (v: unknown) => typeof v === 'number',
  integer: (v: unknown) => Number.isInteger(v),
  boolean: (v: unknown) => typeof v === 'boolean',
  object: isJsonObject,
  array: Array.isArray,
  binary: (v: unknown) => ['true', 'false', '1', '0'].includes(compared(v)),
})

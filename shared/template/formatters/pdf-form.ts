import { type FieldInput, isTicked } from '../../pdf/forms/fill.ts'
import { isMissing } from './coerce.ts'
import { holds } from './condition.ts'
import { required, value } from './define.ts'
import type { TagState } from './formatter.ts'
import { printed } from './printed.ts'

/**
 * Formatters of PDF forms: they fill fields and print nothing. Elsewhere they do nothing. Source: template language
 * 22.10.
 */

/** The value of a form field: of the named one, or of the one below the tag's note. */
export class FieldValue {
  readonly name: string | undefined
  readonly input: FieldInput
  constructor(name: string | undefined, input: FieldInput) {
    this.name = name
    this.input = input
  }
}

const fills = (name: string | undefined, input: unknown, { render }: TagState): unknown =>
  render.formatId === 'pdf' ? new FieldValue(name, isMissing(input) ? '' : printed(input)) : ''

/** With a test before it the test decides, else whether the value is one that ticks a box. */
function ticks(name: string | undefined, input: unknown, ticked: boolean, state: TagState): unknown {
  if (state.render.formatId !== 'pdf') return ''
  const isTrue =
    state.condition.result === undefined
      ? !isMissing(input) && isTicked(printed(input))
      : holds(state.condition, input)
  return isTrue ? new FieldValue(name, ticked) : ''
}

const field = required('name', 'text', 'the name of the field')
const nameOf = (name: unknown): string => printed(name).trim()

/**
 * PDF forms: writes the value into the field that the note with the tag lies over. Prints nothing.
 *
 * @example "x" {d.v:fill} => ""
 */
export const fill = value('fill', [], (input, _, state) => fills(undefined, input, state))

/**
 * PDF forms: ticks the box that the note lies over when the condition is true. Prints nothing.
 *
 * @example true {d.v:ifEQ(true):check} => ""
 */
export const check = value('check', [], (input, _, state) => ticks(undefined, input, true, state))

/**
 * PDF forms: clears the box that the note lies over when the condition is true. Prints nothing.
 *
 * @example true {d.v:ifEQ(true):uncheck} => ""
 */
export const uncheck = value('uncheck', [], (input, _, state) => ticks(undefined, input, false, state))

/**
 * PDF forms: writes the value into the named field: a text, the choice of a group, a tick for any text. Prints nothing.
 *
 * @example "x" {d.v:fillField('customer.name')} => ""
 */
export const fillField = value('fillField', [field], (input, [name], state) =>
  fills(nameOf(name), input, state),
)

/**
 * PDF forms: ticks the named box when the condition is true. Prints nothing.
 *
 * @example true {d.v:ifEQ(true):checkField('agreed')} => ""
 */
export const checkField = value('checkField', [field], (input, [name], state) =>
  ticks(nameOf(name), input, true, state),
)

import { expect, it } from 'vitest'
import { AppError } from '../../../shared/errors/app-error.ts'
import { errorBody, toAppError } from '../../../shared/errors/problem.ts'

const thrownBy = (compute: () => unknown): unknown => {
  try {
    return compute()
  } catch (error) {
    return error
  }
}
const deep = (): number => 1 + deep()

it.each<[string, () => unknown]>([
  ['recursion without end', deep],
  ['a million arguments', () => [].push(...(new Array(1_000_000).fill(0) as never[]))],
  ['a regular expression that may go back ten million times', () => /(?:a|b)*c/.exec('a'.repeat(10_000_000))],
  ['a text of a billion letters', () => 'a'.repeat(2 ** 30)],
])('%s is the matter of a document that is too complex', (_, compute) => {
  const error = thrownBy(compute)
  expect(error).toBeInstanceOf(RangeError)
  expect(toAppError(error).code).toBe('api.render.too-complex')
})

it.each<[string, unknown, string]>([
  ['a defect of ours', new RangeError('Invalid time value'), 'api.internal'],
  ['what is no error', 'x', 'api.internal'],
  ['an error of the catalogue', new AppError('api.render.memory'), 'api.render.memory'],
])('%s', (_, thrown, code) => expect(toAppError(thrown).code).toBe(code))

it.each([
  [
    new AppError('sign.not-pdf'),
    'sign.not-pdf',
    'Only a PDF can be signed. Add "convertTo": "pdf", or leave out "sign".',
  ],
  [
    new AppError('storage.unavailable'),
    'w210',
    'The service cannot reach its storage at the moment. Send the request again in a few seconds.',
  ],
])('the response says what failed and what to do next: %s', (error, code, text) =>
  expect(errorBody(error)).toEqual({ success: false, error: text, code }),
)

import type { Formatter, FormatterKind, Parameter, ParameterType } from './formatter.ts'

/** Short ways to write a formatter down, so that a family file reads as a list of names and meanings. */

type Run = Formatter['run']
const unchanged: Run = (value) => value

export const value = (
  name: string,
  parameters: readonly Parameter[],
  run: Run,
  load?: Formatter['load'],
): Formatter => ({ ...make(name, 'value', parameters, run), ...(load === undefined ? {} : { load }) })

export const structure = (name: string, parameters: readonly Parameter[] = []): Formatter =>
  make(name, 'structure', parameters, unchanged)

export const aggregate = (name: string, parameters: readonly Parameter[] = []): Formatter =>
  make(name, 'aggregate', parameters, unchanged)

export const make = (
  name: string,
  kind: FormatterKind,
  parameters: readonly Parameter[],
  run: Run,
): Formatter => ({ name, kind, parameters, run })

/** Declares a parameter that a call must give. `description` becomes part of the reference page. */
export const required = (name: string, type: ParameterType, description: string): Parameter => ({
  name,
  type,
  description,
})

/** Declares a parameter that a call may leave out. */
export const optional = (name: string, type: ParameterType, description: string): Parameter => ({
  name,
  type,
  optional: true,
  description,
})

/** The parameter with the words that it knows, and the names that may stand before a colon. */
export const oneOf = (
  parameter: Parameter,
  words: readonly string[],
  keys: readonly string[] = [],
): Parameter => ({ ...parameter, words, ...(keys.length === 0 ? {} : { keys }) })

/** Takes all arguments that are left. */
export const rest = (name: string, type: ParameterType, description: string): Parameter => ({
  name,
  type,
  optional: true,
  rest: true,
  description,
})

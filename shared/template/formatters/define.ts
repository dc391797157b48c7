import type { Formatter, FormatterKind, Parameter, ParameterType } from './formatter.ts'

/** Helpers that declare formatters and their parameters. */

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

/** Declares a required parameter of a call. `description` becomes part of the reference page. */
export const required = (name: string, type: ParameterType, description: string): Parameter => ({
  name,
  type,
  description,
})

/** Declares an optional parameter of a call. */
export const optional = (name: string, type: ParameterType, description: string): Parameter => ({
  name,
  type,
  optional: true,
  description,
})

/** Restricts a parameter to words, and to names that may precede a colon. */
export const oneOf = (
  parameter: Parameter,
  words: readonly string[],
  keys: readonly string[] = [],
): Parameter => ({ ...parameter, words, ...(keys.length === 0 ? {} : { keys }) })

/** Declares a parameter that takes all remaining arguments. */
export const rest = (name: string, type: ParameterType, description: string): Parameter => ({
  name,
  type,
  optional: true,
  rest: true,
  description,
})

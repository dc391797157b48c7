import type { FileKind } from './files.ts'

/** The options of a render besides its template (specification 4.2). */
export interface StudioOptions {
  readonly data?: unknown
  readonly complement?: unknown
  readonly enum?: unknown
  readonly translations?: unknown
  readonly lang?: string
  readonly timezone?: string
  readonly convertTo?:
    | string
    | { readonly formatName: string; readonly formatOptions?: Record<string, unknown> }
  readonly converter?: string
  readonly currencySource?: string
  readonly currencyTarget?: string
  readonly currencyRates?: unknown
  readonly reportName?: string
  readonly variableStr?: string
  readonly hardRefresh?: boolean
}

const objects = ['complement', 'enum', 'translations', 'currencyRates'] as const
const texts = [
  'lang',
  'timezone',
  'converter',
  'currencySource',
  'currencyTarget',
  'reportName',
  'variableStr',
] as const

/**
 * Reads the known options from what a caller passes. Others are ignored; `undefined` and `null` remove an
 * option. Throws TypeError for a value of the wrong type.
 */
export function readOptions(given: unknown): StudioOptions {
  if (!isObject(given)) throw new TypeError('Render options must be an object.')
  const options: Record<string, unknown> = {}
  const take = (name: string, fits: (value: unknown) => boolean, wanted: string) => {
    if (!(name in given)) return
    const value = given[name] ?? undefined
    if (value !== undefined && !fits(value)) throw new TypeError(`Render option "${name}" must be ${wanted}.`)
    options[name] = value
  }
  take('data', (value) => typeof value === 'object', 'an object or an array')
  for (const name of objects) take(name, isObject, 'an object')
  for (const name of texts) take(name, (value) => typeof value === 'string', 'a string')
  take('hardRefresh', (value) => typeof value === 'boolean', 'a boolean')
  take(
    'convertTo',
    (value) => typeof value === 'string' || (isObject(value) && typeof value['formatName'] === 'string'),
    'a format name or an object { formatName, formatOptions }',
  )
  return options
}

/** Merges options. Later ones win, and one that is undefined is removed. */
export function mergeOptions(before: StudioOptions, changes: StudioOptions): StudioOptions {
  const all = Object.entries({ ...before, ...changes })
  return Object.fromEntries(all.filter(([, value]) => value !== undefined && value !== ''))
}

/** The detail of the event 'options:updated'. */
export function reportedOptions(options: StudioOptions) {
  const { data, complement, translations, lang, timezone, converter, currencySource } = options
  return { data, complement, enum: options.enum, translations, lang, timezone, converter, currencySource }
}

export function outputName({ convertTo }: StudioOptions): string | undefined {
  return typeof convertTo === 'object' ? convertTo.formatName : convertTo
}

/** The body of POST /render/template. An engine is named only when something is converted. */
export function renderBody(
  template: string,
  { type, group, convertOnly }: FileKind,
  options: StudioOptions,
): Record<string, unknown> {
  const { converter, hardRefresh, ...rest } = options
  const converts = rest.convertTo !== undefined
  const isNamed =
    ['html', 'md', 'csv', 'json', 'txt', 'xml'].includes(type) || (group === 'other' && type !== '')
  return {
    ...rest,
    data: rest.data ?? (convertOnly === true ? undefined : {}),
    ...(converts && converter !== undefined && { converter }),
    ...(converts && hardRefresh !== undefined && { hardRefresh }),
    // Template types whose content looks alike, and those that only a plugin of the service defines.
    ...(isNamed && { extension: type }),
    template,
  }
}

/** The options that are merged into a template as data. */
export type DataSet = Pick<StudioOptions, 'data' | 'complement' | 'translations' | 'enum'>

/** The data among the options, with `undefined` for each part that is not given. */
export function dataSetOf({ data, complement, translations, enum: enums }: StudioOptions): DataSet {
  return { data, complement, translations, enum: enums }
}

/** The options that are stored with a template as its sample. */
export function sampleOf(options: StudioOptions) {
  const dataSets = Object.entries(dataSetOf(options)).filter(([, value]) => value !== undefined)
  return dataSets.length === 0 ? [] : [Object.fromEntries(dataSets)]
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

import type { FileKind } from './files.ts'

/** What a render is told besides its template: specification 4.2. */
export interface RenderOptions {
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
 * The known options in what a caller gives: others are passed over, `undefined` and `null` take an option away. Throws
 * TypeError for one of another type.
 */
export function readOptions(given: unknown): RenderOptions {
  if (!isObject(given)) throw new TypeError('Render options must be an object.')
  const found: Record<string, unknown> = {}
  const take = (name: string, fits: (value: unknown) => boolean, wanted: string) => {
    if (!(name in given)) return
    const value = given[name] ?? undefined
    if (value !== undefined && !fits(value)) throw new TypeError(`Render option "${name}" must be ${wanted}.`)
    found[name] = value
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
  return found
}

/** Later options win; one that is undefined is taken away. */
export function mergeOptions(before: RenderOptions, changes: RenderOptions): RenderOptions {
  const all = Object.entries({ ...before, ...changes })
  return Object.fromEntries(all.filter(([, value]) => value !== undefined && value !== ''))
}

/** What the event 'options:updated' carries. */
export function reportedOptions(options: RenderOptions) {
  const { data, complement, translations, lang, timezone, converter, currencySource } = options
  return { data, complement, enum: options.enum, translations, lang, timezone, converter, currencySource }
}

export function outputName({ convertTo }: RenderOptions): string | undefined {
  return typeof convertTo === 'object' ? convertTo.formatName : convertTo
}

/** The body of POST /render/template. An engine is only named where something is converted. */
export function renderBody(
  template: string,
  { type, convertOnly }: FileKind,
  options: RenderOptions,
): Record<string, unknown> {
  const { converter, hardRefresh, ...rest } = options
  const converts = rest.convertTo !== undefined
  return {
    ...rest,
    data: rest.data ?? (convertOnly === true ? undefined : {}),
    ...(converts && converter !== undefined && { converter }),
    ...(converts && hardRefresh !== undefined && { hardRefresh }),
    // Texts of these types may look alike.
    ...(['html', 'md', 'csv', 'txt', 'xml'].includes(type) && { extension: type }),
    template,
  }
}

/** The part of the options that is stored with a template, to try it with. */
export function sampleOf({ data, complement, translations, enum: enums }: RenderOptions) {
  const sample = { data, complement, translations, enum: enums }
  const given = Object.entries(sample).filter(([, value]) => value !== undefined)
  return given.length === 0 ? [] : [Object.fromEntries(given)]
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

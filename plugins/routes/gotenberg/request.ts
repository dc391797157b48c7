import { PluginError, type RouteFile, type RouteForm, type RouteHost, type RouteRequest } from 'platen/plugin'
import { downloadedFiles } from './downloads.ts'
import { invalid, parsedJson } from './invalid.ts'

/** A form, whose errors name its fields. All texts of fields are untrusted. */
export interface Form {
  /** The files to process; files of other fields are found by `filesIn`. */
  readonly files: readonly RouteFile[]
  /** The files of a field such as `embeds`. */
  filesIn(field: string): readonly RouteFile[]
  /** '' if the field is missing. */
  text(name: string): string
  required(name: string): string
  flag(name: string, fallback: boolean): boolean
  number(name: string, fallback: number, bounds: { readonly min: number; readonly max: number }): number
  /** Undefined if the field is missing. */
  choice<Value extends string>(name: string, values: readonly Value[]): Value | undefined
  /** A JSON value; undefined if the field is missing. */
  json(name: string): unknown
  /** The files in natural order of their names: 2.pdf precedes 10.pdf. */
  filesOf(isWanted: (extension: string, name: string) => boolean): readonly RouteFile[]
  file(name: string): RouteFile
  /** Refuses fields that this service does not support. */
  refuse(names: readonly string[]): void
}

const maxFiles = 200
/** Fields whose files belong to an operation. */
const fieldsOfOperations = new Set(['embeds', 'watermark', 'stamp', 'facturxXml'])
const order = new Intl.Collator('en', { numeric: true })
const isNothing = (text: string): boolean =>
  ['', 'false', '0', '0s', '[]', '{}', 'null'].includes(text.trim())

export const extensionOf = (name: string): string => /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

/**
 * Reads the form of a request, and downloads the files that it refers to by address. Throws the errors of
 * `RouteRequest.form`, and 'plugin.request'.
 */
export async function readForm(request: RouteRequest, host: RouteHost): Promise<Form> {
  const { fields, files: uploaded }: RouteForm = await request.form()
  const allFiles = [...uploaded, ...(await downloadedFiles(fields.get('downloadFrom') ?? '', host))]
  const files = allFiles.filter(({ field }) => !fieldsOfOperations.has(field))
  if (allFiles.length > maxFiles) throw invalid(`more than ${maxFiles} files`)
  const text = (name: string): string => fields.get(name) ?? ''
  const named = new Map(files.map((file) => [file.name, file]))
  return {
    files,
    filesIn: (field) => allFiles.filter((file) => file.field === field),
    text,
    required(name) {
      if (text(name) === '') throw invalid(`form field '${name}' is required`)
      return text(name)
    },
    flag(name, fallback) {
      const value = text(name).trim().toLowerCase()
      if (value === '') return fallback
      if (!['true', 'false', '1', '0'].includes(value))
        throw invalid(`form field '${name}' must be true or false`)
      return value === 'true' || value === '1'
    },
    number(name, fallback, { min, max }) {
      const value = text(name).trim()
      if (value === '') return fallback
      const number = Number(value)
      if (!(number >= min && number <= max))
        throw invalid(`form field '${name}' must be a number from ${min} to ${max}`)
      return number
    },
    choice(name, values) {
      const value = text(name).trim()
      if (value === '') return undefined
      const match = values.find((choice) => choice === value)
      if (match === undefined) throw invalid(`form field '${name}' must be one of ${values.join(', ')}`)
      return match
    },
    json(name) {
      const value = text(name).trim()
      return value === '' ? undefined : parsedJson(value, `form field '${name}'`)
    },
    filesOf(isWanted) {
      const matching = files.filter(({ name }) => isWanted(extensionOf(name), name))
      if (matching.length === 0) throw invalid('no form file found for extensions of this route')
      return matching.sort((left, right) => order.compare(left.name, right.name))
    },
    file(name) {
      const upload = named.get(name)
      if (upload === undefined) throw invalid(`form file '${name}' is required`)
      return upload
    },
    refuse(names) {
      for (const name of names)
        if (!isNothing(text(name)) || (named.has(name) && text(name) === ''))
          throw new PluginError(
            'plugin.request',
            `The form field '${name}' is not supported by this service.`,
          )
    },
  }
}

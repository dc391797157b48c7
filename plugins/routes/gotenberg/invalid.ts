import { PluginError } from 'platen/plugin'

/** Creates the error for an invalid form. */
export const invalid = (message: string): PluginError =>
  new PluginError('plugin.request', `Invalid form data: ${message}`)

/** Parses the JSON object of headers in a field or a header of a request. */
export function headersIn(value: unknown, where: string): Readonly<Record<string, string>> {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) throw invalid(`${where} must be an object of texts`)
  const entries = Object.entries(value)
  if (entries.some(([, header]) => typeof header !== 'string'))
    throw invalid(`${where} must be an object of texts`)
  return Object.fromEntries(entries)
}

export function parsedJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid(`${where} must be JSON`)
  }
}

import { PluginError } from 'platen/plugin'

/** The error of a form that is wrong. */
export const invalid = (message: string): PluginError =>
  new PluginError('plugin.request', `Invalid form data: ${message}`)

/** The headers that a field or a header of a request gives as JSON. */
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

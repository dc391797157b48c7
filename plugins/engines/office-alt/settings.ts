import { entryOf, setEntry } from '../../../shared/entry-of.ts'
import type { Schema, SchemaIssue } from '../../../shared/plugin/values.ts'

/** Settings of the operator for this engine. */
export interface AlternativeSettings {
  /** Address of an ONLYOFFICE Docs server. */
  readonly url?: string
  /** The secret with which that server verifies tokens. */
  readonly secret?: string
  /** The address of this host for that server, http://host:port, from which it fetches documents. */
  readonly callback?: string
  /** The path of x2t; absent: searched in the usual places. */
  readonly x2t?: string
}

const names = ['url', 'secret', 'callback', 'x2t'] as const
const addresses: readonly string[] = ['url', 'callback']

export const settingsSchema: Schema<AlternativeSettings> = {
  json: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) },
  parse(input) {
    const settings = (input ?? {}) as Readonly<Record<string, unknown>>
    const issues: SchemaIssue[] = []
    const value: Record<string, string> = {}
    for (const name of names) {
      const setting = entryOf(settings, name)
      if (setting === undefined || setting === '') continue
      if (typeof setting !== 'string') issues.push({ path: name, rule: 'must be a text' })
      else if (addresses.includes(name) && !/^https?:$/.test(URL.parse(setting)?.protocol ?? ''))
        issues.push({ path: name, rule: 'must be an address that begins with http:// or https://' })
      else setEntry(value, name, setting)
    }
    return issues.length > 0 ? { ok: false, issues } : { ok: true, value }
  },
}

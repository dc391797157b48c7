import type { Schema, SchemaIssue } from '../../../../shared/plugin/contract.ts'
import { csvRules } from './csv.ts'
import { pdfRules } from './pdf.ts'
import { pictureRules } from './picture.ts'
import { jsonOf, objection, type Rules, type Value } from './rule.ts'

/** The caller's options after the check. */
export interface OfficeOptions {
  /** Known options that were given, by name. Which of them apply depends on the output. */
  readonly given: Readonly<Record<string, Value>>
  /** Names nobody knows: told in a warning. */
  readonly unknown: readonly string[]
  readonly hardRefresh: boolean
}

/** Where a name means something for several outputs its range is the same. */
const rules: Rules = { ...pictureRules, ...csvRules, ...pdfRules, hardRefresh: { kind: 'boolean' } }

export const optionsSchema: Schema<OfficeOptions> = {
  json: {
    type: 'object',
    properties: Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, jsonOf(rule)])),
  },
  parse(input) {
    if (typeof input !== 'object' || input === null || Array.isArray(input))
      return { ok: false, issues: [{ path: 'formatOptions', rule: 'must be an object' }] }
    const issues: SchemaIssue[] = []
    const given: Record<string, Value> = {}
    const unknown: string[] = []
    for (const [name, value] of Object.entries(input)) {
      if (value === undefined || value === null) continue
      const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
      if (rule === undefined) {
        unknown.push(name)
        continue
      }
      const wrong = objection(rule, value)
      if (wrong === undefined) given[name] = value as Value
      else issues.push({ path: name, rule: wrong })
    }
    if (issues.length > 0) return { ok: false, issues }
    const { hardRefresh = false, ...rest } = given
    return { ok: true, value: { given: rest, unknown, hardRefresh: hardRefresh === true } }
  },
}

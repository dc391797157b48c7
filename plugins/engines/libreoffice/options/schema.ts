import { pdfOptionRules } from '../../../../shared/pdf/option-table.ts'
import type { Schema } from '../../../../shared/plugin/contract.ts'
import {
  type OptionRules,
  optionFlag,
  optionsSchema as schemaOf,
} from '../../../../shared/plugin/option-rules.ts'
import { pictureOptionRules } from '../../../../shared/plugin/pictures.ts'
import { csvRules } from './csv.ts'

/** The caller's options after the check. */
export interface OfficeOptions {
  /** Known options that were given, by name. Which of them apply depends on the output. */
  readonly given: Readonly<Record<string, unknown>>
  /** Names nobody knows: told in a warning. */
  readonly unknown: readonly string[]
  readonly hardRefresh: boolean
}

/** Where a name means something for several outputs its range is the same. */
const rules: OptionRules = {
  ...pictureOptionRules,
  ...csvRules,
  ...pdfOptionRules,
  hardRefresh: optionFlag(),
}
const checked = schemaOf(rules)

export const optionsSchema: Schema<OfficeOptions> = {
  json: checked.json,
  parse(input) {
    const parsed = checked.parse(input)
    if (!parsed.ok) return parsed
    const { hardRefresh = false, ...given } = parsed.value.given
    return { ok: true, value: { given, unknown: parsed.value.unknown, hardRefresh: hardRefresh === true } }
  },
}

import type { FormatId } from '../../../../shared/plugin/values.ts'
import type { TemplatePackage } from '../../../../shared/template/package.ts'
import { openSingle } from '../../../../shared/template/single.ts'
import { htmlRules } from './rules.ts'

export function openPage(bytes: Uint8Array, format: FormatId): TemplatePackage {
  return openSingle(bytes, { format, syntax: 'html', rules: htmlRules })
}

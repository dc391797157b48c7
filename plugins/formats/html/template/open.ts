/** HTML for the template compiler. Source: template language 12.5 and 24.7. */
import type { FormatId } from '../../../../shared/plugin/values.ts'
import { pageRules } from '../../../../shared/template/html/page-rules.ts'
import { bindOwnColors } from '../../../../shared/template/media/bound-colors.ts'
import { bindSvgUpdates } from '../../../../shared/template/media/svg-updates.ts'
import { bindAddresses } from '../../../../shared/template/media/web.ts'
import type { TemplatePackage } from '../../../../shared/template/package.ts'
import type { FormatRules } from '../../../../shared/template/rules.ts'
import { openSingle } from '../../../../shared/template/single.ts'
import { bindColors } from './colors.ts'

const htmlRules: FormatRules = {
  ...pageRules,
  prepare: (_part, tokens) => bindSvgUpdates(bindColors(bindOwnColors(bindAddresses(tokens)))),
}

export function openPage(bytes: Uint8Array, format: FormatId): TemplatePackage {
  return openSingle(bytes, { format, syntax: 'html', rules: htmlRules })
}

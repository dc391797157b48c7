/** HTML for the template compiler. Source: template language 12.5 and 24.7. */
import { pageRules } from '../../../../shared/template/html/page-rules.ts'
import { bindOwnColors } from '../../../../shared/template/media/bound-colors.ts'
import { bindSvgUpdates } from '../../../../shared/template/media/svg-updates.ts'
import { bindAddresses } from '../../../../shared/template/media/web.ts'
import type { FormatRules } from '../../../../shared/template/rules.ts'
import { bindColors } from './colors.ts'

/** The rules of HTML pages. */
export const htmlRules: FormatRules = {
  ...pageRules,
  prepare: (_part, tokens) => bindSvgUpdates(bindColors(bindOwnColors(bindAddresses(tokens)))),
}

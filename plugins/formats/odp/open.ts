import { openOdf } from '../../../shared/office/odf.ts'
import { pageOf } from '../../../shared/office/odf-positions.ts'
import { odfRules, odfTextFilled } from '../../../shared/office/odf-rules.ts'
import type { OpenContext } from '../../../shared/plugin/contract.ts'
import type { TemplatePackage } from '../../../shared/template/package.ts'
import type { FormatRules } from '../../../shared/template/rules.ts'

/** A page is an ordinary element: it can repeat or be dropped like a row. */
const rules: FormatRules = {
  ...odfRules,
  position: pageOf,
  elements: { ...odfRules.elements, slide: ['draw:page'], page: ['draw:page'] },
  filled: odfTextFilled,
}

export async function openOdp(bytes: Uint8Array, context: OpenContext): Promise<TemplatePackage> {
  return openOdf(bytes, context, 'odp', rules)
}

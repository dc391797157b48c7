import { openOdf } from '../../../../shared/office/odf.ts'
import type { OpenContext } from '../../../../shared/plugin/contract.ts'
import type { TemplatePackage } from '../../../../shared/template/package.ts'
import { odtRules } from './rules.ts'

export async function openOdt(bytes: Uint8Array, context: OpenContext): Promise<TemplatePackage> {
  return openOdf(bytes, context, 'odt', odtRules)
}

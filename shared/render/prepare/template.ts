import { AppError } from '../../errors/app-error.ts'
import type { TemplateRef } from '../../records/templates.ts'
import type { Services } from '../../services/services.ts'
import { type RenderTemplate, storedTemplate } from '../../services/templates.ts'
import { inlineTemplate } from '../template.ts'
import { memberBase64, memberMediaType, type SplitBody } from './body.ts'

/** The template of a render: a stored one, or the one in the body. */
export type TemplateChoice = TemplateRef | 'inline'

/**
 * Loads or decodes the template of a render. Throws 'api.template.not-found', 'api.upload.empty',
 * 'api.template.format', 'api.template.too-large'.
 */
export async function readTemplate(
  services: Services,
  account: string,
  choice: TemplateChoice,
  body: SplitBody,
): Promise<RenderTemplate> {
  if (choice !== 'inline') return storedTemplate(services, account, choice)
  const bytes = await memberBase64(body, 'template')
  if (bytes === 'absent') throw new AppError('api.upload.empty')
  if (bytes === 'invalid') throw new AppError('api.template.format')
  return inlineTemplate(services, bytes, { mime: memberMediaType(body, 'template') })
}

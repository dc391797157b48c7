import { AppError } from '../errors/app-error.ts'
import type { RenderTemplate } from '../render/request.ts'
import { inlineTemplate, storedTemplate } from '../render/template.ts'
import type { Services } from '../services/services.ts'
import type { TemplateRef } from './ids.ts'
import { memberBase64, type SplitBody } from './render-body.ts'

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
  return inlineTemplate(services, bytes)
}

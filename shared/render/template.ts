/** The template that is part of a request, and the changes that a request makes to any template before its render. */

import { AppError } from '../errors/app-error.ts'
import { isEncryptedDocument } from '../office/incoming/encrypted.ts'
import { fromBytes } from '../plugin/byte-source.ts'
import { engineFormat, type SniffHint } from '../plugin/registry.ts'
import type { Services } from '../services/services.ts'
import type { RenderTemplate } from '../services/templates.ts'

/** Throws 'api.upload.empty', 'api.template.too-large', 'api.template.format' and 'api.template.encrypted'. */
export async function inlineTemplate(
  services: Services,
  bytes: Uint8Array,
  hint: SniffHint = {},
): Promise<RenderTemplate> {
  const limit = services.settings.maxTemplateBytes
  if (bytes.length === 0) throw new AppError('api.upload.empty')
  if (bytes.length > limit) throw new AppError('api.template.too-large', { limit })
  const source = fromBytes(bytes)
  const format = await services.registry.sniff(source, hint)
  // Many workbooks of Excel 97 to 2003 have a password that everybody knows. Whether an office can open one, it says itself.
  if (format?.id !== 'xls' && isEncryptedDocument(bytes)) throw new AppError('api.template.encrypted')
  if (format === undefined) throw new AppError('api.template.format')
  const hash = services.hasher.sha256()
  hash.update(bytes)
  return { format, hash: hash.hex(), inline: true, source: async () => source, bytes: async () => bytes }
}

/**
 * Overrides the type of a template by the one that the caller specifies, unless its content is certainly of another type.
 * Throws 'api.template.format' for types without tags.
 */
export async function withExtension(
  { registry }: Pick<Services, 'registry'>,
  template: RenderTemplate,
  extension: string | undefined,
): Promise<RenderTemplate> {
  if (extension === undefined) return template
  const named = registry.formatByExtension(extension)
  const format = named && registry.format(engineFormat(named))
  if (format?.template === undefined) throw new AppError('api.template.format')
  if (format.id === template.format.id) return template
  const certain = await registry.certain(await template.source())
  return { ...template, format: certain ?? format }
}

/**
 * The template of a batch. Bytes that came with the request would be copied to the merger once for each item, so they
 * go through the template cache, which shares them.
 */
export function forManyRenders({ templates }: Pick<Services, 'templates'>, template: RenderTemplate) {
  if (template.inline !== true) return template
  return { ...template, bytes: () => templates.get(`inline/${template.hash}`, template.source) }
}

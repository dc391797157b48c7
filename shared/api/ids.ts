import { AppError } from '../errors/app-error.ts'

/** Identifiers as they stand in addresses and metadata (specification 2.5). */
const versionId = /^[0-9a-f]{64}$/i
const templateId = /^[1-9][0-9]{0,18}$/
const renderId = /^[A-Za-z0-9_-]{16,512}(\.[A-Za-z0-9]{1,8})?$/
const greatestTemplateId = '9223372036854775807'

export type TemplateRef =
  | { readonly kind: 'version'; readonly id: string } // 64 lower-case hex characters
  | { readonly kind: 'template'; readonly id: string } // decimal, a positive 63-bit integer

export function isTemplateId(text: string): boolean {
  return templateId.test(text) && (text.length < 19 || text <= greatestTemplateId)
}

export function isVersionId(text: string): boolean {
  return versionId.test(text)
}

/** Throws 'api.id.invalid': a malformed id never reaches storage. */
export function parseTemplateRef(text: string): TemplateRef {
  if (isVersionId(text)) return { kind: 'version', id: text.toLowerCase() }
  if (isTemplateId(text)) return { kind: 'template', id: text }
  throw new AppError('api.id.invalid')
}

/** Throws 'api.id.invalid'. */
export function parseRenderId(text: string): string {
  if (!renderId.test(text)) throw new AppError('api.id.invalid')
  return text
}

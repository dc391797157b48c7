import { AppError } from '../errors/app-error.ts'

/** The forms of identifiers in paths and metadata (specification 2.5). */
const versionId = /^[0-9a-f]{64}$/i
const templateId = /^[1-9][0-9]{0,18}$/
const renderId = /^[A-Za-z0-9_-]{16,512}(\.[A-Za-z0-9]{1,8})?$/
const greatestTemplateId = '9223372036854775807'

export type TemplateRef =
  | { readonly kind: 'version'; readonly id: string } // 64 lower-case hex characters
  | { readonly kind: 'template'; readonly id: string } // decimal, a positive 63-bit integer

/** Whether the text is a Template ID: a decimal integer from 1 to 2^63 - 1. */
export function isTemplateId(text: string): boolean {
  return templateId.test(text) && (text.length < 19 || text <= greatestTemplateId)
}

/** Whether the text is a Version ID: 64 hex digits in upper or lower case. */
export function isVersionId(text: string): boolean {
  return versionId.test(text)
}

/** Parses an ID from a path. Throws 'api.id.invalid', so that a malformed ID never reaches storage. */
export function parseTemplateRef(text: string): TemplateRef {
  if (isVersionId(text)) return { kind: 'version', id: text.toLowerCase() }
  if (isTemplateId(text)) return { kind: 'template', id: text }
  throw new AppError('api.id.invalid')
}

/** Returns a render ID unchanged. Throws 'api.id.invalid' when it is malformed. */
export function parseRenderId(text: string): string {
  if (!renderId.test(text)) throw new AppError('api.id.invalid')
  return text
}

import { setEntry } from '../entry-of.ts'
import { AppError } from '../errors/app-error.ts'
import { isTemplateId } from '../records/templates.ts'
import { firstIssue } from '../schemas/check.ts'
import { looseFlag } from '../schemas/loose-flag.ts'
import { maxTagCharacters, metadata, uploadOnly } from '../schemas/metadata.ts'
import type { TemplatePatch } from '../services/templates.ts'
import type { UploadFields } from '../services/uploads.ts'

export type MetadataFields = Readonly<Record<string, unknown>>

const integers = new Set(['deployedAt', 'expireAt', 'origin'])
const texts = new Set(['name', 'comment', 'category', 'payload'])

/**
 * Converts the strings of a form to values. A string that cannot be converted is kept, and the schema rejects
 * it.
 */
export function readFormFields(form: ReadonlyMap<string, string>): MetadataFields {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of form) {
    if (name === 'tags') {
      if (value.trim() !== '') setEntry(fields, name, parseTags(value))
    } else if (value !== '' || texts.has(name) || name === 'id') setEntry(fields, name, value)
  }
  return fields
}

function parseTags(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    throw new AppError('api.metadata', { issue: '"tags" must be a JSON array of strings' })
  }
}

/**
 * Checks the fields of an upload. `sample` is the result of `checkSample`. Throws 'api.metadata' with the
 * first broken rule.
 */
export function readUploadFields(input: MetadataFields, sample?: Uint8Array): UploadFields {
  const fields = loosen(input)
  check({ ...metadata, ...uploadOnly }, fields)
  return { ...pick(fields), ...(sample === undefined ? {} : { sample }) }
}

/** Checks the fields of a change. Throws 'api.metadata.not-allowed', 'api.metadata.empty', 'api.metadata'. */
export function readPatchFields(input: MetadataFields): TemplatePatch {
  for (const field of Object.keys(input)) {
    if (!Object.hasOwn(metadata, field))
      throw new AppError('api.metadata.not-allowed', { field: quoteField(field) })
  }
  const fields = loosen(input)
  if (Object.keys(fields).length === 0) throw new AppError('api.metadata.empty')
  check(metadata, fields)
  if (fields['id'] === '') throw idIssue()
  return pick(fields)
}

/** Field names come from the caller, so a message repeats only harmless ones. */
function quoteField(field: string): string {
  return /^[\w.-]{1,40}$/.test(field) ? field : 'a field'
}

/**
 * Converts strings in place of numbers and booleans, removes fields with null, which count as absent, and
 * removes characters from strings that databases reject.
 */
function loosen(input: MetadataFields): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(input)) {
    if (value === null || value === undefined) continue
    setEntry(fields, name, loosenValue(name, value))
  }
  return fields
}

function loosenValue(name: string, value: unknown): unknown {
  if (integers.has(name) && typeof value === 'string' && /^\d{1,16}$/.test(value)) return Number(value)
  if (name === 'versioning') return looseFlag(value)
  if (texts.has(name) && typeof value === 'string') return clean(value)
  if (name === 'tags' && Array.isArray(value))
    // An empty list in a form is sent as one empty string.
    return value
      .map((tag: unknown) => (typeof tag === 'string' ? clean(tag) : tag))
      .filter((tag) => tag !== '')
  return value
}

function clean(text: string): string {
  return text.toWellFormed().replaceAll('\0', '')
}

function check(rules: Parameters<typeof firstIssue>[0], fields: MetadataFields): void {
  const broken = firstIssue(rules, fields)
  if (broken !== undefined) throw new AppError('api.metadata', { issue: broken.issue })
  const { id, tags } = fields as { id?: string; tags?: readonly string[] }
  if (id !== undefined && id !== '' && !isTemplateId(id)) throw idIssue()
  if (tags !== undefined && [...tags.join('')].length > maxTagCharacters)
    throw new AppError('api.metadata', { issue: `"tags" ${metadata.tags['x-rule' as never]}` })
}

function idIssue(): AppError {
  return new AppError('api.metadata', { issue: `"id" ${metadata.id['x-rule' as never]}` })
}

function pick(fields: Record<string, unknown>): UploadFields {
  const { tags, ...scalars } = fields
  const documented = Object.fromEntries(
    Object.entries(scalars).filter(
      ([name]) => Object.hasOwn(metadata, name) || Object.hasOwn(uploadOnly, name),
    ),
  )
  return { ...documented, ...(tags === undefined ? {} : { tags: [...new Set(tags as string[])].sort() }) }
}

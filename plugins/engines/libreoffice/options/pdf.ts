import { AppError } from '../../../../shared/errors/app-error.ts'
import { pdfOptionRules } from '../../../../shared/pdf/option-table.ts'

/** Versions that the office takes without a word and does not write. */
const unwrittenVersions: readonly number[] = [4, 17, 20]
const permissions = ['Changes', 'Printing', 'EnableCopyingOfContent', 'EnableTextAccessForAccessibilityTools']

/**
 * Filter data for a PDF export. What this office cannot do is refused by name, never passed off: it writes no PDF/A-4,
 * 1.7 or 2.0, encrypts with RC4 only, and drops protection from PDF/A.
 */
export function pdfFilterData(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const version = (given['SelectPdfVersion'] as number | undefined) ?? 0
  if (unwrittenVersions.includes(version))
    refuse('SelectPdfVersion', `must be 0, 1, 2, 3, 15 or 16 for this engine, not ${version}`)
  if (given['EncryptFile'] === true) refuse('EncryptFile', 'cannot be done by this engine: it has no AES-256')
  if (given['Watermarks'] !== undefined)
    refuse('Watermarks', 'cannot be drawn by this engine; it knows the single text of Watermark')
  const restricted = given['RestrictPermissions'] === true
  if (restricted && !given['PermissionPassword'])
    refuse('PermissionPassword', 'must be given with RestrictPermissions')
  const archival = version >= 1 && version <= 3
  if (restricted && archival) refuse('RestrictPermissions', 'cannot be combined with PDF/A')
  const data: Record<string, unknown> = {}
  // Each is named as in the office's filter data.
  for (const [name, { json }] of Object.entries(pdfOptionRules)) {
    const value = given[name] ?? json['default']
    if (value === undefined || name === 'Watermarks') continue
    if (!restricted && (permissions.includes(name) || name === 'PermissionPassword')) continue
    if (name === 'DocumentOpenPassword' || (name === 'Watermark' && value === '')) continue
    data[name] = value
  }
  return data
}

function refuse(option: string, rule: string): never {
  throw new AppError('convert.options', { option, rule })
}

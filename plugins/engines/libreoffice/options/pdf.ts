import { AppError } from '../../../../shared/errors/app-error.ts'
import type { Rule, Rules, Value } from './rule.ts'

const yes: Rule = { kind: 'boolean', default: true }
const no: Rule = { kind: 'boolean', default: false }
const integer = (min: number, max: number, start: number): Rule => ({
  kind: 'integer',
  min,
  max,
  default: start,
})

/**
 * The PDF options of the specification (4.9), with its defaults. Each is named as in LibreOffice's filter data and
 * passed on as it is, unless it stands in `notOurs`.
 */
export const pdfRules: Rules = {
  SelectPdfVersion: { kind: 'choice', of: [0, 1, 2, 3, 4, 15, 16, 17, 20], default: 0 },
  ConvertOOoTargetToPDFTarget: no,
  ExportFormFields: yes,
  ExportLinksRelativeFsys: no,
  ExportNotes: yes,
  ExportNotesPages: no,
  FormsType: integer(0, 3, 0),
  IsAddStream: no,
  IsSkipEmptyPages: no,
  UseTransitionEffects: yes,
  DocumentOpenPassword: { kind: 'string', max: 127 },
  EncryptFile: no,
  PermissionPassword: { kind: 'string', max: 127 },
  RestrictPermissions: no,
  Changes: integer(0, 4, 4),
  EnableCopyingOfContent: yes,
  EnableTextAccessForAccessibilityTools: yes,
  Printing: integer(0, 2, 2),
  MaxImageResolution: { kind: 'choice', of: [75, 150, 300, 600, 1200], default: 300 },
  Quality: integer(1, 100, 90),
  ReduceImageResolution: no,
  UseLosslessCompression: yes,
  Watermark: { kind: 'string', max: 2000 },
  Watermarks: { kind: 'list', max: 4 },
  UseTaggedPDF: no,
  PDFUACompliance: no,
  AllowDuplicateFieldNames: no,
  CenterWindow: no,
  DisplayPDFDocumentTitle: yes,
  ExportBookmarks: yes,
  ExportBookmarksToPDFDestination: no,
  FirstPageOnLeft: no,
  HideViewerMenubar: no,
  HideViewerToolbar: no,
  HideViewerWindowControls: no,
  InitialPage: integer(1, 100_000, 1),
  InitialView: integer(0, 2, 0),
  Magnification: integer(0, 4, 0),
  OpenBookmarkLevels: integer(-1, 10, -1),
  OpenInFullScreenMode: no,
  PageLayout: integer(0, 3, 0),
  PageRange: {
    kind: 'string',
    max: 1000,
    pattern: /^\s*(\d+\s*(-\s*(\d+\s*)?)?|-\s*\d+\s*)(,\s*(\d+\s*(-\s*(\d+\s*)?)?|-\s*\d+\s*))*$/,
    says: 'a list of pages such as 1-3,5,7-',
  },
  PDFViewSelection: integer(0, 2, 0),
  ResizeWindowToInitialPage: no,
  Zoom: integer(10, 1600, 100),
}

/** Versions that the office takes without a word and does not write. */
const unwrittenVersions: readonly number[] = [4, 17, 20]
const permissions = ['Changes', 'Printing', 'EnableCopyingOfContent', 'EnableTextAccessForAccessibilityTools']

/**
 * Filter data for a PDF export. What this office cannot do is refused by name, never passed off: it writes no PDF/A-4,
 * 1.7 or 2.0, encrypts with RC4 only, and drops protection from PDF/A.
 */
export function pdfFilterData(given: Readonly<Record<string, Value>>): Record<string, Value> {
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
  const data: Record<string, Value> = {}
  for (const [name, rule] of Object.entries(pdfRules)) {
    const value = given[name] ?? ('default' in rule ? rule.default : undefined)
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

import { entryOf } from '../../entry-of.ts'
import {
  numberAsText,
  type OptionRule,
  type OptionRules,
  optionChoice,
  optionFlag,
  optionInteger,
  optionText,
} from '../../plugin/option-rules.ts'
import { pageRangeRule, parsePageRange } from './page-range.ts'
import { watermarksJson } from './watermark/options.ts'

/** The PDF options of specification 4.9, with type, range and default, whether an engine or the stage applies them. */

const maxPasswordLength = 127
const maxTextLength = 2000
const no = optionFlag(false)
const yes = optionFlag(true)

export const securityRules = {
  EncryptFile: no,
  DocumentOpenPassword: optionText(maxPasswordLength),
  RestrictPermissions: no,
  PermissionPassword: optionText(maxPasswordLength),
  Changes: optionInteger(0, 4, 4),
  Printing: optionInteger(0, 2, 2),
  EnableCopyingOfContent: yes,
  EnableTextAccessForAccessibilityTools: yes,
} as const satisfies OptionRules

/** How a viewer opens the file. Engines apply these options where they can, the stage does for the others. */
export const viewerRules = {
  CenterWindow: no,
  DisplayPDFDocumentTitle: yes,
  HideViewerMenubar: no,
  HideViewerToolbar: no,
  HideViewerWindowControls: no,
  ResizeWindowToInitialPage: no,
  OpenInFullScreenMode: no,
  FirstPageOnLeft: no,
  InitialPage: optionInteger(1, 100_000, 1),
  InitialView: optionInteger(0, 2, 0),
  Magnification: optionInteger(0, 4, 0),
  PageLayout: optionInteger(0, 3, 0),
  Zoom: optionInteger(10, 1600, 100),
} as const satisfies OptionRules

const watermarks: OptionRule<readonly unknown[]> = {
  json: watermarksJson,
  objection: (value) =>
    Array.isArray(value) && value.length <= 4 ? undefined : 'must be a list of at most 4 watermarks',
}
const pageRange: OptionRule<string> = {
  json: { type: 'string', maxLength: 1000, pattern: '^[\\d\\s,-]+$' },
  read: (value) => numberAsText(value),
  objection: (value) =>
    typeof value === 'string' && value.length <= 1000 && parsePageRange(value) !== undefined
      ? undefined
      : pageRangeRule,
}

/** The options that the stage applies. */
export const stageRules = {
  ...securityRules,
  ...viewerRules,
  SelectPdfVersion: optionChoice([0, 1, 2, 3, 4, 15, 16, 17, 20], 0),
  Watermark: optionText(maxTextLength),
  Watermarks: watermarks,
  PageRange: pageRange,
} as const satisfies OptionRules

/** The options that only an engine can apply, because they concern the layout of the document. */
const exportRules = {
  ConvertOOoTargetToPDFTarget: no,
  ExportFormFields: yes,
  ExportLinksRelativeFsys: no,
  ExportNotes: yes,
  ExportNotesPages: no,
  FormsType: optionInteger(0, 3, 0),
  IsAddStream: no,
  IsSkipEmptyPages: no,
  UseTransitionEffects: yes,
  MaxImageResolution: optionChoice([75, 150, 300, 600, 1200], 300),
  Quality: optionInteger(1, 100, 90),
  ReduceImageResolution: no,
  UseLosslessCompression: yes,
  UseTaggedPDF: no,
  PDFUACompliance: no,
  AllowDuplicateFieldNames: no,
  ExportBookmarks: yes,
  ExportBookmarksToPDFDestination: no,
  OpenBookmarkLevels: optionInteger(-1, 10, -1),
  PDFViewSelection: optionInteger(0, 2, 0),
} as const satisfies OptionRules

export const pdfOptionRules: OptionRules = { ...stageRules, ...exportRules }

/** Whether the value is the default of the option. */
export function isDefault(name: string, value: unknown): boolean {
  const json = entryOf(pdfOptionRules, name)?.json
  return json !== undefined && 'default' in json && json['default'] === value
}

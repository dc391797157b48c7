import { AppError } from '../errors/app-error.ts'
import type { Schema, SchemaIssue, Warning } from '../plugin/contract.ts'
import { type PageRange, pageRangeRule, parsePageRange } from './page-range.ts'
import { passwordBytes } from './security/password.ts'
import { allPermissions, type Permissions, permissionBits } from './security/permissions.ts'
import { laterVersions, type VersionWish } from './version.ts'
import type { ViewerWish } from './viewer.ts'
import { readWatermarks, type Watermark, watermarksJson } from './watermark/options.ts'

/** What is to be done to a finished PDF, checked. */
export interface PdfStageOptions {
  readonly security?: {
    readonly user: Uint8Array<ArrayBuffer> // password, prepared; empty: the file opens without one
    readonly owner: Uint8Array<ArrayBuffer>
    readonly permissions: number // /P
  }
  readonly watermarks: readonly Watermark[]
  readonly pages?: PageRange
  readonly version?: VersionWish
  readonly viewer?: ViewerWish
  /** The engine makes PDF/UA: what it leaves out is added. */
  readonly accessible?: boolean
  readonly warnings: readonly Warning[]
}

export interface SplitPdfOptions {
  /** Absent: nothing for the stage to do. */
  readonly stage?: PdfStageOptions
  /** What is left for the engine. */
  readonly engine: Readonly<Record<string, unknown>>
  /** Options without effect, whether or not there is a stage. */
  readonly warnings: readonly Warning[]
}

type Given = Readonly<Record<string, unknown>>
type Rule = {
  readonly json: Readonly<Record<string, unknown>>
  objection(value: unknown): string | undefined
}

const flag = (start: boolean): Rule => ({
  json: { type: 'boolean', default: start },
  objection: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
})
const integer = (min: number, max: number, start = max): Rule => ({
  json: { type: 'integer', minimum: min, maximum: max, default: start },
  objection: (value) =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max
      ? undefined
      : `must be an integer from ${min} to ${max}`,
})
const text = (max: number): Rule => ({
  json: { type: 'string', maxLength: max },
  objection: (value) =>
    typeof value === 'string' && value.length <= max
      ? undefined
      : `must be a string of at most ${max} characters`,
})

const longestPassword = 127
const longestText = 2000
const securityRules: Readonly<Record<string, Rule>> = {
  EncryptFile: flag(false),
  DocumentOpenPassword: text(longestPassword),
  RestrictPermissions: flag(false),
  PermissionPassword: text(longestPassword),
  Changes: integer(0, 4),
  Printing: integer(0, 2),
  EnableCopyingOfContent: flag(true),
  EnableTextAccessForAccessibilityTools: flag(true),
}
const pageRange: Rule = {
  json: { type: 'string', maxLength: 1000, pattern: '^[\\d\\s,-]+$' },
  objection: (value) =>
    typeof value === 'string' && value.length <= 1000 && parsePageRange(value) !== undefined
      ? undefined
      : pageRangeRule,
}
/** What an engine does where it can, and the stage does to files that are PDF already. */
const viewerRules: Readonly<Record<keyof ViewerWish, Rule>> = {
  CenterWindow: flag(false),
  DisplayPDFDocumentTitle: flag(true),
  HideViewerMenubar: flag(false),
  HideViewerToolbar: flag(false),
  HideViewerWindowControls: flag(false),
  ResizeWindowToInitialPage: flag(false),
  OpenInFullScreenMode: flag(false),
  FirstPageOnLeft: flag(false),
  InitialPage: integer(1, 100_000, 1),
  InitialView: integer(0, 2, 0),
  Magnification: integer(0, 4, 0),
  PageLayout: integer(0, 3, 0),
  Zoom: integer(10, 1600, 100),
}
/** The office leaves the first page on the right whatever it is told: how pages lie is always written here. */
const laidOutHere = ['PageLayout', 'FirstPageOnLeft']
const versions = [0, 1, 2, 3, 4, 15, 16, 17, 20]
const version: Rule = {
  json: { type: 'integer', enum: versions, default: 0 },
  objection: (value) =>
    versions.includes(value as number) ? undefined : `must be one of ${versions.join(', ')}`,
}
const rules: Readonly<Record<string, Rule>> = {
  ...securityRules,
  ...viewerRules,
  SelectPdfVersion: version,
  Watermark: text(longestText),
  Watermarks: {
    json: watermarksJson,
    objection: (value) => (Array.isArray(value) ? undefined : 'must be a list of at most 4 watermarks'),
  },
  PageRange: pageRange,
}
/** What can only be done to a whole document, once. */
export const securityOptionNames: readonly string[] = Object.keys(securityRules)
const permissionNames = [
  'Changes',
  'Printing',
  'EnableCopyingOfContent',
  'EnableTextAccessForAccessibilityTools',
]

/** Names of the specification (4.9) that belong to engines, for PDF and, since options may serve several outputs, others. */
const engineOptions: ReadonlySet<string> = new Set(
  `SelectPdfVersion ConvertOOoTargetToPDFTarget ExportFormFields ExportLinksRelativeFsys ExportNotes ExportNotesPages
  FormsType IsAddStream IsSkipEmptyPages UseTransitionEffects MaxImageResolution Quality ReduceImageResolution
  UseLosslessCompression UseTaggedPDF PDFUACompliance AllowDuplicateFieldNames CenterWindow DisplayPDFDocumentTitle
  ExportBookmarks ExportBookmarksToPDFDestination FirstPageOnLeft HideViewerMenubar HideViewerToolbar
  HideViewerWindowControls InitialPage InitialView Magnification OpenBookmarkLevels OpenInFullScreenMode PageLayout
  PDFViewSelection ResizeWindowToInitialPage Zoom PixelWidth PixelHeight ColorMode Compression Interlaced Translucent
  fieldSeparator textDelimiter characterSet`.split(/\s+/),
)

/** Options of specification 4.9 that are of other outputs than PDF. */
const ofOtherOutputs = new Set(
  'PixelWidth PixelHeight ColorMode Compression Interlaced Translucent fieldSeparator textDelimiter characterSet'.split(
    ' ',
  ),
)

/** The PDF options of the specification, by name. */
export const optionNames: readonly string[] = [...Object.keys(rules), ...engineOptions]
  .filter((name) => !ofOtherOutputs.has(name))
  .filter((name, at, all) => all.indexOf(name) === at)
  .sort()

/** Whether an option is one of those that every engine has. */
export function isSecurityOrMark(name: string): boolean {
  return Object.hasOwn(securityRules, name) || name === 'Watermark' || name === 'Watermarks'
}

/** Whether the specification has an option of this name. */
export function isKnownOption(name: string): boolean {
  return Object.hasOwn(rules, name) || engineOptions.has(name)
}

/** Whether the stage can serve this option without an engine. */
export function isStageOption(name: string, value: unknown): boolean {
  if (name === 'SelectPdfVersion') return value === 17 || value === 20
  return Object.hasOwn(rules, name)
}

/** The options of the stage alone; those of engines are passed over. */
export const pdfStageOptions: Schema<PdfStageOptions> = {
  json: {
    type: 'object',
    properties: Object.fromEntries(Object.entries(rules).map(([name, { json }]) => [name, json])),
  },
  parse(input) {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) {
      return { ok: false, issues: [{ path: 'formatOptions', rule: 'must be an object' }] }
    }
    const given = withoutNull(input as Given)
    const issues: SchemaIssue[] = []
    for (const [path, rule] of Object.entries(rules)) {
      const value = given[path]
      const wrong = value === undefined ? undefined : rule.objection(value)
      if (wrong !== undefined) issues.push({ path, rule: wrong })
    }
    if (issues.length > 0) return { ok: false, issues }
    const watermarks = readWatermarks(given['Watermarks'], given['Watermark'], issues)
    const security = readSecurity(given, issues)
    if (issues.length > 0) return { ok: false, issues }
    const range = given['PageRange']
    const pages = typeof range === 'string' ? parsePageRange(range) : undefined
    const wish = laterVersions.get(given['SelectPdfVersion'] as number)?.wish
    const viewer = Object.fromEntries(
      Object.keys(viewerRules).flatMap((key) => (key in given ? [[key, given[key]]] : [])),
    )
    const value = {
      security,
      watermarks,
      pages,
      ...(wish !== undefined && { version: wish }),
      ...(Object.keys(viewer).length > 0 && { viewer }),
      warnings: unusedOptions(given),
    }
    return { ok: true, value }
  },
}

/**
 * Separates what the stage does from what the engine gets. `engineKnows` tells which options the engine in front of
 * the stage serves itself: page ranges, and the plain watermark of archive files, whose fonts must be embedded.
 * Throws 'convert.options'.
 */
export function splitPdfOptions(
  formatOptions: Given,
  engineKnows: (option: string) => boolean = () => false,
): SplitPdfOptions {
  const given = withoutNull(formatOptions)
  const archive = archiveWish(given)
  const toEngine = (option: string) =>
    !Object.hasOwn(rules, option) ||
    (option === 'PageRange' && engineKnows(option)) ||
    (Object.hasOwn(viewerRules, option) && !laidOutHere.includes(option) && engineKnows(option)) ||
    (option === 'Watermark' && archive !== undefined && engineKnows(option))
  const entries = Object.entries(given)
  const mine = Object.fromEntries(entries.filter(([option]) => !toEngine(option)))
  const engine = Object.fromEntries(entries.filter(([option]) => toEngine(option)))
  for (const [option, value] of Object.entries(engine)) {
    const issue = rules[option]?.objection(value)
    if (issue !== undefined) refuse(option, issue)
  }
  shareVersion(given, mine, engine, engineKnows('SelectPdfVersion'))
  const parsed = pdfStageOptions.parse(mine)
  if (!parsed.ok) {
    const [issue] = parsed.issues
    refuse(issue!.path, issue!.rule)
  }
  const accessible = given['PDFUACompliance'] === true && engineKnows('PDFUACompliance')
  const stage = { ...parsed.value, ...(accessible && { accessible }) }
  if (archive !== undefined)
    refuseForArchive(stage, archive, given['Watermarks'] === undefined ? 'Watermark' : 'Watermarks')
  if (stage.security !== undefined && given['PDFUACompliance'] === true) {
    if (mine['RestrictPermissions'] === true && mine['EnableTextAccessForAccessibilityTools'] === false) {
      refuse('EnableTextAccessForAccessibilityTools', 'must be true for PDF/UA')
    }
  }
  const { security, watermarks, pages, version, viewer } = stage
  const idle =
    watermarks.length === 0 &&
    [security, pages, version, viewer, stage.accessible].every((one) => one === undefined)
  return { ...(idle ? {} : { stage }), engine, warnings: stage.warnings }
}

/** The engine gets the version that it can write; what is later than that is made of it behind. */
function shareVersion(
  given: Given,
  mine: Record<string, unknown>,
  engine: Record<string, unknown>,
  engineKnows: boolean,
): void {
  const wanted = given['SelectPdfVersion']
  if (wanted === undefined) return
  const issue = version.objection(wanted)
  if (issue !== undefined) refuse('SelectPdfVersion', issue)
  const behind = laterVersions.get(wanted as number)
  if (behind !== undefined && behind.wish !== '1.7' && given['PDFUACompliance'] === true)
    refuse('SelectPdfVersion', `cannot be ${wanted} with PDF/UA, which is a file of PDF 1.7`)
  if (behind === undefined || (behind.wish === 'PDF/A-4' && !engineKnows)) {
    // Told as an option that this engine does not have.
    delete mine['SelectPdfVersion']
    engine['SelectPdfVersion'] = wanted
  } else if (engineKnows) engine['SelectPdfVersion'] = behind.from
}

/** What kind of file the caller asked for that forbids encryption or fonts that are not embedded. */
function archiveWish(given: Given): 'PDF/A' | 'PDF/UA' | undefined {
  const version = given['SelectPdfVersion']
  if (typeof version === 'number' && version >= 1 && version <= 4) return 'PDF/A'
  return given['PDFUACompliance'] === true ? 'PDF/UA' : undefined
}

function refuseForArchive(stage: PdfStageOptions, archive: 'PDF/A' | 'PDF/UA', drawn: string): void {
  if (stage.watermarks.length > 0) {
    refuse(drawn, `cannot be combined with ${archive}, which has all fonts embedded`)
  }
  if (stage.security !== undefined && archive === 'PDF/A') {
    refuse(
      stage.security.user.length > 0 ? 'EncryptFile' : 'RestrictPermissions',
      'cannot be combined with PDF/A, which forbids encryption',
    )
  }
}

function readSecurity(given: Given, issues: SchemaIssue[]): PdfStageOptions['security'] {
  const encrypts = given['EncryptFile'] === true
  const restricts = given['RestrictPermissions'] === true
  if (!encrypts && !restricts) return undefined
  const user = encrypts
    ? readPassword(given, 'DocumentOpenPassword', 'EncryptFile', issues)
    : new Uint8Array(0)
  const owner = restricts ? readPassword(given, 'PermissionPassword', 'RestrictPermissions', issues) : user
  if (user === undefined || owner === undefined) return undefined
  if (restricts && user.length === owner.length && user.every((byte, at) => byte === owner[at])) {
    issues.push({ path: 'PermissionPassword', rule: 'must differ from DocumentOpenPassword' })
  }
  const granted: Permissions = {
    changes: (given['Changes'] ?? allPermissions.changes) as Permissions['changes'],
    printing: (given['Printing'] ?? allPermissions.printing) as Permissions['printing'],
    copying: given['EnableCopyingOfContent'] !== false,
    accessibility: given['EnableTextAccessForAccessibilityTools'] !== false,
  }
  return { user, owner, permissions: permissionBits(restricts ? granted : allPermissions) }
}

function readPassword(
  given: Given,
  path: string,
  because: string,
  issues: SchemaIssue[],
): Uint8Array<ArrayBuffer> | undefined {
  const password = given[path]
  if (typeof password !== 'string' || password === '') {
    issues.push({ path, rule: `must be given with ${because}` })
    return undefined
  }
  const bytes = passwordBytes(password)
  if (bytes === undefined || bytes.length === 0) {
    issues.push({ path, rule: 'holds characters that a PDF password cannot have' })
    return undefined
  }
  return bytes
}

/** Told, since what was asked for does not happen: a password that protects nothing, permissions nobody enforces. */
function unusedOptions(given: Given): readonly Warning[] {
  const idle: [name: string, needs: string][] = []
  if (given['EncryptFile'] !== true && given['DocumentOpenPassword']) {
    idle.push(['DocumentOpenPassword', 'EncryptFile'])
  }
  if (given['RestrictPermissions'] !== true) {
    if (given['PermissionPassword']) idle.push(['PermissionPassword', 'RestrictPermissions'])
    for (const option of permissionNames) {
      const value = given[option]
      if (value !== undefined && value !== rules[option]!.json['default'])
        idle.push([option, 'RestrictPermissions'])
    }
  }
  return idle.map(([option, needs]) => ({
    code: 'convert.option-ignored',
    message: `Option ${option} has no effect without ${needs}.`,
  }))
}

function withoutNull(given: Given): Given {
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== null && value !== undefined),
  )
}

function refuse(option: string, rule: string): never {
  throw new AppError('convert.options', { option, rule })
}

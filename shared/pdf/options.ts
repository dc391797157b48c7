import { AppError } from '../errors/app-error.ts'
import type { Schema, SchemaIssue, Warning } from '../plugin/contract.ts'
import type { OptionRules } from '../plugin/option-rules.ts'
import { isDefault, pdfOptionRules, securityRules, stageRules, viewerRules } from './option-table.ts'
import { type PageRange, parsePageRange } from './page-range.ts'
import { passwordBytes } from './security/password.ts'
import { allPermissions, type Permissions, permissionBits } from './security/permissions.ts'
import { laterVersions, plainVersions, type VersionWish } from './version.ts'
import type { ViewerWish } from './viewer.ts'
import { readWatermarks, type Watermark } from './watermark/options.ts'

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
  /** The engine makes PDF/A: what it gets wrong is mended. */
  readonly archive?: boolean
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

const rules: OptionRules = stageRules
/** The office leaves the first page on the right whatever it is told: how pages lie is always written here. */
const laidOutHere = ['PageLayout', 'FirstPageOnLeft']
/** A first page that the document does not have is refused here; engines open on another one without a word. */
const opening = ['InitialPage', 'Magnification', 'Zoom']
/** What can only be done to a whole document, once. */
export const securityOptionNames: readonly string[] = Object.keys(securityRules)
const permissionNames = [
  'Changes',
  'Printing',
  'EnableCopyingOfContent',
  'EnableTextAccessForAccessibilityTools',
]

/** Options of specification 4.9 that are of other outputs than PDF: the same options may serve several. */
const ofOtherOutputs = new Set(
  'PixelWidth PixelHeight ColorMode Compression Interlaced Translucent fieldSeparator textDelimiter characterSet'.split(
    ' ',
  ),
)

/** The PDF options of the specification, by name. */
export const optionNames: readonly string[] = Object.keys(pdfOptionRules).sort()

/** Whether an option is one of those that every engine has. */
export function isSecurityOrMark(name: string): boolean {
  return Object.hasOwn(securityRules, name) || name === 'Watermark' || name === 'Watermarks'
}

/** Whether the specification has an option of this name. */
export function isKnownOption(name: string): boolean {
  return Object.hasOwn(pdfOptionRules, name) || ofOtherOutputs.has(name)
}

/** Whether a file that is PDF already needs no engine for this: the stage does it, or it asks for nothing. */
export function isStageOption(name: string, value: unknown): boolean {
  if (isDefault(name, value)) return true
  if (name === 'SelectPdfVersion') return value === 17 || value === 20
  return Object.hasOwn(rules, name)
}

/**
 * What was asked for that an engine without these options does not do: told in warnings, unless it is a promise about
 * the whole file, which is refused.
 */
export function lackedOptions(formatOptions: Given, serves: (option: string) => boolean): readonly string[] {
  return Object.entries(withoutNull(formatOptions))
    .filter(([name, value]) => isKnownOption(name) && !serves(name) && !isDefault(name, value))
    .filter(([name, value]) => !Object.hasOwn(rules, name) || isPromise(name, value))
    .map(([name]) => name)
}

/** What makes a file an archive or accessible. Anybody who asks for that must not get something else. */
export function isPromise(name: string, value: unknown): boolean {
  if (name === 'SelectPdfVersion') return typeof value === 'number' && value >= 1 && value <= 4
  return name === 'PDFUACompliance' && value === true
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
    const version = given['SelectPdfVersion'] as number
    const wish = laterVersions.get(version)?.wish ?? plainVersions.get(version)
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
  const opensHere = typeof given['InitialPage'] === 'number' && given['InitialPage'] > 1
  const here = opensHere ? [...laidOutHere, ...opening] : laidOutHere
  const toEngine = (option: string) =>
    !Object.hasOwn(rules, option) ||
    (option === 'PageRange' && engineKnows(option)) ||
    (Object.hasOwn(viewerRules, option) && !here.includes(option) && engineKnows(option)) ||
    (option === 'Watermark' && archive !== undefined && engineKnows(option))
  const entries = Object.entries(given)
  const mine = Object.fromEntries(entries.filter(([option]) => !toEngine(option)))
  const engine = Object.fromEntries(entries.filter(([option]) => toEngine(option)))
  for (const [option, value] of entries) {
    const issue = pdfOptionRules[option]?.objection(value)
    if (issue !== undefined) refuse(option, issue)
  }
  shareVersion(given, mine, engine, engineKnows('SelectPdfVersion'))
  const parsed = pdfStageOptions.parse(mine)
  if (!parsed.ok) {
    const [issue] = parsed.issues
    refuse(issue!.path, issue!.rule)
  }
  const accessible = given['PDFUACompliance'] === true && engineKnows('PDFUACompliance')
  const archival = isPromise('SelectPdfVersion', given['SelectPdfVersion']) && engineKnows('SelectPdfVersion')
  const stage = {
    ...parsed.value,
    ...(accessible && { accessible }),
    ...(archival && { archive: archival }),
  }
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
    [security, pages, version, viewer, stage.accessible, stage.archive].every((one) => one === undefined)
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
  const behind = laterVersions.get(wanted as number)
  if (behind !== undefined && behind.wish !== '1.7' && given['PDFUACompliance'] === true)
    refuse('SelectPdfVersion', `cannot be ${wanted} with PDF/UA, which is a file of PDF 1.7`)
  if (engineKnows) engine['SelectPdfVersion'] = behind?.from ?? wanted
  const here = behind ?? (engineKnows ? undefined : plainVersions.get(wanted as number))
  if (here === undefined || (behind?.wish === 'PDF/A-4' && !engineKnows)) delete mine['SelectPdfVersion']
}

/** What kind of file the caller asked for that forbids encryption or fonts that are not embedded. */
function archiveWish(given: Given): 'PDF/A' | 'PDF/UA' | undefined {
  if (isPromise('SelectPdfVersion', given['SelectPdfVersion'])) return 'PDF/A'
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

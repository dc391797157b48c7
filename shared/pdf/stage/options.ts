import { entryOf } from '../../entry-of.ts'
import { AppError } from '../../errors/app-error.ts'
import type { OptionRules } from '../../plugin/option-rules.ts'
import type { Schema, SchemaIssue, Warning } from '../../plugin/values.ts'
import type { Conformance } from './conform/job.ts'
import { isDefault, pdfOptionRules, securityRules, stageRules, viewerRules } from './option-table.ts'
import { type PageRange, parsePageRange } from './page-range.ts'
import { passwordBytes } from './security/password.ts'
import { allPermissions, type Permissions, permissionBits } from './security/permissions.ts'
import { laterVersions, type TargetVersion, versions } from './version.ts'
import type { ViewerOptions } from './viewer.ts'
import { readWatermarks, type Watermark } from './watermark/options.ts'

/** The post-processing of a finished PDF, checked. */
export interface PdfStageOptions {
  readonly security?: {
    readonly user: Uint8Array<ArrayBuffer> // password, prepared; empty: the file opens without one
    readonly owner: Uint8Array<ArrayBuffer>
    readonly permissions: number // /P
  }
  readonly watermarks: readonly Watermark[]
  readonly pages?: PageRange
  readonly version?: TargetVersion
  readonly viewer?: ViewerOptions
  /** The engine makes PDF/UA. The stage adds what the engine omits. */
  readonly accessible?: boolean
  /** The engine makes PDF/A. The stage corrects its known mistakes. */
  readonly archive?: boolean
  /** The file is a PDF of the caller, which the stage makes conform itself. */
  readonly conform?: Conformance
  readonly warnings: readonly Warning[]
}

export interface SplitPdfOptions {
  /** Absent when there is nothing for the stage to do. */
  readonly stage?: PdfStageOptions
  /** The options for the engine. */
  readonly engine: Readonly<Record<string, unknown>>
  /** Options without effect, whether or not there is a stage. */
  readonly warnings: readonly Warning[]
}

type UncheckedOptions = Readonly<Record<string, unknown>>

const rules: OptionRules = stageRules
/** LibreOffice puts the first page on the right whatever the option is, so the stage always writes the page layout. */
const laidOutHere = ['PageLayout', 'FirstPageOnLeft']
/** An initial page that does not exist is refused here, since engines silently ignore it. */
const opening = ['InitialPage', 'Magnification', 'Zoom']
/** Options that can be applied only once, to the complete document. */
export const securityOptionNames: readonly string[] = Object.keys(securityRules)
const permissionNames = [
  'Changes',
  'Printing',
  'EnableCopyingOfContent',
  'EnableTextAccessForAccessibilityTools',
]

/** Options of specification 4.9 for other outputs than PDF. A request may send one set of options for several outputs. */
const ofOtherOutputs = new Set(
  'PixelWidth PixelHeight ColorMode Compression Interlaced Translucent fieldSeparator textDelimiter characterSet escapeFormulae'.split(
    ' ',
  ),
)

/** Whether the specification has an option of this name. */
export function isPdfOption(name: string): boolean {
  return Object.hasOwn(pdfOptionRules, name) || ofOtherOutputs.has(name)
}

/** Whether a PDF that is not converted needs no engine for the option: the stage applies it, or it is the default. */
export function isStageOption(name: string, value: unknown): boolean {
  if (isDefault(name, value)) return true
  if (name === 'SelectPdfVersion') return value === 17 || value === 20
  return Object.hasOwn(rules, name)
}

/**
 * The options that an engine lacks and post-processing does not replace. They become warnings, except for conformance,
 * which is refused.
 */
export function lackedOptions(
  formatOptions: UncheckedOptions,
  serves: (option: string) => boolean,
): readonly string[] {
  return Object.entries(withoutNull(formatOptions))
    .filter(([name, value]) => isPdfOption(name) && !serves(name) && !isDefault(name, value))
    .filter(([name, value]) => !Object.hasOwn(rules, name) || isPromise(name, value))
    .map(([name]) => name)
}

/** Whether the option requires a conformance. A caller who requests one must not get a file without it. */
export function isPromise(name: string, value: unknown): boolean {
  if (name === 'SelectPdfVersion') return typeof value === 'number' && value >= 1 && value <= 4
  return name === 'PDFUACompliance' && value === true
}

/** Checks the options of the stage. Options of engines are ignored. */
export const pdfStageOptions: Schema<PdfStageOptions> = {
  json: {
    type: 'object',
    properties: Object.fromEntries(Object.entries(rules).map(([name, { json }]) => [name, json])),
  },
  parse(input) {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) {
      return { ok: false, issues: [{ path: 'formatOptions', rule: 'must be an object' }] }
    }
    const options = withoutNull(input as UncheckedOptions)
    const issues: SchemaIssue[] = []
    for (const [path, rule] of Object.entries(rules)) {
      const value = entryOf(options, path)
      const wrong = value === undefined ? undefined : rule.objection(value)
      if (wrong !== undefined) issues.push({ path, rule: wrong })
    }
    if (issues.length > 0) return { ok: false, issues }
    const watermarks = readWatermarks(options['Watermarks'], options['Watermark'], issues)
    const security = readSecurity(options, issues)
    if (issues.length > 0) return { ok: false, issues }
    const range = options['PageRange']
    const pages = typeof range === 'string' ? parsePageRange(range) : undefined
    const version = options['SelectPdfVersion'] as number
    const target = laterVersions.get(version)?.target ?? versions.get(version)
    const viewer = Object.fromEntries(
      Object.keys(viewerRules).flatMap((key) => (key in options ? [[key, entryOf(options, key)]] : [])),
    )
    const value = {
      security,
      watermarks,
      pages,
      ...(target !== undefined && { version: target }),
      ...(Object.keys(viewer).length > 0 && { viewer }),
      warnings: unusedOptions(options),
    }
    return { ok: true, value }
  },
}

/**
 * Separates the options of the stage from those of the engine. `engineKnows` returns which options the engine itself applies,
 * such as page ranges. With `embedsFonts`, watermarks are drawn with fonts that PDF/A and PDF/UA accept; otherwise such a
 * file can only have the single watermark of an engine. Throws 'convert.options'.
 */
export function splitPdfOptions(
  formatOptions: UncheckedOptions,
  engineKnows: (option: string) => boolean = () => false,
  { embedsFonts = false }: { readonly embedsFonts?: boolean } = {},
): SplitPdfOptions {
  const options = withoutNull(formatOptions)
  const archive = requestedStandard(options)
  const opensHere = typeof options['InitialPage'] === 'number' && options['InitialPage'] > 1
  const laidOut = opensHere ? [...laidOutHere, ...opening] : laidOutHere
  const toEngine = (option: string) =>
    !Object.hasOwn(rules, option) ||
    (option === 'PageRange' && engineKnows(option)) ||
    (Object.hasOwn(viewerRules, option) && !laidOut.includes(option) && engineKnows(option)) ||
    (option === 'Watermark' && archive !== undefined && !embedsFonts && engineKnows(option))
  const entries = Object.entries(options)
  const ofStage = Object.fromEntries(entries.filter(([option]) => !toEngine(option)))
  const engine = Object.fromEntries(entries.filter(([option]) => toEngine(option)))
  for (const [option, value] of entries) {
    const issue = entryOf(pdfOptionRules, option)?.objection(value)
    if (issue !== undefined) refuse(option, issue)
  }
  useOneVersion(options, ofStage, engine, engineKnows('SelectPdfVersion'))
  const parsed = pdfStageOptions.parse(ofStage)
  if (!parsed.ok) {
    const [issue] = parsed.issues
    refuse(issue!.path, issue!.rule)
  }
  const accessible = options['PDFUACompliance'] === true && engineKnows('PDFUACompliance')
  const archival =
    isPromise('SelectPdfVersion', options['SelectPdfVersion']) && engineKnows('SelectPdfVersion')
  const stage = {
    ...parsed.value,
    ...(accessible && { accessible }),
    ...(archival && { archive: archival }),
  }
  if (archive !== undefined)
    refuseForArchive(stage, archive, {
      drawn: options['Watermarks'] === undefined ? 'Watermark' : 'Watermarks',
      embedsFonts,
    })
  if (stage.security !== undefined && options['PDFUACompliance'] === true) {
    if (
      ofStage['RestrictPermissions'] === true &&
      ofStage['EnableTextAccessForAccessibilityTools'] === false
    ) {
      refuse('EnableTextAccessForAccessibilityTools', 'must be true for PDF/UA')
    }
  }
  const { security, watermarks, pages, version, viewer } = stage
  const idle =
    watermarks.length === 0 &&
    [security, pages, version, viewer, stage.accessible, stage.archive].every((part) => part === undefined)
  return { ...(idle ? {} : { stage }), engine, warnings: stage.warnings }
}

/**
 * Divides the version option: the engine writes a version that it supports, and the stage converts the file to a later one.
 */
function useOneVersion(
  options: UncheckedOptions,
  ofStage: Record<string, unknown>,
  engine: Record<string, unknown>,
  engineKnows: boolean,
): void {
  const requested = options['SelectPdfVersion']
  if (requested === undefined) return
  const laterVersion = laterVersions.get(requested as number)
  if (laterVersion !== undefined && laterVersion.target !== '1.7' && options['PDFUACompliance'] === true)
    refuse('SelectPdfVersion', `cannot be ${requested} with PDF/UA, which is a file of PDF 1.7`)
  if (engineKnows) engine['SelectPdfVersion'] = laterVersion?.from ?? requested
  const stageVersion = laterVersion ?? (engineKnows ? undefined : versions.get(requested as number))
  if (stageVersion === undefined || (laterVersion?.target === 'PDF/A-4' && !engineKnows))
    delete ofStage['SelectPdfVersion']
}

/** The engine options that `conform/` replaces. */
export const conforming: readonly string[] = ['SelectPdfVersion', 'PDFUACompliance', 'UseTaggedPDF']

/** Whether the stage can make a PDF conform to these options without redrawing it. */
export function conformsAlone(
  formatOptions: UncheckedOptions,
  embeds: { readonly embedsFonts: boolean },
): boolean {
  const entries = Object.entries(withoutNull(formatOptions))
  const drawsWatermarks = entries.some(([name]) => name === 'Watermark' || name === 'Watermarks')
  if (drawsWatermarks && !embeds.embedsFonts) return false
  return (
    entries.some(([name, value]) => isPromise(name, value)) &&
    entries.every(([name, value]) => conforming.includes(name) || isStageOption(name, value))
  )
}

/** The stage options for `conformsAlone`. Throws 'convert.options'. */
export function conformOptions(
  formatOptions: UncheckedOptions,
  embeds: { readonly embedsFonts: boolean },
): PdfStageOptions {
  const knows = (name: string) => conforming.includes(name)
  const { stage, engine, warnings } = splitPdfOptions(formatOptions, knows, embeds)
  const version = engine['SelectPdfVersion']
  const archive = version === 1 || version === 2 || version === 3 ? version : 0
  const accessible = formatOptions['PDFUACompliance'] === true
  const tagged = accessible || formatOptions['UseTaggedPDF'] === true
  return { watermarks: [], warnings, ...stage, conform: { archive, accessible, tagged } }
}

/** The requested conformance, if any: PDF/A forbids encryption, and both forbid fonts that are not embedded. */
function requestedStandard(options: UncheckedOptions): 'PDF/A' | 'PDF/UA' | undefined {
  if (isPromise('SelectPdfVersion', options['SelectPdfVersion'])) return 'PDF/A'
  return options['PDFUACompliance'] === true ? 'PDF/UA' : undefined
}

function refuseForArchive(
  stage: PdfStageOptions,
  archive: 'PDF/A' | 'PDF/UA',
  { drawn, embedsFonts }: { readonly drawn: string; readonly embedsFonts: boolean },
): void {
  if (stage.watermarks.length > 0 && !embedsFonts) {
    refuse(drawn, `cannot be combined with ${archive}, which has all fonts embedded`)
  }
  if (stage.security !== undefined && archive === 'PDF/A') {
    refuse(
      stage.security.user.length > 0 ? 'EncryptFile' : 'RestrictPermissions',
      'cannot be combined with PDF/A, which forbids encryption',
    )
  }
}

function readSecurity(options: UncheckedOptions, issues: SchemaIssue[]): PdfStageOptions['security'] {
  const encrypts = options['EncryptFile'] === true
  const restricts = options['RestrictPermissions'] === true
  if (!encrypts && !restricts) return undefined
  const user = encrypts
    ? readPassword(options, 'DocumentOpenPassword', 'EncryptFile', issues)
    : new Uint8Array(0)
  const owner = restricts ? readPassword(options, 'PermissionPassword', 'RestrictPermissions', issues) : user
  if (user === undefined || owner === undefined) return undefined
  if (restricts && user.length === owner.length && user.every((byte, at) => byte === owner[at])) {
    issues.push({ path: 'PermissionPassword', rule: 'must differ from DocumentOpenPassword' })
  }
  const granted: Permissions = {
    changes: (options['Changes'] ?? allPermissions.changes) as Permissions['changes'],
    printing: (options['Printing'] ?? allPermissions.printing) as Permissions['printing'],
    copying: options['EnableCopyingOfContent'] !== false,
    accessibility: options['EnableTextAccessForAccessibilityTools'] !== false,
  }
  return { user, owner, permissions: permissionBits(restricts ? granted : allPermissions) }
}

function readPassword(
  options: UncheckedOptions,
  path: string,
  because: string,
  issues: SchemaIssue[],
): Uint8Array<ArrayBuffer> | undefined {
  const password = entryOf(options, path)
  if (typeof password !== 'string' || password === '') {
    issues.push({ path, rule: `must be given with ${because}` })
    return undefined
  }
  const bytes = passwordBytes(password)
  if (bytes === undefined || bytes.length === 0) {
    issues.push({ path, rule: 'contains characters that a PDF password cannot have' })
    return undefined
  }
  return bytes
}

/** Warnings about options without effect: a password that protects nothing, permissions that nothing enforces. */
function unusedOptions(options: UncheckedOptions): readonly Warning[] {
  const idle: [name: string, needs: string][] = []
  if (options['EncryptFile'] !== true && options['DocumentOpenPassword']) {
    idle.push(['DocumentOpenPassword', 'EncryptFile'])
  }
  if (options['RestrictPermissions'] !== true) {
    if (options['PermissionPassword']) idle.push(['PermissionPassword', 'RestrictPermissions'])
    for (const option of permissionNames) {
      const value = entryOf(options, option)
      if (value !== undefined && value !== entryOf(rules, option)!.json['default'])
        idle.push([option, 'RestrictPermissions'])
    }
  }
  return idle.map(([option, needs]) => ({
    code: 'convert.option-ignored',
    message: `Option ${option} has no effect without ${needs}.`,
  }))
}

function withoutNull(options: UncheckedOptions): UncheckedOptions {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== null && value !== undefined),
  )
}

function refuse(option: string, rule: string): never {
  throw new AppError('convert.options', { option, rule })
}

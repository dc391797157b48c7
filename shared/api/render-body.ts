import { AppError } from '../errors/app-error.ts'
import type { JsonInput } from '../ports/index.ts'
import type { BatchRequest } from '../render/batch/split.ts'
import type { RenderRequest } from '../render/request.ts'
import { decodeLargeBase64 } from './base64.ts'
import { looseFlag } from './query.ts'
import { firstIssue } from './schemas/check.ts'
import { renderFields } from './schemas/render.ts'
import { type BodyFields, type JsonMember, parseJson, skipSpace, splitJson } from './split-json.ts'

/** A JSON body, split but not parsed. */
export interface SplitBody {
  readonly bytes: Uint8Array
  readonly members: ReadonlyMap<string, JsonMember>
}

/** The fields of a render that are parsed, if at all, where merging happens. */
const largeFields: ReadonlySet<string> = new Set(['data', 'complement', 'template'])
export const renderMembers: BodyFields = {
  known: new Set([...Object.keys(renderFields), ...largeFields]),
  large: largeFields,
}
/** Every member: for an operator's hook, which may know more of them than the service does. */
export const allMembers: BodyFields = { large: largeFields }

/**
 * Nothing at all, `[]`, `""` and `null` are read as `{}`: some clients send them. Throws as `splitJson` does.
 */
export async function splitBody(bytes: Uint8Array, fields: BodyFields): Promise<SplitBody> {
  const start = skipSpace(bytes, 0)
  if (bytes.length - start < 64) {
    const text = new TextDecoder().decode(bytes).trim()
    if (text === '' || text === 'null' || text === '""' || /^\[\s*\]$/.test(text))
      return { bytes, members: new Map() }
  }
  return { bytes, members: await splitJson(bytes, fields) }
}

/** The value of one member, parsed. undefined when it is absent or null. */
function memberValue(body: SplitBody, name: string): unknown {
  const member = body.members.get(name)
  if (member === undefined) return undefined
  return parseJson(body.bytes.subarray(member.start, member.end)) ?? undefined
}

/** All members but the named ones, parsed. */
export function otherMembers(body: SplitBody, without: readonly string[]): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const name of body.members.keys()) {
    // A member of this name would set the prototype instead; nothing reads it.
    if (name !== '__proto__' && !without.includes(name)) values[name] = memberValue(body, name)
  }
  return values
}

/** The base64 of `template`, decoded from the bytes of the body. 'absent' also for null and an empty text. */
export async function memberBase64(
  body: SplitBody,
  name: string,
): Promise<Uint8Array | 'absent' | 'invalid'> {
  const member = body.members.get(name)
  if (member === undefined) return 'absent'
  const { start, end } = member
  if (body.bytes[start] !== 34) return body.bytes[start] === NULL ? 'absent' : 'invalid'
  if (end - start === 2) return 'absent'
  const decoded = await decodeLargeBase64(body.bytes.subarray(start + 1, end - 1))
  if (decoded === undefined) return 'invalid'
  return decoded.length === 0 ? 'absent' : decoded
}

/** `data` or `complement`, still as JSON text: it is parsed where merging happens. */
function memberText(...member: Parameters<typeof memberBytes>): JsonInput | undefined {
  const bytes = memberBytes(...member)
  return bytes === undefined ? undefined : { text: bytes }
}

function memberBytes(
  body: SplitBody,
  name: string,
  allowed: readonly number[],
  rule: string,
): Uint8Array | undefined {
  const member = body.members.get(name)
  if (member === undefined) return undefined
  if (!allowed.includes(body.bytes[member.start]!)) {
    if (body.bytes[member.start] === NULL) return undefined
    throw new AppError('api.body.invalid', { issue: `"${name}" ${rule}` })
  }
  return body.bytes.subarray(member.start, member.end)
}

/** First bytes of values. Only `null` begins with an n. */
const [OBJECT, ARRAY, NULL] = [123, 91, 110]

/** Throws 'api.json.invalid', 'api.body.invalid'. */
export function readRenderRequest(body: SplitBody, major: 3 | 4 | 5): RenderRequest {
  const complement = memberText(body, 'complement', [OBJECT, ARRAY], 'must be an object')
  const fields = loosen(otherMembers(body, ['data', 'complement', 'template']))
  const issue = firstIssue(renderFields, fields)
  if (issue !== undefined) throw new AppError('api.body.invalid', { issue: issue.issue })
  const text = (name: string) => fields[name] as string | undefined
  const record = <T>(name: string) => fields[name] as Readonly<Record<string, T>> | undefined
  const level = fields['preReleaseFeatureIn'] as number | undefined
  const dataRule = [[OBJECT, ARRAY], 'must be an object or an array'] as const
  const batch = major === 3 ? undefined : readBatch(fields, major)
  return {
    ...(batch === undefined
      ? { data: memberText(body, 'data', ...dataRule) }
      : { batch: { ...batch, data: memberBytes(body, 'data', ...dataRule) } }),
    complement,
    convertTo: readConvertTo(fields['convertTo']),
    converter: text('converter'),
    extension: text('extension'),
    timezone: text('timezone'),
    lang: text('lang'),
    variableStr: text('variableStr'),
    reportName: text('reportName'),
    enum: record('enum'),
    translations: record('translations'),
    currencySource: text('currencySource'),
    currencyTarget: text('currencyTarget'),
    currencyRates: record('currencyRates'),
    failOn: fields['failOn'] as readonly string[] | undefined,
    hardRefresh: fields['hardRefresh'] === true,
    debug: fields['isDebugActive'] === true,
    languageLevel: level ?? newestLevel[major],
  }
}

/** Every feature of a major: the greatest `major*1000000 + minor*1000 + patch` it can have. */
const newestLevel = { 3: 3_999_999, 4: 4_999_999, 5: 5_999_999 } as const

/** Version 4 knows no `batchOutput`. */
function readBatch(fields: Record<string, unknown>, major: 4 | 5): Omit<BatchRequest, 'data'> | undefined {
  const by = fields['batchSplitBy'] as string | undefined
  if (by === undefined) return undefined
  return {
    ...(by === 'd' ? {} : { array: by.slice(2) }),
    output: major === 5 && fields['batchOutput'] === 'pdf' ? 'pdf' : 'zip',
    reportName: fields['batchReportName'] as string | undefined,
    onError: fields['batchOnError'] === 'report' ? 'report' : 'fail',
  }
}

function readConvertTo(value: unknown): RenderRequest['convertTo'] {
  if (value === undefined) return undefined
  if (typeof value === 'string') return { name: value }
  const { formatName, formatOptions } = value as {
    formatName: string
    formatOptions?: Readonly<Record<string, unknown>>
  }
  return { name: formatName, options: formatOptions }
}

/** PHP writes an empty object so. */
function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

/** Texts where a boolean or a number is meant, and empty texts where nothing is, come from form-like clients. */
function loosen(fields: Record<string, unknown>): Record<string, unknown> {
  const loose = { ...fields }
  for (const name of ['hardRefresh', 'isDebugActive']) {
    if (loose[name] !== undefined) loose[name] = looseFlag(loose[name])
  }
  for (const name of ['enum', 'translations', 'currencyRates']) {
    if (isEmptyList(loose[name])) loose[name] = {}
  }
  const { convertTo } = loose
  if (typeof convertTo === 'object' && convertTo !== null && 'formatOptions' in convertTo) {
    const { formatOptions, ...rest } = convertTo
    if (formatOptions === null || isEmptyList(formatOptions)) loose['convertTo'] = rest
  }
  const level = loose['preReleaseFeatureIn']
  if (typeof level === 'string' && /^\d{1,9}$/.test(level)) loose['preReleaseFeatureIn'] = Number(level)
  for (const name of [
    'convertTo',
    'converter',
    'extension',
    'timezone',
    'lang',
    'batchSplitBy',
    'batchOutput',
    'batchOnError',
  ]) {
    if (loose[name] === '') delete loose[name]
  }
  return loose
}

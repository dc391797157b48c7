import { decodeLargeBase64, mediaTypeOf } from '../../base64.ts'
import { entryOf, setEntry } from '../../entry-of.ts'
import { AppError } from '../../errors/app-error.ts'
import type { InvoiceRequest } from '../../invoice/report.ts'
import { type BodyFields, type JsonMember, parseJson, skipSpace, splitJson } from '../../json/split.ts'
import type { Warning } from '../../plugin/values.ts'
import type { JsonInput } from '../../ports/index.ts'
import { firstIssue } from '../../schemas/check.ts'
import { looseFlag } from '../../schemas/loose-flag.ts'
import { renderFields } from '../../schemas/render.ts'
import type { SignatureRequest } from '../../signing/request.ts'
import type { BatchRequest } from '../batch/split.ts'
import type { ProvenanceRequest, RenderRequest } from '../request.ts'

/** A body in memory, or a stream of one that is too large for that. */
export type BufferedBody =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'stream'; readonly stream: ReadableStream<Uint8Array> }

/** A JSON body that is split into its members, which are not parsed. */
export interface SplitBody {
  readonly bytes: Uint8Array
  readonly members: ReadonlyMap<string, JsonMember>
}

/**
 * The fields of a render that are not parsed here. `data` and `complement` are parsed by the merge, in its
 * own thread.
 */
const largeFields: ReadonlySet<string> = new Set(['data', 'complement', 'template'])
/** The members of a body that a render reads. */
export const renderMembers: BodyFields = {
  knownNames: new Set([...Object.keys(renderFields), ...largeFields]),
  large: largeFields,
}
/** Keeps all members, for a hook of the operator, which may read some that the service does not define. */
export const allMembers: BodyFields = { large: largeFields }

/**
 * Splits a body into its members. An empty body, `[]`, `""` and `null` count as `{}`, since some clients send
 * them. Throws the errors of `splitJson`.
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

/** Parses the value of one member. Returns undefined when it is absent or null. */
function memberValue(body: SplitBody, name: string): unknown {
  const member = body.members.get(name)
  if (member === undefined) return undefined
  return parseJson(body.bytes.subarray(member.start, member.end)) ?? undefined
}

/** Parses all members except the named ones. Throws 'api.json.invalid'. */
export function otherMembers(body: SplitBody, without: readonly string[]): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const name of body.members.keys()) {
    // An assignment to this name would set the prototype of the object. No field of the API has it.
    if (name !== '__proto__' && !without.includes(name)) setEntry(values, name, memberValue(body, name))
  }
  return values
}

/**
 * Decodes a member that is a base64 string or a `data:` URI. Null, the empty string and base64 of no bytes count as
 * 'absent'; any other value that cannot be decoded is 'invalid'.
 */
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

/** The media type of a member that is a `data:` URI. */
export function memberMediaType({ bytes, members }: SplitBody, name: string): string | undefined {
  const member = members.get(name)
  return member && mediaTypeOf(bytes.subarray(member.start + 1, member.end - 1))
}

/** Returns `data` or `complement` as JSON text, which the merge parses. */
function memberText(...member: Parameters<typeof memberBytes>): JsonInput | undefined {
  const bytes = memberBytes(...member)
  return bytes === undefined ? undefined : { text: bytes }
}

/**
 * Returns the JSON of a member whose first byte is one of `allowed`, or undefined when it is absent or null.
 * Throws 'api.body.invalid' with `rule` for other values.
 */
function memberBytes(
  body: SplitBody,
  name: string,
  allowed: readonly number[],
  rule: string,
): Uint8Array | undefined {
  const member = body.members.get(name)
  if (member === undefined) return undefined
  if (!allowed.includes(body.bytes[member.start] ?? 0)) {
    if (body.bytes[member.start] === NULL) return undefined
    throw new AppError('api.body.invalid', { issue: `"${name}" ${rule}` })
  }
  return body.bytes.subarray(member.start, member.end)
}

/** The first byte of a JSON value determines its type. Only `null` begins with an n. */
const [OBJECT, ARRAY, NULL] = [123, 91, 110]

/**
 * Reads the request options of a render, for the `major` version of the API. `lines` are the items of a batch, which then
 * are not part of the body. Throws 'api.json.invalid', 'api.body.invalid'.
 */
export function readRenderRequest(
  body: SplitBody,
  major: 3 | 4 | 5,
  lines?: AsyncIterable<Uint8Array>,
): RenderRequest {
  const complement = readComplement(body)
  const received = otherMembers(body, ['data', 'complement', 'template'])
  const emptied = emptyLists(body, received)
  const fields = loosen(received)
  const issue = firstIssue(renderFields, fields)
  if (issue !== undefined) throw new AppError('api.body.invalid', { issue: issue.issue })
  const text = (name: string) => entryOf(fields, name) as string | undefined
  const record = <T>(name: string) => entryOf(fields, name) as Readonly<Record<string, T>> | undefined
  const level = fields['preReleaseFeatureIn'] as number | undefined
  const dataRule = [[OBJECT, ARRAY], 'must be an object or an array'] as const
  const dataUrl = text('dataUrl')
  const isOnLines = lines !== undefined || dataUrl !== undefined
  const batch = !isOnLines && major === 3 ? undefined : readBatch(fields, major, isOnLines)
  if (isOnLines && body.members.has('data'))
    throw new AppError('api.body.invalid', {
      issue:
        lines === undefined
          ? '"data" and "dataUrl" exclude each other'
          : '"data" belongs on the lines after the first',
    })
  if (lines !== undefined && dataUrl !== undefined)
    throw new AppError('api.body.invalid', { issue: '"dataUrl" and items on lines exclude each other' })
  return {
    ...(batch === undefined
      ? { data: memberText(body, 'data', ...dataRule) }
      : {
          batch:
            lines === undefined
              ? { ...batch, data: memberBytes(body, 'data', ...dataRule) }
              : { ...batch, lines },
        }),
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
    sign: readSign(fields['sign']),
    provenance: readProvenance(fields['provenance']),
    invoice: readInvoice(fields['invoice']),
    ...(emptied.length > 0 && { warnings: emptied }),
    hardRefresh: fields['hardRefresh'] === true,
    debug: fields['isDebugActive'] === true,
    languageLevel: level ?? newestLevel[major],
  }
}

/** An empty list is an empty object, as PHP writes it. Throws 'api.body.invalid' for any other list. */
function readComplement(body: SplitBody): JsonInput | undefined {
  const complement = memberText(body, 'complement', [OBJECT, ARRAY], 'must be an object')
  const { start, end } = body.members.get('complement') ?? { start: 0, end: 0 }
  if (body.bytes[start] === ARRAY && !isEmptyListAt(body.bytes, start, end))
    throw new AppError('api.body.invalid', { issue: '"complement" must be an object' })
  return complement
}

/**
 * The language level that has all features of a major version, as `major * 1000000 + minor * 1000 + patch`.
 */
const newestLevel = { 3: 3_999_999, 4: 4_999_999, 5: 5_999_999 } as const

/**
 * Reads the options of a batch; undefined when the request is a single render. Version 4 has no
 * `batchOutput`.
 */
function readBatch(
  fields: Record<string, unknown>,
  major: 3 | 4 | 5,
  isOnLines: boolean,
): Omit<BatchRequest, 'data'> | undefined {
  const by = (fields['batchSplitBy'] as string | undefined) ?? (isOnLines ? 'd' : undefined)
  if (by === undefined) return undefined
  if (isOnLines && by !== 'd')
    throw new AppError('api.body.invalid', {
      issue: '"batchSplitBy" can only be "d" when items are sent on lines',
    })
  return {
    ...(by === 'd' ? {} : { array: by.slice(2) }),
    output: major === 5 && fields['batchOutput'] === 'pdf' ? 'pdf' : 'zip',
    reportName: fields['batchReportName'] as string | undefined,
    ...(fields['dataUrl'] !== undefined && { dataUrl: fields['dataUrl'] as string }),
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

/** `true` requests one signature with the key of the operator. */
function readSign(value: unknown): RenderRequest['sign'] {
  if (value === undefined || value === false) return undefined
  if (value === true) return [{}]
  return (Array.isArray(value) ? value : [value]) as readonly SignatureRequest[]
}

/** `true` requests a manifest without digests of the data. */
function readProvenance(value: unknown): RenderRequest['provenance'] {
  if (value === undefined || value === false) return undefined
  return value === true ? {} : (value as ProvenanceRequest)
}

/** `true` requests the checks of the profile that the XML declares. */
function readInvoice(value: unknown): RenderRequest['invoice'] {
  if (value === undefined || value === false) return undefined
  return value === true ? {} : (value as InvoiceRequest)
}

/** PHP serializes an empty object as `[]`. */
function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

/** Like `isEmptyList`, for a value that is not parsed. */
const isEmptyListAt = (bytes: Uint8Array, start: number, end: number): boolean =>
  bytes[start] === ARRAY && bytes.subarray(start + 1, end - 1).every((byte) => byte <= 32)

/** Fields that are objects, and which PHP sends as `[]` when they are empty. */
const objectFields = ['enum', 'translations', 'currencyRates']

/** Returns a warning for each empty list that is used as an object. */
function emptyLists(body: SplitBody, fields: Record<string, unknown>): Warning[] {
  const { start, end } = body.members.get('complement') ?? { start: 0, end: 0 }
  const names = [
    ...(end > start && isEmptyListAt(body.bytes, start, end) ? ['complement'] : []),
    ...objectFields.filter((name) => isEmptyList(entryOf(fields, name))),
  ]
  return names.map((name) => ({
    code: 'request.empty-list',
    message: `"${name}" is an empty list and was read as an empty object.`,
  }))
}

/**
 * Converts the values of lenient clients: strings in place of booleans and numbers, empty lists in place of
 * empty objects, empty strings in place of absent fields, and blanks around names.
 */
function loosen(fields: Record<string, unknown>): Record<string, unknown> {
  const loose = { ...fields }
  for (const name of ['hardRefresh', 'isDebugActive']) {
    if (entryOf(loose, name) !== undefined) loose[name] = looseFlag(entryOf(loose, name))
  }
  for (const name of objectFields) {
    if (isEmptyList(entryOf(loose, name))) setEntry(loose, name, {})
  }
  const { convertTo } = loose
  if (typeof convertTo === 'object' && convertTo !== null) {
    const { formatOptions, ...rest } = convertTo as Record<string, unknown>
    const named = { ...rest }
    if (typeof named['formatName'] === 'string') named['formatName'] = named['formatName'].trim()
    const hasOptions = formatOptions !== undefined && formatOptions !== null && !isEmptyList(formatOptions)
    loose['convertTo'] = hasOptions ? { ...named, formatOptions } : named
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
    const value = entryOf(loose, name)
    if (typeof value === 'string') setEntry(loose, name, value.trim())
    if (entryOf(loose, name) === '') delete loose[name]
  }
  return loose
}

import { AppError } from '../../errors/app-error.ts'
import { type JsonMember, parseJson, splitJsonArray } from '../../json/split.ts'
import { firstIssue } from '../../schemas/check.ts'
import { caseName, checkLimits, expectation } from '../../schemas/checks.ts'
import { readRenderRequest, renderMembers, type SplitBody, splitBody } from '../prepare/body.ts'
import type { RenderRequest } from '../request.ts'

/** One case of a template: the fields of a render, and the expected properties of the document. */
export interface CheckCase {
  readonly name: string
  readonly request: RenderRequest
  readonly expect: Expectation
}

/** The expectations of a case. Absent fields are not checked. */
export interface Expectation {
  readonly contains?: readonly ExpectedText[]
  readonly excludes?: readonly ExpectedText[]
  readonly pages?: number | { readonly min?: number; readonly max?: number }
  readonly pictures?: readonly ExpectedPicture[]
  /** The code of the expected error, or of one of its problems. */
  readonly error?: string
}
export type ExpectedText = string | { readonly text: string; readonly page?: number }
export interface ExpectedPicture {
  readonly page: number
  /** base64 */
  readonly png?: string
  readonly maxChanged?: number
}

/** The newest version of the API, which has all features of templates. */
const major = 5
/** Fields of a render that produce something other than one document of the template. */
const refused = ['template', 'dataUrl', 'batchSplitBy', 'batchOutput', 'batchReportName', 'batchOnError']

/**
 * Parses a JSON array of cases. `data` is not parsed, as in the body of a render. Throws 'api.checks.invalid', which names a
 * case by its position, and 'api.json.*'.
 */
export async function readCases(bytes: Uint8Array): Promise<readonly CheckCase[]> {
  if (bytes.length > checkLimits.bytes) throw invalid(`the cases have more than ${checkLimits.bytes} bytes`)
  const tooMany = () => invalid(`there are more than ${checkLimits.cases} cases`)
  const items = await splitJsonArray(bytes, { maxItems: checkLimits.cases, tooMany })
  const cases: CheckCase[] = []
  for (const [index, { start, end }] of items.entries())
    cases.push(await readCase(bytes.subarray(start, end), `case ${index + 1}`))
  const names = new Set(cases.map(({ name }) => name))
  if (names.size < cases.length) throw invalid('two cases have the same name')
  return cases
}

const caseFields = new Set(['name', 'request', 'expect'])

async function readCase(bytes: Uint8Array, label: string): Promise<CheckCase> {
  if (bytes[0] !== openBrace) throw invalid(`${label} must be an object`)
  const body = await splitBody(bytes, { large: new Set(['request', 'expect']) })
  for (const field of body.members.keys())
    if (!caseFields.has(field)) throw invalid(`${label} has a field other than name, request and expect`)
  const name = memberValue(body, 'name')
  const expect = memberValue(body, 'expect') ?? {}
  const issue = firstIssue({ name: caseName }, { name })
  if (issue !== undefined || name === undefined)
    throw invalid(`${label}: "name" ${caseName['x-rule' as never]}`)
  return {
    name: String(name),
    request: await requestOf(body, label),
    expect: expectationOf(expect, label),
  }
}

const openBrace = 123

function memberValue({ bytes, members }: SplitBody, name: string): unknown {
  const member = members.get(name)
  return member === undefined ? undefined : (parseJson(bytes.subarray(member.start, member.end)) ?? undefined)
}

async function requestOf({ bytes, members }: SplitBody, label: string): Promise<RenderRequest> {
  const { start, end }: JsonMember = members.get('request') ?? { start: 0, end: 0 }
  const text = bytes.subarray(start, end)
  if (end > start && text[0] !== openBrace) throw invalid(`${label}: "request" must be an object`)
  const body = await splitBody(text, renderMembers)
  const other = refused.find((field) => body.members.has(field))
  if (other !== undefined) throw invalid(`${label}: "request" cannot have "${other}"`)
  try {
    return readRenderRequest(body, major)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'api.body.invalid') throw error
    throw invalid(`${label}: in "request", ${error.details['issue']}`)
  }
}

function expectationOf(value: unknown, label: string): Expectation {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(`${label}: "expect" must be an object`)
  const fields = value as Readonly<Record<string, unknown>>
  if (Object.keys(fields).some((field) => !Object.hasOwn(expectation, field)))
    throw invalid(`${label}: "expect" has a field other than ${Object.keys(expectation).join(', ')}`)
  const issue = firstIssue(expectation, fields)
  if (issue !== undefined) throw invalid(`${label}: ${issue.issue}`)
  return fields as Expectation
}

const invalid = (issue: string) => new AppError('api.checks.invalid', { issue })

import { Type } from 'typebox'
import { concatBytes } from '../../bytes.ts'
import { AppError } from '../../errors/app-error.ts'
import { fromBytes } from '../../plugin/byte-source.ts'
import { type CheckCase, readCases } from '../../render/checks/read-checks.ts'
import { casesNamed, casesOf, runChecks } from '../../render/checks/run-checks.ts'
import { otherMembers, type SplitBody, splitBody } from '../../render/prepare/body.ts'
import { readTemplate } from '../../render/prepare/template.ts'
import { firstIssue } from '../../schemas/check.ts'
import { caseName, checkCases, checkLimits, checkReport } from '../../schemas/checks.ts'
import { creditHeaders } from '../../services/accounts.ts'
import type { Services } from '../../services/services.ts'
import { openChecks, replaceChecks } from '../../services/template-checks.ts'
import { type RenderTemplate, resolveVersionOf, rowTemplate } from '../../services/templates.ts'
import { type Call, file, hasJsonBody, json, type Reply, readBody } from '../call.ts'
import { readQuery } from '../query.ts'
import type { Input, Route } from '../route.ts'

const success = Type.Literal(true)
const params = { id: 'Template ID: its deployed version, or that of `versionId`. Version ID: that version.' }
const query = {
  versionId: Type.String({
    pattern: '^[0-9A-Fa-f]{64}$',
    'x-rule': 'must be a Version ID: 64 hexadecimal digits',
    description: 'A version of this template. Default: the deployed version.',
  }),
}
const storedCases = Type.Object({ versionId: Type.String(), cases: checkCases })
const bodyErrors = [
  'api.content-type',
  'api.json.invalid',
  'api.json.too-deep',
  'api.json.too-large',
  'api.json.members',
  'api.field.too-large',
  'api.field.memory',
  'api.checks.invalid',
] as const

function versionOf(services: Services, { params, account }: Input, call: Call) {
  const { versionId } = readQuery(call.query, query) as { readonly versionId?: string }
  return resolveVersionOf(services, account, params['id'] ?? '', versionId)
}

export const getChecks: Route = {
  method: 'GET',
  path: '/template/:id/checks',
  operation: 'getChecks',
  summary: 'The cases that a version of a template is checked with.',
  scope: 'account',
  needsDatabase: true,
  params,
  query,
  answers: [
    {
      status: 200,
      description: 'The stored cases, or an empty list.',
      schema: Type.Object({ success, data: storedCases }),
    },
  ],
  errors: ['api.id.invalid', 'api.query', 'api.template.not-found', 'storage.unavailable'],
  async run(services, input, call) {
    const row = await versionOf(services, input, call)
    const cases = (await openChecks(services, row)) ?? encoder.encode('[]')
    const head = encoder.encode(`{"success":true,"data":{"versionId":"${row.versionId}","cases":`)
    const parts = [head, cases, encoder.encode('}}')]
    const size = parts.reduce((sum, { length }) => sum + length, 0)
    return file(fromBytes(concatBytes(parts, size)), {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    })
  },
}

const encoder = new TextEncoder()

export const putChecks: Route = {
  method: 'PUT',
  path: '/template/:id/checks',
  operation: 'putChecks',
  summary: 'Replaces the cases of a version. The next version that is stored inherits them.',
  scope: 'account',
  needsDatabase: true,
  params,
  query,
  body: { types: ['application/json'], schema: Type.Object({ cases: checkCases }) },
  answers: [
    {
      status: 200,
      description: 'The cases were stored.',
      schema: Type.Object({
        success,
        data: Type.Object({
          versionId: Type.String(),
          cases: Type.Integer({ description: 'Number of stored cases.' }),
        }),
      }),
    },
  ],
  errors: [...bodyErrors, 'api.id.invalid', 'api.query', 'api.template.not-found'],
  async run(services, input, call) {
    const row = await versionOf(services, input, call)
    if (!hasJsonBody(call)) throw new AppError('api.content-type')
    const body = await readCheckBody(services, call, ['cases'])
    const bytes = memberOf(body, 'cases')
    if (bytes === undefined) throw new AppError('api.checks.invalid', { issue: '"cases" is required' })
    const cases = await readCases(bytes)
    await replaceChecks(services, row, cases.length === 0 ? undefined : bytes)
    return json(200, { success: true, data: { versionId: row.versionId, cases: cases.length } })
  },
}

const runFields = {
  names: Type.Array(caseName, {
    minItems: 1,
    maxItems: checkLimits.cases,
    'x-rule': `must be at most ${checkLimits.cases} names of cases`,
    description: 'Names of the cases to run, in this order. Default: all.',
  }),
  pictures: Type.Boolean({
    'x-rule': 'must be a boolean',
    description:
      'The response contains the pages as they look now, which can be stored as the expected pictures.',
  }),
}
const runBody = {
  cases: Type.Optional(checkCases),
  names: Type.Optional(runFields.names),
  pictures: Type.Optional(runFields.pictures),
}
const runAnswers = [
  {
    status: 200,
    description: 'The result of each case. `passed` is true when all of them pass.',
    schema: Type.Object({ success, data: checkReport }),
    headers: {
      'service-credits-limit': 'Credits of a month, when the service counts them.',
      'service-credits-remaining': 'Remaining credits of this month.',
      'service-credits-reset': 'Time at which the next month of credits begins, in UTC seconds.',
    },
  },
] as const
const runErrors = [
  ...bodyErrors,
  'api.checks.name',
  'api.credits',
  'api.test-token',
  'api.render.failed',
] as const

export const runStoredChecks: Route = {
  method: 'POST',
  path: '/template/:id/check',
  operation: 'checkTemplate',
  summary:
    'Renders the cases of a version, or those in the body, and reports where the documents differ from what the cases expect.',
  scope: 'account',
  limited: true,
  internalError: 'api.render.error',
  params,
  query,
  body: { types: ['application/json'], schema: Type.Object(runBody) },
  answers: runAnswers,
  errors: [...runErrors, 'api.id.invalid', 'api.query', 'api.template.not-found', 'api.template.unreadable'],
  async run(services, input, call) {
    const row = await versionOf(services, input, call)
    const body = await readCheckBody(services, call, ['cases'])
    const sent = memberOf(body, 'cases')
    const cases = sent === undefined ? await casesOf(services, row) : await readCases(sent)
    services.uses?.note(row)
    return reportOf(services, input, call, { template: rowTemplate(services, row), cases, body })
  },
}

export const runChecksInline: Route = {
  method: 'POST',
  path: '/template/check',
  operation: 'checkInlineTemplate',
  summary:
    'Runs cases like `POST /template/{id}/check`, with the template and the cases in the body. Nothing is stored.',
  scope: 'account',
  limited: true,
  internalError: 'api.render.error',
  body: {
    types: ['application/json'],
    schema: Type.Object({ template: Type.String({ description: 'The file as base64.' }), ...runBody }),
  },
  answers: runAnswers,
  errors: [
    ...runErrors,
    'api.upload.empty',
    'api.template.format',
    'api.template.encrypted',
    'api.template.too-large',
  ],
  async run(services, input, call) {
    if (!hasJsonBody(call)) throw new AppError('api.content-type')
    const body = await readCheckBody(services, call, ['cases', 'template'])
    const template = await readTemplate(services, input.account, 'inline', body)
    const sent = memberOf(body, 'cases')
    const cases = sent === undefined ? [] : await readCases(sent)
    return reportOf(services, input, call, { template, cases, body })
  },
}

interface CheckRun {
  readonly template: RenderTemplate
  readonly cases: readonly CheckCase[]
  readonly body: SplitBody
}

async function reportOf(
  services: Services,
  { account, caller }: Input,
  call: Call,
  { template, cases, body }: CheckRun,
): Promise<Reply> {
  if (services.lifecycle.stopping) throw new AppError('api.stopping')
  const fields = otherMembers(body, ['cases', 'template']) as {
    names?: readonly string[]
    pictures?: boolean
  }
  const issue = firstIssue(runFields, fields)
  if (issue !== undefined) throw new AppError('api.checks.invalid', { issue: issue.issue })
  const test = caller?.kind === 'test'
  const { passed, cases: reports } = await runChecks(services, template, casesNamed(cases, fields.names), {
    account,
    test,
    // Pictures have no watermark.
    withPictures: fields.pictures === true && !test,
    signal: call.signal,
  })
  const counted = services.settings.hosted === true && !test
  const headers = counted ? await creditHeaders(services, account) : {}
  const caseReports = reports.map(({ rendered: _, ...report }) => report)
  return json(200, { success: true, data: { passed, cases: caseReports } }, headers)
}

/** The body, split into its members. An absent one has none. Throws 'api.content-type' and the errors of JSON. */
async function readCheckBody(services: Services, call: Call, large: readonly string[]): Promise<SplitBody> {
  const limit = { bytes: services.settings.maxDataBytes, tooLarge: 'api.json.too-large' } as const
  const bytes = await readBody(call, limit)
  if (bytes.length > 0 && !hasJsonBody(call)) throw new AppError('api.content-type')
  return splitBody(bytes, { large: new Set(large), maxParsedBytes: services.settings.maxParsedBytes })
}

/** The JSON of a member. Undefined where it is absent or null. Throws 'api.checks.invalid' unless it is a list. */
function memberOf({ bytes, members }: SplitBody, name: string): Uint8Array | undefined {
  const member = members.get(name)
  if (member === undefined || bytes[member.start] === startOfNull) return undefined
  if (bytes[member.start] !== startOfArray)
    throw new AppError('api.checks.invalid', { issue: `"${name}" must be an array` })
  return bytes.subarray(member.start, member.end)
}

// The first byte of a JSON value determines its type.
const startOfArray = 0x5b // [
const startOfNull = 0x6e // n

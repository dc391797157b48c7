import { Type } from 'typebox'
import { setEntry } from '../../entry-of.ts'
import { AppError } from '../../errors/app-error.ts'
import { maxFieldBytes } from '../../json/split.ts'
import { isVersionId, parseTemplateRef, type TemplateRow } from '../../records/templates.ts'
import { deployRule } from '../../render/checks/run-checks.ts'
import { otherMembers, splitBody } from '../../render/prepare/body.ts'
import { firstIssue } from '../../schemas/check.ts'
import { looseFlag } from '../../schemas/loose-flag.ts'
import { listQuery, patchBody, templateItem } from '../../schemas/metadata.ts'
import { testTemplateSeconds } from '../../services/accounts.ts'
import { type Services, seconds } from '../../services/services.ts'
import {
  categories,
  deleteTemplate,
  type ListQuery,
  openSample,
  openTemplateFile,
  pageOfTemplates,
  patchTemplate,
  resolveTemplate,
  type TemplatePatch,
  tags,
} from '../../services/templates.ts'
import {
  type Call,
  contentDisposition,
  file,
  hasJsonBody,
  json,
  nothing,
  type Reply,
  readBody,
} from '../call.ts'
import { matchesEtag, taggedJson } from '../etag.ts'
import { readPatchFields } from '../metadata.ts'
import type { Route } from '../route.ts'

const success = Type.Literal(true)
const sampleSuffix = '_sample.json'
const ids = { id: 'Template ID: its deployed version. Version ID: that version.' }
const ifNoneMatch = {
  'if-none-match': 'ETag of an earlier response. The response is 304 while nothing has changed.',
}
const entityTagHeaders = {
  etag: 'Entity tag for the header if-none-match of a later request.',
  'cache-control': 'private, no-cache',
}
const notModified = {
  status: 304,
  description: 'Not modified since the ETag of the request.',
  headers: entityTagHeaders,
}

export const getTemplate: Route = {
  method: 'GET',
  path: '/template/:id',
  operation: 'getTemplate',
  summary: 'The file of a template. With "_sample.json" after the ID, its sample data.',
  scope: 'account',
  params: ids,
  headers: ifNoneMatch,
  answers: [
    {
      status: 200,
      description: 'The file.',
      types: ['*/*'],
      headers: {
        ...entityTagHeaders,
        'content-disposition': 'attachment, with the name or the ID of the template.',
        'content-length': 'Size of the file in bytes.',
      },
    },
    notModified,
  ],
  errors: ['api.id.invalid', 'api.template.not-found', 'api.sample.not-found'],
  async run(services, { params, account }, call) {
    const id = params['id'] ?? ''
    const isSample = id.endsWith(sampleSuffix)
    const ref = parseTemplateRef(isSample ? id.slice(0, -sampleSuffix.length) : id)
    const row = await resolveTemplate(services, account, ref)
    services.uses?.note(row)
    return isSample ? sampleReply(services, row, call) : fileReply(services, row, call)
  },
}

async function sampleReply(services: Services, row: TemplateRow, call: Call): Promise<Reply> {
  const source = await openSample(services, row)
  const reply = file(source, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  })
  return call.method === 'HEAD' ? { ...reply, body: nothing } : reply
}

async function fileReply(services: Services, row: TemplateRow, call: Call): Promise<Reply> {
  const etag = `"${row.versionId}"`
  const tags = { etag, 'cache-control': 'private, no-cache' }
  if (matchesEtag(call, etag)) return { status: 304, headers: tags, body: nothing }
  const source = await openTemplateFile(services, row)
  const format = services.registry.format(row.format)
  const extension = format?.extensions[0] ?? row.format
  const suffix = `.${extension}`
  const baseName = row.name.toLowerCase().endsWith(suffix) ? row.name.slice(0, -suffix.length) : row.name
  // Without slashes, a client that saves the file under this name cannot leave its folder.
  const name = baseName.replace(/[/\\]/g, '_') || (row.templateId ?? row.versionId)
  const reply = file(source, {
    'content-type': format?.mime[0] ?? 'application/octet-stream',
    'content-disposition': contentDisposition('attachment', name, extension),
    ...tags,
  })
  return call.method === 'HEAD' ? { ...reply, body: nothing } : reply
}

export const removeTemplate: Route = {
  method: 'DELETE',
  path: '/template/:id',
  operation: 'deleteTemplate',
  summary: 'Deletes a version, or all versions of a Template ID.',
  scope: 'account',
  params: ids,
  answers: [
    {
      status: 200,
      description: 'The template was deleted.',
      schema: Type.Object({ success, message: Type.String() }),
    },
  ],
  errors: ['api.id.invalid', 'api.template.not-found'],
  async run(services, { params, account }) {
    await deleteTemplate(services, account, parseTemplateRef(params['id'] ?? ''))
    return json(200, { success: true, message: 'Template deleted' })
  },
}

export const changeTemplate: Route = {
  method: 'PATCH',
  path: '/template/:id',
  operation: 'patchTemplate',
  summary: 'Changes the metadata of a version, or moves it to another Template ID.',
  scope: 'account',
  needsDatabase: true,
  params: ids,
  body: { types: ['application/json'], schema: patchBody },
  errors: [
    'api.content-type',
    'api.id.invalid',
    'api.json.invalid',
    'api.json.too-large',
    'api.metadata',
    'api.metadata.not-allowed',
    'api.metadata.empty',
    'api.metadata.deployed',
    'api.metadata.conflict',
    'api.checks.failed',
    'api.template.not-found',
  ],
  answers: [
    {
      status: 200,
      description: 'The Version ID and the changed fields.',
      schema: Type.Object({
        success,
        data: Type.Object({ versionId: Type.String(), ...patchBody.properties }),
      }),
    },
  ],
  async run(services, { params, account, caller }, call) {
    const ref = parseTemplateRef(params['id'] ?? '')
    if (!hasJsonBody(call)) throw new AppError('api.content-type')
    const bytes = Math.min(services.settings.maxDataBytes, maxFieldBytes)
    const sent = await readBody(call, { bytes, tooLarge: 'api.json.too-large' })
    const patch = readPatchFields(otherMembers(await splitBody(sent, { large: new Set() }), []))
    const permitted = caller?.kind === 'test' ? withinTestLife(services, patch) : patch
    const rule = deployRule(services, { test: caller?.kind === 'test', signal: call.signal })
    const stored = await patchTemplate(services, account, ref, permitted, rule)
    return json(200, { success: true, data: { ...permitted, ...stored } })
  },
}

/** Limits the lifetime of a template that was changed with a test token. */
function withinTestLife(services: Services, patch: TemplatePatch): TemplatePatch {
  if (patch.expireAt === undefined) return patch
  const latest = seconds(services) + testTemplateSeconds
  return { ...patch, expireAt: patch.expireAt === 0 ? latest : Math.min(patch.expireAt, latest) }
}

export const templates: Route = {
  method: 'GET',
  path: '/templates',
  operation: 'listTemplates',
  summary: 'Deployed templates, newest deployment first.',
  scope: 'account',
  needsDatabase: true,
  query: listQuery,
  headers: ifNoneMatch,
  answers: [
    {
      status: 200,
      description: 'One page of the list.',
      schema: Type.Object({
        success,
        data: Type.Array(templateItem),
        hasMore: Type.Boolean(),
        nextCursor: Type.String({ description: 'Empty on the last page.' }),
      }),
      headers: entityTagHeaders,
    },
    notModified,
  ],
  errors: ['api.filters'],
  async run(services, { account }, call) {
    const page = await pageOfTemplates(services, account, readListQuery(call.query))
    const data = page.rows.map(readItem)
    const { hasMore, nextCursor } = page
    return taggedJson(call, { success: true, data, hasMore, nextCursor })
  },
}

function readItem(row: TemplateRow) {
  const { versionId, deployedAt, createdAt, expireAt, size, name, category, comment, origin } = row
  return {
    id: row.templateId,
    versionId,
    deployedAt,
    createdAt,
    expireAt,
    size,
    type: row.format,
    name,
    category,
    comment,
    tags: row.tags,
    origin,
  }
}

/** Reads the filters of a list. Empty parameters count as absent. Throws 'api.filters'. */
function readListQuery(query: URLSearchParams): ListQuery {
  const filters: Record<string, unknown> = {}
  for (const name of Object.keys(listQuery)) {
    const text = query.get(name)?.toWellFormed().replaceAll('\0', '')
    const value = name === 'search' ? text?.trim() : text
    if (value === undefined || (value === '' && name !== 'includeVersions')) continue
    setEntry(filters, name, readParameter(name, value))
  }
  const issue = firstIssue(listQuery, filters)
  if (typeof filters['limit'] === 'number' && Number.isInteger(filters['limit'])) checkLimit(filters['limit'])
  if (issue !== undefined) throw new AppError('api.filters', { issue: issue.issue })
  const { id, versionId, ...otherFilters } = filters as Partial<ListQuery> & { id?: string }
  return {
    limit: 100,
    includeVersions: false,
    ...otherFilters,
    ...(id === undefined ? {} : { templateId: id }),
    ...(versionId === undefined
      ? {}
      : { versionId: isVersionId(versionId) ? versionId.toLowerCase() : versionId }),
  }
}

function readParameter(name: string, value: string): unknown {
  if (name === 'limit' || name === 'origin') return /^-?\d{1,15}$/.test(value) ? Number(value) : value
  if (name !== 'includeVersions') return value
  return value === '' || looseFlag(value)
}

function checkLimit(limit: number): void {
  if (limit > 100) throw new AppError('api.filters', { issue: '"limit" must be less than or equal to 100' })
  if (limit < 1) throw new AppError('api.filters', { issue: '"limit" must be greater than or equal to 1' })
}

const names = Type.Object({ success, data: Type.Array(Type.Object({ name: Type.String() })) })
const completeList = {
  headers: ifNoneMatch,
  answers: [
    { status: 200, description: 'The complete list.', schema: names, headers: entityTagHeaders },
    notModified,
  ],
}

export const templateCategories: Route = {
  method: 'GET',
  path: '/templates/categories',
  operation: 'listCategories',
  summary: 'Categories of deployed templates, by name.',
  scope: 'account',
  needsDatabase: true,
  ...completeList,
  run: async (services, { account }, call) => namesReply(call, await categories(services, account)),
}

export const templateTags: Route = {
  method: 'GET',
  path: '/templates/tags',
  operation: 'listTags',
  summary: 'Tags of deployed templates, by name.',
  scope: 'account',
  needsDatabase: true,
  ...completeList,
  run: async (services, { account }, call) => namesReply(call, await tags(services, account)),
}

function namesReply(call: Call, names: readonly string[]): Promise<Reply> {
  return taggedJson(call, { success: true, data: names.map((name) => ({ name })) })
}

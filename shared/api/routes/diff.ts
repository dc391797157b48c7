import { Type } from 'typebox'
import { AppError } from '../../errors/app-error.ts'
import type { TemplateRow } from '../../records/templates.ts'
import { compareTemplates } from '../../render/compare.ts'
import { resolveVersionOf, rowTemplate } from '../../services/templates.ts'
import { json, nothing } from '../call.ts'
import { matchesEtag } from '../etag.ts'
import { readQuery } from '../query.ts'
import type { Route } from '../route.ts'

const versionId = (description: string) =>
  Type.String({
    pattern: '^[0-9A-Fa-f]{64}$',
    'x-rule': 'must be a Version ID: 64 hexadecimal digits',
    description,
  })
const diffQuery = {
  from: versionId('The older version. Required.'),
  to: versionId('The newer version. Default: the deployed one, or the one that is named in the path.'),
}

const version = Type.Object({
  versionId: Type.String(),
  createdAt: Type.Integer({ description: 'UTC seconds.' }),
  deployedAt: Type.Integer({ description: 'UTC seconds. 0: not deployed.' }),
  type: Type.String(),
})
const fraction = Type.Number({ minimum: 0, maximum: 1 })
const area = Type.Object({ left: fraction, top: fraction, width: fraction, height: fraction })
const tags = Type.Array(Type.String())

const comparison = Type.Object({
  from: version,
  to: version,
  same: Type.Boolean({ description: 'The files are the same, byte by byte.' }),
  tags: Type.Object({
    added: tags,
    removed: tags,
    changed: Type.Array(Type.Object({ from: Type.String(), to: Type.String() }), {
      description: 'Tags of the same field with other formatters.',
    }),
  }),
  text: Type.Optional(
    Type.Array(Type.Object({ kind: Type.Enum(['same', 'added', 'removed']), text: Type.String() }), {
      description: 'By words. "same" and "removed" joined are the older text, "same" and "added" the newer.',
    }),
  ),
  textCut: Type.Boolean({ description: 'The text is longer than what is compared.' }),
  pages: Type.Optional(
    Type.Object({
      from: Type.Integer({ description: 'Number of pages.' }),
      to: Type.Integer({ description: 'Number of pages.' }),
      compared: Type.Integer({ description: 'How many pages are compared at most.' }),
      changed: Type.Array(
        Type.Object({
          page: Type.Integer({ minimum: 1 }),
          areas: Type.Array(area, {
            description:
              'Changed places, in fractions of the page. None: the page changed as a whole, or is new or gone.',
          }),
        }),
      ),
    }),
  ),
})

export const diffRoute: Route = {
  method: 'GET',
  path: '/template/:id/diff',
  operation: 'diffTemplate',
  summary: 'What differs between two versions of a template: tags, text and pages.',
  scope: 'account',
  needsDatabase: true,
  limited: true,
  internalError: 'api.render.error',
  params: { id: 'Template ID, or Version ID of any of its versions.' },
  query: diffQuery,
  headers: { 'if-none-match': 'An ETag of an earlier answer: 304 where that still holds.' },
  answers: [
    {
      status: 200,
      description: 'The differences.',
      schema: Type.Object({ success: Type.Literal(true), data: comparison }),
      headers: { etag: 'For if-none-match.', 'cache-control': 'private, no-cache' },
    },
    {
      status: 304,
      description: 'Not changed since the ETag that the caller has.',
      headers: { etag: 'For if-none-match.', 'cache-control': 'private, no-cache' },
    },
  ],
  errors: [
    'api.id.invalid',
    'api.query',
    'api.template.format',
    'api.template.not-found',
    'api.template.unreadable',
    'api.render.failed',
    'convert.busy',
    'convert.waited',
    'origin.down',
  ],
  async run(services, { params, account }, call) {
    const query = readQuery(call.query, diffQuery) as { readonly from?: string; readonly to?: string }
    if (query.from === undefined) throw new AppError('api.query', { issue: '"from" is required' })
    const id = params['id'] ?? ''
    const [from, to] = await Promise.all([
      resolveVersionOf(services, account, id, query.from),
      resolveVersionOf(services, account, id, query.to),
    ])
    const etag = `W/"${from.versionId.slice(0, 32)}-${to.versionId.slice(0, 32)}-${from.deployedAt}-${to.deployedAt}-${services.settings.version}"`
    const headers = { etag, 'cache-control': 'private, no-cache' }
    if (matchesEtag(call, etag)) return { status: 304, headers, body: nothing }
    if (services.lifecycle.stopping) throw new AppError('api.stopping')
    const templates = [rowTemplate(services, from), rowTemplate(services, to)] as const
    const comparison = await compareTemplates(services, templates, call.signal)
    return json(200, { success: true, data: { from: about(from), to: about(to), ...comparison } }, headers)
  },
}

function about({ versionId: id, createdAt, deployedAt, format }: TemplateRow) {
  return { versionId: id, createdAt, deployedAt, type: format }
}

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
  createdAt: Type.Integer({ description: 'Time of the upload in UTC seconds.' }),
  deployedAt: Type.Integer({ description: 'Time of the deployment in UTC seconds. 0: not deployed.' }),
  type: Type.String(),
})
const fraction = Type.Number({ minimum: 0, maximum: 1 })
const area = Type.Object({ left: fraction, top: fraction, width: fraction, height: fraction })
const tags = Type.Array(Type.String())

const comparison = Type.Object({
  from: version,
  to: version,
  same: Type.Boolean({ description: 'Whether both files have the same bytes.' }),
  tags: Type.Object({
    added: tags,
    removed: tags,
    changed: Type.Array(Type.Object({ from: Type.String(), to: Type.String() }), {
      description: 'Tags that read the same field with different formatters.',
    }),
  }),
  text: Type.Optional(
    Type.Array(Type.Object({ kind: Type.Enum(['same', 'added', 'removed']), text: Type.String() }), {
      description:
        'The comparison by words. All "same" and "removed" items form the older text, all "same" and "added" items the newer text.',
    }),
  ),
  textCut: Type.Boolean({
    description: 'Whether only the beginning was compared, because the text is too long.',
  }),
  pages: Type.Optional(
    Type.Object({
      from: Type.Integer({ description: 'Number of pages of the older version.' }),
      to: Type.Integer({ description: 'Number of pages of the newer version.' }),
      compared: Type.Integer({ description: 'Maximum number of pages that are compared.' }),
      changed: Type.Array(
        Type.Object({
          page: Type.Integer({ minimum: 1 }),
          areas: Type.Array(area, {
            description:
              'The areas that changed, as fractions of the page. An empty list: the whole page changed, was added or was removed.',
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
  params: { id: 'Template ID, or the Version ID of one of its versions.' },
  query: diffQuery,
  headers: { 'if-none-match': 'ETag of an earlier response. The response is 304 while nothing has changed.' },
  answers: [
    {
      status: 200,
      description: 'The differences between the versions.',
      schema: Type.Object({ success: Type.Literal(true), data: comparison }),
      headers: {
        etag: 'Entity tag for the header if-none-match of a later request.',
        'cache-control': 'private, no-cache',
      },
    },
    {
      status: 304,
      description: 'Not modified since the ETag of the request.',
      headers: {
        etag: 'Entity tag for the header if-none-match of a later request.',
        'cache-control': 'private, no-cache',
      },
    },
  ],
  errors: [
    'api.id.invalid',
    'api.query',
    'api.template.format',
    'api.template.encrypted',
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
    return json(
      200,
      { success: true, data: { from: versionFields(from), to: versionFields(to), ...comparison } },
      headers,
    )
  },
}

function versionFields({ versionId: id, createdAt, deployedAt, format }: TemplateRow) {
  return { versionId: id, createdAt, deployedAt, type: format }
}

import { Type } from 'typebox'
import { AppError } from '../../errors/app-error.ts'
import { type PreviewChoice, previewName, previewTemplate } from '../../render/preview.ts'
import { resolveVersionOf } from '../../services/templates.ts'
import { file, nothing } from '../call.ts'
import { matchesEtag } from '../etag.ts'
import { readQuery } from '../query.ts'
import type { Route } from '../route.ts'

const maxPage = 10_000
const [minWidth, defaultWidth, maxWidth] = [16, 800, 2000]

const previewQuery = {
  format: Type.Enum(['png', 'svg'], {
    default: 'png',
    'x-rule': 'must be "png" or "svg"',
    description: 'Format of the picture.',
  }),
  page: Type.Integer({
    minimum: 1,
    maximum: maxPage,
    default: 1,
    'x-rule': `must be an integer between 1 and ${maxPage}`,
    description: 'Number of the page, slide or printed page of a sheet, from 1.',
  }),
  width: Type.Integer({
    minimum: minWidth,
    maximum: maxWidth,
    default: defaultWidth,
    'x-rule': `must be an integer between ${minWidth} and ${maxWidth}`,
    description: 'Width of a PNG in pixels. The height follows from the page.',
  }),
  versionId: Type.String({
    pattern: '^[0-9A-Fa-f]{64}$',
    'x-rule': 'must be a Version ID: 64 hexadecimal digits',
    description: 'A version of this template. Default: the deployed version.',
  }),
  data: Type.Enum(['none', 'sample'], {
    default: 'none',
    'x-rule': 'must be "none" or "sample"',
    description: 'sample: the template is filled with its sample data. none: its tags are shown.',
  }),
}

export const previewRoute: Route = {
  method: 'GET',
  path: '/template/:id/preview',
  operation: 'previewTemplate',
  summary: 'A page of a template as a picture. Pictures are cached for a day.',
  scope: 'account',
  limited: true,
  internalError: 'api.render.error',
  params: {
    id: 'A Template ID shows its deployed version or that of `versionId`, a Version ID this version.',
  },
  query: previewQuery,
  headers: { 'if-none-match': 'ETag of an earlier response. The response is 304 while nothing has changed.' },
  answers: [
    {
      status: 200,
      description: 'The picture.',
      types: ['image/png', 'image/svg+xml'],
      headers: {
        etag: 'Entity tag for the header if-none-match of a later request.',
        'cache-control': 'private, no-cache',
        'content-length': 'Size of the picture in bytes.',
        'content-security-policy': 'sandbox, for SVG.',
        'service-pages': 'Number of pages of the document, if the engine reports it.',
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
    'api.render.failed',
    'convert.busy',
    'convert.waited',
    'origin.down',
    'api.id.invalid',
    'api.query',
    'api.preview.page',
    'api.preview.format',
    'api.test-token',
    'api.sample.not-found',
    'api.template.not-found',
    'api.template.unreadable',
  ],
  async run(services, { params, account, caller }, call) {
    const query = readQuery(call.query, previewQuery) as Partial<Query>
    const row = await resolveVersionOf(services, account, params['id'] ?? '', query.versionId)
    const { format = 'png', page = 1, width = defaultWidth, data = 'none' } = query
    const test = caller?.kind === 'test'
    const choice: PreviewChoice = { format, page, width, filled: data === 'sample', test }
    const etag = `"${previewName(services, row, choice)}"`
    const tags = { etag, 'cache-control': 'private, no-cache' }
    if (matchesEtag(call, etag)) return { status: 304, headers: tags, body: nothing }
    if (services.lifecycle.stopping) throw new AppError('api.stopping')
    const { source, pageCount } = await previewTemplate(services, row, choice, call.signal)
    const reply = file(source, {
      'content-type': format === 'png' ? 'image/png' : 'image/svg+xml',
      ...(format === 'svg' && { 'content-security-policy': 'sandbox' }),
      ...(pageCount !== undefined && { 'service-pages': String(pageCount) }),
      ...tags,
    })
    return call.method === 'HEAD' ? { ...reply, body: nothing } : reply
  },
}

interface Query {
  readonly format: 'png' | 'svg'
  readonly page: number
  readonly width: number
  readonly versionId: string
  readonly data: 'none' | 'sample'
}

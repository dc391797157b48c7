import { Type } from 'typebox'
import { AppError } from '../../errors/app-error.ts'
import { charge, creditHeaders, creditsFor, refund } from '../../services/accounts.ts'
import { checkBatch, documentSizes } from '../../services/batch.ts'
import { queueRender } from '../../services/jobs.ts'
import { type Rendered, type RenderRequest, render, storedTemplate } from '../../services/render.ts'
import { type Fetched, lookAtResult, type Result, storeResult, takeResult } from '../../services/results.ts'
import type { Services } from '../../services/services.ts'
import { forTestToken } from '../../services/test-tokens.ts'
import { readWebhook } from '../../webhook/target.ts'
import { readBody } from '../body.ts'
import { type Call, file, json, nothing, type Reply } from '../call.ts'
import { contentDisposition } from '../disposition.ts'
import { parseRenderId, parseTemplateRef } from '../ids.ts'
import { parseMediaType } from '../multipart/head.ts'
import { queryFlag } from '../query.ts'
import { readRenderRequest, splitBody } from '../render-body.ts'
import { readTemplate } from '../render-template.ts'
import type { Input, Route } from '../route.ts'
import { renderBody } from '../schemas/render.ts'

const renderAnswer = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({ renderId: Type.String() }),
})

export const startRender: Route = {
  method: 'POST',
  path: '/render/:id',
  operation: 'render',
  summary: 'Fills a stored template, or with the id "template" one sent along, and converts it.',
  scope: 'account',
  limited: true,
  storageError: 'api.template.unreadable',
  query: { download: Type.Boolean({ default: false, description: 'Answer with the file itself.' }) },
  headers: {
    'service-webhook-url': 'Makes the render asynchronous: its end is POSTed to this address.',
    'service-egress-header-authorization':
      'Goes as authorization with every call that the render makes; below 512 characters.',
    'service-content-disposition': 'rfc6266: the long form of the file name as well.',
  },
  body: { types: ['application/json'], schema: renderBody },
  answers: [{ status: 200, description: 'Render id, or the file when download=true.', schema: renderAnswer }],
  async run(services, input, call) {
    if (services.stopping()) throw new AppError('api.stopping')
    // The id is judged before the body: clients that send a hash first upload only when it is answered with 404.
    const ref = input.params['id'] === 'template' ? undefined : parseTemplateRef(input.params['id'] ?? '')
    const known = ref === undefined ? undefined : await storedTemplate(services, input.account, ref)
    if (parseMediaType(call.headers.get('content-type') ?? '')?.type !== 'application/json')
      throw new AppError('api.content-type')
    const limit = { bytes: services.settings.maxDataBytes, tooLarge: 'api.json.too-large' } as const
    const body = splitBody(await readBody(call, limit))
    checkEgress(call)
    const webhook = readWebhook(call.headers)
    if (webhook !== undefined && services.settings.hosted && services.outbound.refuses(webhook.url))
      throw new AppError('api.render.webhook')
    const template = known ?? (await readTemplate(services, input.account, 'inline', body))
    const egress = call.headers.get('service-egress-header-authorization') ?? undefined
    const test = input.caller?.kind === 'test'
    const asked = readRenderRequest(body, input.major)
    const request: RenderRequest = {
      ...(test ? forTestToken(services, asked, template.format.id) : asked),
      ...(egress === undefined ? {} : { egressAuthorization: egress }),
    }
    const { batch, convertTo } = request
    if ((batch ?? request).data === undefined && input.major < 5) throw new AppError('api.render.no-data')
    if (batch !== undefined) checkBatch(services, batch, convertTo, webhook === undefined)
    const { account, major } = input
    const counted = services.settings.hosted && !test
    const charged = counted
      ? await charge(services, account, creditsFor(documentSizes(services, request)))
      : undefined
    try {
      if (webhook !== undefined) {
        const job = { account, major, template: ref ?? 'inline', webhook, test, charged } as const
        const id = await queueRender(services, { ...job, body: body.bytes })
        const told = { success: true, message: acceptedMessage, data: { renderId: '' } }
        const left = counted ? await creditHeaders(services, account) : {}
        return json(200, told, { 'service-job-id': id, ...left })
      }
      const rendered = await render(services, template, request, call.signal)
      const left = counted ? await creditHeaders(services, account) : {}
      return await answer(services, rendered, input, call, left)
    } catch (error) {
      await refund(services, charged)
      throw error
    }
  },
}

const acceptedMessage = 'A render ID will be sent to your callback URL when the document is generated'

function checkEgress(call: Call): void {
  if ((call.headers.get('service-egress-header-authorization') ?? '').length >= 512)
    throw new AppError('api.header.invalid', {
      issue: '"service-egress-header-authorization" must be shorter than 512 characters',
    })
}

async function answer(
  services: Services,
  rendered: Rendered,
  input: Input,
  call: Call,
  more: Readonly<Record<string, string>>,
): Promise<Reply> {
  const codes = [...new Set(rendered.warnings.map((warning) => warning.code))]
  const warning: Record<string, string> = {
    ...more,
    ...(codes.length === 0 ? {} : { 'service-warning': codes.join(', ') }),
  }
  if (queryFlag(call.query, 'download')) {
    const reply = file(rendered.source, { ...fileHeaders(rendered, 'attachment', call), ...warning })
    const { spool } = rendered
    // What stays behind for any reason is taken by the orphan sweep.
    return spool === undefined
      ? reply
      : { ...reply, finished: () => services.blobs.delete(spool).catch(() => {}) }
  }
  const renderId = await storeResult(services, input.account, rendered)
  const debug = rendered.debug === undefined ? {} : { debug: rendered.debug }
  return json(200, { success: true, data: { renderId, ...debug } }, warning)
}

export const fetchRender: Route = {
  method: 'GET',
  path: '/render/:id',
  operation: 'fetchRender',
  summary: 'The file of a render: once, within an hour.',
  scope: 'open',
  query: { download: Type.Boolean({ default: false, description: 'Disposition attachment, not inline.' }) },
  answers: [{ status: 200, description: 'The file.' }],
  async run(services, input, call) {
    const id = parseRenderId(input.params['id'] ?? '')
    const kind = queryFlag(call.query, 'download') ? 'attachment' : 'inline'
    if (call.method === 'HEAD') {
      const found = await lookAtResult(services, id)
      return { ...file(found.source, fileHeaders(found, kind, call)), body: nothing }
    }
    const taken: Fetched = await takeResult(services, id)
    return { ...file(taken.source, fileHeaders(taken, kind, call)), finished: taken.finished }
  },
}

function fileHeaders(result: Result, kind: 'inline' | 'attachment', call: Call): Record<string, string> {
  const { format, name } = result
  const long = call.headers.get('service-content-disposition') === 'rfc6266'
  const [mime] = format.mime
  return {
    'content-type': mime.startsWith('text/') && !mime.includes('charset') ? `${mime}; charset=utf-8` : mime,
    'content-disposition': contentDisposition(kind, name, format.extensions[0], long),
    'cache-control': 'no-store',
    'accept-ranges': 'none',
    ...(/html|svg|xml$/.test(mime) ? { 'content-security-policy': 'sandbox' } : {}),
  }
}

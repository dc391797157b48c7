import { Type } from 'typebox'
import { AppError } from '../../errors/app-error.ts'
import type { RelayedTerms } from '../../ports/index.ts'
import { render } from '../../render/pipeline.ts'
import { renderRelayed } from '../../render/relay.ts'
import type { Rendered, RenderTemplate } from '../../render/request.ts'
import { storedTemplate } from '../../render/template.ts'
import { charge, creditHeaders, refund, requireCredits } from '../../services/accounts.ts'
import type { RenderJob } from '../../services/job-request.ts'
import { queueRender } from '../../services/jobs.ts'
import {
  type Fetched,
  lookAtResult,
  madeOf,
  type Result,
  storeResult,
  takeResult,
} from '../../services/results.ts'
import type { Services } from '../../services/services.ts'
import { readWebhook, type WebhookTarget } from '../../webhook/target.ts'
import { type HeldBody, holdBody } from '../body.ts'
import { type Call, file, json, nothing, type Reply } from '../call.ts'
import { contentDisposition } from '../disposition.ts'
import { parseRenderId, parseTemplateRef, type TemplateRef } from '../ids.ts'
import { parseMediaType } from '../multipart/head.ts'
import { queryFlag } from '../query.ts'
import { prepareRender } from '../render-request.ts'
import type { Input, Route } from '../route.ts'
import { sampleSchema } from '../schemas/metadata.ts'
import { renderBody } from '../schemas/render.ts'
import { fontsHeader, warningHeader } from '../told-headers.ts'

const renderAnswer = Type.Object({
  success: Type.Literal(true),
  message: Type.Optional(Type.String({ description: 'Of an asynchronous render.' })),
  data: Type.Object({
    renderId: Type.String({ description: 'Empty where the webhook will be told.' }),
    debug: Type.Optional(
      Type.Object(
        {
          markers: Type.Array(Type.String(), { description: 'The tags of the template, in their order.' }),
          sample: Type.Optional(sampleSchema.items),
        },
        { description: 'With isDebugActive: what the template reads, and a sample that fits it.' },
      ),
    ),
    signatures: Type.Optional(
      Type.Array(
        Type.Object({
          page: Type.Integer({ minimum: 1 }),
          x: Type.Number({ description: 'pt from the left edge of the page' }),
          y: Type.Number({ description: 'pt from its upper edge' }),
          width: Type.Number(),
          height: Type.Number(),
          data: Type.Any({ description: 'The value of the tag.' }),
        }),
        { description: 'Where tags with :sign stand in the PDF.' },
      ),
    ),
  }),
})

/** Descriptions of the response headers of a file. */
const fileHeaderTexts = {
  'content-disposition': 'The name of the file, percent-encoded.',
  'content-length': 'Bytes.',
  'accept-ranges': 'none: a range is not looked at.',
  'cache-control': 'no-store',
  'content-security-policy': 'sandbox, where the file could run scripts.',
}

/** Descriptions of the response headers of a render. */
const resultHeaders = {
  'service-converter': 'Engines that made the document, by letter or name.',
  'service-fonts': 'JSON: fonts asked for, used and replaced; for who sends a header of this name.',
  'service-job-id': 'Of an asynchronous render: its id for /jobs.',
  'service-credits-limit': 'Credits a month, where they are counted.',
  'service-credits-remaining': 'Credits left.',
  'service-credits-reset': 'UTC seconds from which the next ones count.',
}

/** The errors in the body of a render, which inspecting a template can have as well. */
export const renderBodyErrors = [
  'api.content-type',
  'api.json.invalid',
  'api.json.invalid.at',
  'api.json.too-deep',
  'api.json.members',
  'api.field.too-large',
  'api.field.memory',
  'api.body.invalid',
  'api.json.too-large',
  'api.template.too-large',
  'api.template.format',
  'api.upload.empty',
] as const

export const startRender: Route = {
  method: 'POST',
  path: '/render/:id',
  operation: 'render',
  summary: 'Fills a stored template, or with the id "template" one sent along, and converts it.',
  scope: 'account',
  limited: true,
  storageError: 'api.template.unreadable',
  internalError: 'api.render.error',
  params: {
    id: 'Template ID: its deployed version. Version ID: that version. "template": the one in the body.',
  },
  query: { download: Type.Boolean({ default: false, description: 'Answer with the file itself.' }) },
  headers: {
    'service-webhook-url': 'Makes the render asynchronous: its end is POSTed to this address.',
    'service-webhook-header-*': 'Goes with that call, under the name that stands behind the last dash here.',
    'service-egress-header-authorization':
      'Goes as authorization with every call that the render makes; below 512 characters.',
    'service-content-disposition': 'rfc6266: the long form of the file name as well.',
    'service-fonts': 'Anything: the answer reports on fonts.',
  },
  body: { types: ['application/json'], schema: renderBody },
  answers: [
    {
      status: 200,
      description: 'Render id, or the file when download=true.',
      schema: renderAnswer,
      types: ['*/*'],
      headers: { ...fileHeaderTexts, ...resultHeaders },
    },
  ],
  errors: [
    ...renderBodyErrors,
    'api.id.invalid',
    'api.header.invalid',
    'api.credits',
    'api.test-token',
    'api.template.not-found',
    'api.render.no-data',
    'api.render.failed',
    'api.render.webhook',
    'convert.busy',
    'origin.down',
  ],
  async run(services, input, call) {
    if (services.stopping()) throw new AppError('api.stopping')
    // The ID is checked before the body is read: some clients try a hash and upload the template only after a 404.
    const ref = input.params['id'] === 'template' ? undefined : parseTemplateRef(input.params['id'] ?? '')
    const known = ref === undefined ? undefined : await storedTemplate(services, input.account, ref)
    if (parseMediaType(call.headers.get('content-type') ?? '')?.type !== 'application/json')
      throw new AppError('api.content-type')
    checkEgress(call)
    const webhook = readWebhook(call.headers, input.major)
    if (webhook !== undefined && services.outbound.refuses(webhook.url)) {
      services.log.warn('webhook.refused', {
        settings: 'SERVICE_EGRESS_ALLOW_PRIVATE, SERVICE_EGRESS_ALLOW_LIST',
      })
      throw new AppError('api.render.webhook')
    }
    const test = input.caller?.kind === 'test'
    const counted = services.settings.hosted === true && !test
    // Accounts without credits are refused before the body is read, which determines the price of the render.
    if (counted) await requireCredits(services, input.account)
    const limit = { bytes: services.settings.maxDataBytes, tooLarge: 'api.json.too-large' } as const
    const { relay, allocate } = services
    const body = await holdBody(call, limit, { mostHeld: relay?.aboveBytes, allocate })
    const egressAuthorization = call.headers.get('service-egress-header-authorization')
    const checked: CheckedRequest = {
      ref,
      known,
      webhook,
      counted,
      terms: {
        major: input.major,
        test,
        waits: webhook === undefined,
        ...(egressAuthorization === undefined ? {} : { egressAuthorization }),
      },
    }
    if (body.kind === 'stream') return renderLarge(services, input, call, checked, body)
    return renderBuffered(services, input, call, checked, body.bytes)
  },
}

/** What is known about a render before its body is read. */
interface CheckedRequest {
  readonly ref: TemplateRef | undefined // undefined when the template is in the body
  readonly known: RenderTemplate | undefined // the stored template of `ref`
  readonly webhook: WebhookTarget | undefined // set for an asynchronous render
  readonly counted: boolean // whether the render costs credits
  readonly terms: RelayedTerms
}

/** Runs or queues a render whose body is in memory. Refunds its credits when it fails. */
async function renderBuffered(
  services: Services,
  input: Input,
  call: Call,
  checked: CheckedRequest,
  bytes: Uint8Array,
): Promise<Reply> {
  const { ref, known, terms, counted, webhook } = checked
  const begins = webhook === undefined ? { templateId: ref?.id } : undefined
  const prepared = await prepareRender(services, terms, bytes, known, begins)
  if (webhook !== undefined) {
    const credits = counted ? prepared.credits : 0
    return queued(services, input, checked, { webhook, credits, body: { kind: 'bytes', bytes } })
  }
  const charged = counted ? await charge(services, input.account, prepared.credits) : undefined
  try {
    const bounds = { account: input.account }
    const rendered = await render(services, prepared.template, prepared.request, call.signal, bounds)
    const left = await leftOf(services, input.account, counted)
    return await answer(services, { ...rendered, templateId: ref?.id }, input, call, left)
  } catch (error) {
    await refund(services, charged)
    throw error
  }
}

/**
 * Queues a render whose body is too large for memory, or relays it to an origin. The body is read there, so
 * errors in it and its price in credits come from there.
 */
async function renderLarge(
  services: Services,
  input: Input,
  call: Call,
  checked: CheckedRequest,
  body: Extract<HeldBody, { kind: 'stream' }>,
): Promise<Reply> {
  const { ref, known, terms, counted, webhook } = checked
  if (webhook !== undefined) return queued(services, input, checked, { webhook, credits: 0, body })
  const { relay } = services
  if (relay === undefined) throw new AppError('api.internal')
  const job = { ...terms, template: known, body: body.stream }
  const rendered = await renderRelayed(services, relay, job, call.signal)
  if (counted) await charge(services, input.account, rendered.credits)
  const left = await leftOf(services, input.account, counted)
  return answer(services, { ...rendered, templateId: ref?.id }, input, call, left)
}

async function queued(
  services: Services,
  { account }: Input,
  { ref, terms, counted }: CheckedRequest,
  { webhook, credits, body }: Pick<RenderJob, 'webhook' | 'credits' | 'body'>,
): Promise<Reply> {
  const { waits: _, ...rest } = terms
  const job = { ...rest, account, template: ref ?? 'inline', webhook, counted, credits, body } as const
  const id = await queueRender(services, job)
  const accepted = { success: true, message: acceptedMessage, data: { renderId: '' } }
  return json(200, accepted, { 'service-job-id': id, ...(await leftOf(services, account, counted)) })
}

async function leftOf(
  services: Services,
  account: string,
  counted: boolean,
): Promise<Record<string, string>> {
  return counted ? creditHeaders(services, account) : {}
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
  rendered: Rendered & { readonly templateId: string | undefined },
  input: Input,
  call: Call,
  more: Readonly<Record<string, string>>,
): Promise<Reply> {
  const headers = { ...more, ...reportHeaders(rendered, call) }
  if (queryFlag(call.query, 'download')) {
    await services.hooks?.afterRender?.(madeOf(rendered), rendered.source)
    const reply = file(rendered.source, { ...fileHeaders(rendered, 'attachment', call), ...headers })
    const { spool } = rendered
    // The orphan sweep removes the file when this fails.
    return spool === undefined
      ? reply
      : { ...reply, finished: () => services.blobs.delete(spool).catch(() => {}) }
  }
  const renderId = await storeResult(services, input.account, rendered)
  const debug = rendered.debug === undefined ? {} : { debug: rendered.debug }
  const signatures = rendered.signatures === undefined ? {} : { signatures: rendered.signatures }
  return json(200, { success: true, data: { renderId, ...signatures, ...debug } }, headers)
}

/** The response headers that report the warnings, engines and fonts of a render. */
function reportHeaders({ warnings, converters, fonts }: Rendered, call: Call): Record<string, string> {
  const report = call.headers.has('service-fonts') && fonts !== undefined ? fontsHeader(fonts) : undefined
  return {
    ...(warnings.length > 0 && { 'service-warning': warningHeader(warnings) }),
    ...(converters !== undefined && converters.length > 0 && { 'service-converter': converters.join(', ') }),
    ...(report !== undefined && { 'service-fonts': report }),
  }
}

export const fetchRender: Route = {
  method: 'GET',
  path: '/render/:id',
  operation: 'fetchRender',
  summary: 'The file of a render: once, within an hour.',
  scope: 'open',
  params: { id: 'renderId of an answer or a notice.' },
  query: { download: Type.Boolean({ default: false, description: 'Disposition attachment, not inline.' }) },
  headers: { 'service-content-disposition': 'rfc6266: the long form of the file name as well.' },
  answers: [{ status: 200, description: 'The file.', types: ['*/*'], headers: fileHeaderTexts }],
  errors: ['api.id.invalid', 'api.render.not-found', 'storage.unavailable'],
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

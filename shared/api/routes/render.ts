import { Type } from 'typebox'
import { AppError } from '../../errors/app-error.ts'
import type { RenderJob } from '../../jobs/job-request.ts'
import { queueRender } from '../../jobs/jobs.ts'
import { fromBytes } from '../../plugin/byte-source.ts'
import type { RelayedTerms } from '../../ports/index.ts'
import { parseRenderId } from '../../records/renders.ts'
import { parseTemplateRef, type TemplateRef } from '../../records/templates.ts'
import { storeManifest } from '../../render/manifest-result.ts'
import { render } from '../../render/pipeline.ts'
import type { BufferedBody } from '../../render/prepare/body.ts'
import { prepareRender, priceOf } from '../../render/prepare/prepare-render.ts'
import { largerHost, renderRelayed } from '../../render/relay.ts'
import type { Rendered } from '../../render/request.ts'
import { sampleSchema } from '../../schemas/metadata.ts'
import { renderBody } from '../../schemas/render.ts'
import { charge, creditHeaders, refund, requireCredits, settle } from '../../services/accounts.ts'
import { discardFile } from '../../services/discard-file.ts'
import {
  type Fetched,
  peekResult,
  type Result,
  renderEventOf,
  storeResult,
  takeResult,
} from '../../services/results.ts'
import type { Services } from '../../services/services.ts'
import { type RenderTemplate, storedTemplate } from '../../services/templates.ts'
import { readWebhook, type WebhookTarget } from '../../webhook/target.ts'
import {
  type Call,
  contentDisposition,
  file,
  hasJsonBody,
  hasLineBody,
  holdBody,
  isStreamPath,
  json,
  lineType,
  nothing,
  queryFlag,
  type Reply,
  streamKindOf,
} from '../call.ts'
import { fontsHeader, warningHeader } from '../result-headers.ts'
import type { Input, Route } from '../route.ts'
import { readLines, streamErrors, streamReply } from '../stream-reply.ts'

const renderAnswer = Type.Object({
  success: Type.Literal(true),
  message: Type.Optional(Type.String({ description: 'How to get the result of an asynchronous render.' })),
  data: Type.Object({
    renderId: Type.String({
      description: 'Render ID of the document. Empty when the render is asynchronous.',
    }),
    debug: Type.Optional(
      Type.Object(
        {
          markers: Type.Array(Type.String(), {
            description: 'The tags of the template, in the order of the document.',
          }),
          sample: Type.Optional(sampleSchema.items),
        },
        { description: 'With isDebugActive: the tags of the template and sample data that matches them.' },
      ),
    ),
    signatures: Type.Optional(
      Type.Array(
        Type.Object({
          page: Type.Integer({ minimum: 1 }),
          x: Type.Number({ description: 'Points from the left edge of the page.' }),
          y: Type.Number({ description: 'Points from the top edge of the page.' }),
          width: Type.Number(),
          height: Type.Number(),
          data: Type.Any({ description: 'The value of the tag.' }),
        }),
        { description: 'Positions of the tags with :sign in the PDF.' },
      ),
    ),
    provenance: Type.Optional(
      Type.String({
        description: 'Render ID of the manifest of the document, where the request asks for one.',
      }),
    ),
  }),
})

/** Descriptions of the response headers of a file. */
const fileHeaderTexts = {
  'content-disposition': 'Name of the file, percent-encoded.',
  'content-length': 'Size of the file in bytes.',
  'accept-ranges': 'none: requests for a range get the whole file.',
  'cache-control': 'no-store',
  'content-security-policy': 'sandbox, for files that could run scripts.',
}

/** Descriptions of the response headers of a render. */
const resultHeaders = {
  'service-converter': 'Engines that converted the document, by letter or name.',
  'service-fonts':
    'JSON with the fonts that were requested, used and replaced. Sent when the request has a header of this name.',
  'service-provenance':
    'Render ID of the manifest, a JSON file that describes how the document was made. Sent when the request asks for one.',
  'service-pages': 'Number of pages of the document, when they were converted to pictures.',
  'service-job-id': 'Job ID of an asynchronous render, for /jobs.',
  'service-credits-limit': 'Credits of a month, when the service counts them.',
  'service-credits-remaining': 'Remaining credits of this month.',
  'service-credits-reset': 'Time at which the next month of credits begins, in UTC seconds.',
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
  'api.template.encrypted',
  'api.upload.empty',
] as const

/** Descriptions of the request headers of every render. */
const renderHeaders = {
  'service-egress-header-authorization':
    'Value of the `authorization` header of all outbound calls of the render, shorter than 512 characters.',
  'service-content-disposition':
    'rfc6266: the response also has the extended form of the file name (filename*).',
  'service-fonts': 'With any value, the response reports fonts in a header of the same name.',
  'service-provenance': 'Any value has the same effect as "provenance": true in the body.',
}

export const startRender: Route = {
  method: 'POST',
  path: '/render/:id',
  operation: 'render',
  summary:
    'Fills a stored template, or the template in the body where the ID is "template", and converts it. With `?download=true`, the response is that of `POST /render/{id}/file`.',
  scope: 'account',
  limited: true,
  makes: true,
  internalError: 'api.render.error',
  params: {
    id: 'A Template ID renders its deployed version, a Version ID this version, and "template" the template in the body.',
  },
  headers: {
    'service-webhook-url': 'Makes the render asynchronous. Its result is sent to this URL by POST.',
    prefer:
      'respond-async (RFC 7240) makes the render asynchronous without a webhook. /jobs has its state and result.',
    'service-webhook-header-*':
      'Header of the call to the webhook. Its name is what follows "service-webhook-header-".',
    ...renderHeaders,
  },
  body: { types: ['application/json', lineType], schema: renderBody },
  answers: [
    {
      status: 200,
      description: 'The document was stored under a Render ID.',
      schema: renderAnswer,
      headers: resultHeaders,
    },
    {
      status: 202,
      description: 'The asynchronous render was accepted. It has no webhook; /jobs/{id} has its state.',
      schema: renderAnswer,
      headers: { 'preference-applied': 'respond-async.', ...resultHeaders },
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
    'convert.waited',
    'origin.down',
    ...streamErrors,
  ],
  async run(services, input, call) {
    const checked = await checkRequest(services, input, call)
    if (hasLineBody(call)) return streamLines(services, input, call, checked)
    const limit = { bytes: services.settings.maxDataBytes, tooLarge: 'api.json.too-large' } as const
    const { relay, allocate } = services
    const body = await holdBody(call, limit, { maxBuffered: relay?.aboveBytes, allocate })
    if (body.kind === 'stream') return renderLarge(services, input, call, checked, body)
    try {
      return await renderBuffered(services, input, call, checked, body.bytes)
    } catch (error) {
      if (largerHost(services, error) === undefined) throw error
      const stream = fromBytes(body.bytes).stream()
      return renderLarge(services, input, call, checked, { kind: 'stream', stream })
    }
  },
}

/** Checks everything that can be checked before the body of a render is read, so that a refusal costs nothing. */
async function checkRequest(services: Services, input: Input, call: Call): Promise<CheckedRequest> {
  if (services.lifecycle.stopping) throw new AppError('api.stopping')
  // The ID is checked before the body is read: some clients try a hash and upload the template only after a 404.
  const ref = input.params['id'] === 'template' ? undefined : parseTemplateRef(input.params['id'] ?? '')
  const stored = ref === undefined ? undefined : await storedTemplate(services, input.account, ref)
  if (!hasJsonBody(call) && !hasLineBody(call)) throw new AppError('api.content-type')
  checkEgress(call)
  const streamed = streamKindOf(call)
  const background = backgroundOf(services, input, call)
  const isKeyed = call.headers.has('idempotency-key')
  if (streamed !== undefined && (isKeyed || background !== undefined)) throw new AppError('api.stream.waits')
  const test = input.caller?.kind === 'test'
  const counted = services.settings.hosted === true && !test
  // Accounts without credits are refused before the body is read, which determines the price of the render.
  if (counted) await requireCredits(services, input.account)
  const egressAuthorization = call.headers.get('service-egress-header-authorization')
  const { trace } = call
  const waits = background === undefined && streamed === undefined
  return {
    ref,
    stored,
    background,
    counted,
    terms: {
      major: input.major,
      test,
      waits,
      ...(trace === undefined ? {} : { trace }),
      ...(egressAuthorization === undefined ? {} : { egressAuthorization }),
      ...(call.headers.has('service-provenance') && { provenance: true }),
    },
  }
}

/**
 * A separate path for the response that is a file. OpenAPI describes one response for each path, so a generated client
 * would not know otherwise which of the two it gets.
 */
export const renderFile: Route = {
  ...startRender,
  path: '/render/:id/file',
  operation: 'renderFile',
  summary: 'Renders like `POST /render/{id}` and returns the file.',
  headers: renderHeaders,
  answers: [
    {
      status: 200,
      description: 'The file.',
      types: ['*/*'],
      headers: { ...fileHeaderTexts, ...resultHeaders },
    },
  ],
  async run(services, input, call) {
    if (call.headers.has('service-webhook-url'))
      throw new AppError('api.header.invalid', {
        issue: '"service-webhook-url" requires POST /render/:id, because this route responds with the file',
      })
    const query = new URLSearchParams(call.query)
    query.set('download', 'true')
    // A preference may be ignored (RFC 7240, section 2): this path promises the file.
    const headers = new Map([...call.headers].filter(([name]) => name !== 'prefer'))
    return startRender.run(services, input, { ...call, query, headers })
  },
}

/** A separate path for the response that is sent while it is made, for the reason that `renderFile` has one. */
export const renderAsItGoes: Route = {
  ...startRender,
  path: '/render/:id/stream',
  operation: 'streamRender',
  summary:
    'Renders a batch and sends each report as soon as it is ready: as a part of its own with `Accept: multipart/mixed`, otherwise in a zip.',
  headers: {
    accept: 'multipart/mixed sends a part for each report, with its index, status and file name.',
    ...renderHeaders,
  },
  body: { types: ['application/json', lineType], schema: renderBody },
  answers: [
    {
      status: 200,
      description: 'The reports of the batch, in the order of its items.',
      types: ['application/zip', 'multipart/mixed'],
      headers: { 'cache-control': 'no-store' },
    },
  ],
}

/** How an asynchronous render reports its end: to a webhook, or without one only through `GET /jobs`. */
interface Background {
  readonly webhook: WebhookTarget | undefined
}

/** The properties of a render that are determined before its body is read. */
interface CheckedRequest {
  readonly ref: TemplateRef | undefined // undefined when the template is in the body
  readonly stored: RenderTemplate | undefined // the stored template of `ref`
  readonly background: Background | undefined // set for an asynchronous render
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
  const { ref, stored: template, terms, counted, background } = checked
  const begins = background === undefined ? { templateId: ref?.id } : undefined
  const prepared = await prepareRender(services, terms, bytes, template, begins)
  const streamed = streamKindOf(call)
  if (streamed !== undefined && prepared.request.batch !== undefined)
    return streamReply(services, input, call, { prepared, kind: streamed, counted, templateId: ref?.id })
  if (isStreamPath(call)) throw new AppError('api.stream.single')
  if (prepared.request.batch?.dataUrl !== undefined) throw new AppError('api.stream.url')
  const credits = counted ? await priceOf(services, prepared.request) : 0
  if (background !== undefined)
    return queued(services, input, call, checked, { ...background, credits, body: { kind: 'bytes', bytes } })
  const charged = counted ? await charge(services, input.account, credits) : undefined
  try {
    const bounds = { account: input.account, client: { account: input.account, trace: call.trace } }
    const rendered = await render(services, prepared.template, prepared.request, call.signal, bounds)
    const creditReport = await creditReportOf(services, input.account, counted)
    const reply = await answer(services, { ...rendered, templateId: ref?.id }, input, call, creditReport)
    await settle(services, charged)
    return reply
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
  body: Extract<BufferedBody, { kind: 'stream' }>,
): Promise<Reply> {
  const { ref, stored: template, terms, counted, background } = checked
  if (background !== undefined)
    return queued(services, input, call, checked, { ...background, credits: 0, body })
  if (streamKindOf(call) !== undefined) throw new AppError('api.batch.large')
  const { relay } = services
  if (relay === undefined) throw new AppError('api.internal')
  const job = { ...terms, template, body: body.stream }
  const rendered = await renderRelayed(services, relay, job, call.signal)
  const charged = counted ? await charge(services, input.account, rendered.credits) : undefined
  try {
    const creditReport = await creditReportOf(services, input.account, counted)
    const reply = await answer(services, { ...rendered, templateId: ref?.id }, input, call, creditReport)
    await settle(services, charged)
    return reply
  } catch (error) {
    await refund(services, charged)
    throw error
  }
}

/** Renders a batch whose items follow the options on lines of their own, and answers while they arrive. */
async function streamLines(
  services: Services,
  input: Input,
  call: Call,
  { ref, stored, terms, counted }: CheckedRequest,
): Promise<Reply> {
  const { options, items } = await readLines(services, call)
  const prepared = await prepareRender(services, terms, options, stored, { templateId: ref?.id }, items)
  const kind = streamKindOf(call) ?? 'zip'
  return streamReply(services, input, call, { prepared, kind, counted, templateId: ref?.id })
}

async function queued(
  services: Services,
  { account }: Input,
  { key }: Call,
  { ref, terms, counted }: CheckedRequest,
  { webhook, credits, body }: Pick<RenderJob, 'webhook' | 'credits' | 'body'>,
): Promise<Reply> {
  const { waits: _, ...jobTerms } = terms
  const job = { ...jobTerms, account, template: ref ?? 'inline', webhook, counted, credits, body } as const
  const acceptance = (id: string, creditReport: Readonly<Record<string, string>> = {}) =>
    acceptanceReply(webhook !== undefined, { 'service-job-id': id, ...creditReport })
  const id = await queueRender(services, job, key && ((id) => key.answerOf(acceptance(id))))
  return acceptance(id, await creditReportOf(services, account, counted))
}

function acceptanceReply(hasWebhook: boolean, headers: Readonly<Record<string, string>>): Reply {
  const data = { renderId: '' }
  return hasWebhook
    ? json(200, { success: true, message: acceptedMessage, data }, headers)
    : json(
        202,
        { success: true, message: pollMessage, data },
        { 'preference-applied': 'respond-async', ...headers },
      )
}

async function creditReportOf(
  services: Services,
  account: string,
  counted: boolean,
): Promise<Record<string, string>> {
  return counted ? creditHeaders(services, account) : {}
}

const acceptedMessage = 'A render ID will be sent to your callback URL when the document is generated'
const pollMessage = 'GET /jobs with the id in the header service-job-id says when the document is generated'

/** Returns undefined for a synchronous render. Throws 'api.render.webhook'. */
function backgroundOf(services: Services, input: Input, call: Call): Background | undefined {
  if (call.headers.has('service-webhook-url')) return { webhook: webhookOf(services, input, call) }
  return prefersAsync(call) ? { webhook: undefined } : undefined
}

/** The header holds a list of preferences, whose parameters are ignored here (RFC 7240 2). */
function prefersAsync({ headers }: Call): boolean {
  const preferences = (headers.get('prefer') ?? '').split(',')
  return preferences.some(
    (preference) =>
      preference
        .replace(/[;=].*/s, '')
        .trim()
        .toLowerCase() === 'respond-async',
  )
}

/** Throws 'api.render.webhook' for an invalid address and for one that the egress policy refuses. */
function webhookOf(services: Services, { major }: Input, { headers }: Call): WebhookTarget | undefined {
  const webhook = readWebhook(headers, major)
  if (webhook === undefined || !services.outbound.refuses(webhook.url)) return webhook
  services.log.warn('webhook.refused', {
    settings: 'SERVICE_EGRESS_ALLOW_PRIVATE, SERVICE_EGRESS_ALLOW_LIST',
  })
  throw new AppError('api.render.webhook')
}

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
  creditHeaders: Readonly<Record<string, string>>,
): Promise<Reply> {
  const { manifest, name } = rendered
  const provenance = manifest && (await storeManifest(services, input.account, { manifest, name }))
  const headers = {
    ...creditHeaders,
    ...reportHeaders(rendered, call),
    ...(provenance !== undefined && { 'service-provenance': provenance }),
  }
  if (queryFlag(call.query, 'download')) {
    await services.hooks?.afterRender?.(renderEventOf(rendered), rendered.source)
    const reply = file(rendered.source, { ...fileHeaders(rendered, 'attachment', call), ...headers })
    await call.key?.keepFile(reply)
    const { spool } = rendered
    return spool === undefined ? reply : { ...reply, finished: () => discardFile(services, spool) }
  }
  const debug = rendered.debug === undefined ? {} : { debug: rendered.debug }
  const signatures = rendered.signatures === undefined ? {} : { signatures: rendered.signatures }
  const replyOf = (renderId: string) => {
    const data = { renderId, ...(provenance !== undefined && { provenance }), ...signatures, ...debug }
    return json(200, { success: true, data }, headers)
  }
  const { key } = call
  const answerOf = key && ((renderId: string) => key.answerOf(replyOf(renderId)))
  return replyOf(await storeResult(services, input.account, rendered, { answerOf }))
}

/** The response headers that report the warnings, engines and fonts of a render. */
function reportHeaders(
  { warnings, converters, fonts, pageCount }: Rendered,
  call: Call,
): Record<string, string> {
  const report = call.headers.has('service-fonts') && fonts !== undefined ? fontsHeader(fonts) : undefined
  return {
    ...(warnings.length > 0 && { 'service-warning': warningHeader(warnings) }),
    ...(converters !== undefined && converters.length > 0 && { 'service-converter': converters.join(', ') }),
    ...(report !== undefined && { 'service-fonts': report }),
    ...(pageCount !== undefined && { 'service-pages': String(pageCount) }),
  }
}

export const fetchRender: Route = {
  method: 'GET',
  path: '/render/:id',
  operation: 'fetchRender',
  summary: 'The file of a render. It can be downloaded once, within an hour.',
  scope: 'open',
  params: { id: 'Render ID from a response or a webhook call.' },
  query: {
    download: Type.Boolean({
      default: false,
      description: 'Sends the disposition attachment instead of inline.',
    }),
  },
  headers: {
    'service-content-disposition':
      'rfc6266: the response also has the extended form of the file name (filename*).',
  },
  answers: [{ status: 200, description: 'The file.', types: ['*/*'], headers: fileHeaderTexts }],
  errors: ['api.id.invalid', 'api.render.not-found', 'storage.unavailable'],
  async run(services, input, call) {
    const id = parseRenderId(input.params['id'] ?? '')
    const kind = queryFlag(call.query, 'download') ? 'attachment' : 'inline'
    if (call.method === 'HEAD') {
      const stored = await peekResult(services, id)
      return { ...file(stored.source, fileHeaders(stored, kind, call)), body: nothing }
    }
    const claimed: Fetched = await takeResult(services, id)
    return { ...file(claimed.source, fileHeaders(claimed, kind, call)), finished: claimed.finished }
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

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { Platen, verifyWebhook, WebhookError, type WebhookNotice } from 'platen/client'
import { describe, expect, it } from 'vitest'
import { readWebhookSecrets, signNotice } from '../../shared/webhook/sign.ts'
import { originTarget } from '../helpers/origin-target.ts'

const secret = `whsec_${btoa('a secret of more than 24 bytes')}`
const other = `whsec_${btoa('another secret of 24 bytes and more')}`
const now = 1_800_000_000_000

describe('verifyWebhook', () => {
  const signed = async (body: string, by = [secret], seconds = now / 1000) => ({
    headers: { ...(await signNotice(readWebhookSecrets(by), { id: 'msg_17', time: seconds, body })) },
    body,
  })
  const success = '{"success":true,"data":{"renderId":"r1"}}'

  it.each([
    ['of success', success, { jobId: '17', success: true, renderId: 'r1' }],
    [
      'of a failure',
      '{"success":false,"error":"ß","code":"w101","data":{"renderId":""}}',
      { jobId: '17', success: false, error: 'ß', code: 'w101' },
    ],
  ])('a call %s, as headers and body, as bytes, and as a Request', async (_name, body, notice) => {
    const call = await signed(body)
    const { headers } = call
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
    )
    expect(await verifyWebhook(call, secret, { now })).toEqual(notice)
    const bytes = { headers: upper, body: new TextEncoder().encode(body) }
    expect(await verifyWebhook(bytes, secret, { now })).toEqual(notice)
    const request = new Request('http://x/', { method: 'POST', headers, body })
    expect(await verifyWebhook(request, secret, { now })).toEqual(notice)
  })

  it('one secret of several is enough, on either side', async () => {
    expect((await verifyWebhook(await signed(success, [other, secret]), secret, { now })).success).toBe(true)
    expect((await verifyWebhook(await signed(success), [other, secret], { now })).success).toBe(true)
  })

  it.each([
    ['another secret', () => signed(success, [other]), 'No signature'],
    [
      'another body',
      async () => ({ ...(await signed(success)), body: success.replace('r1', 'r2') }),
      'No sig',
    ],
    ['an old time', () => signed(success, [secret], now / 1000 - 301), 'too old'],
    ['a time to come', () => signed(success, [secret], now / 1000 + 301), 'too old'],
    ['no signature', async () => ({ headers: {}, body: success }), 'no signature'],
  ])('%s is refused', async (_name, call, says) => {
    const error = await verifyWebhook(await call(), secret, { now }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(WebhookError)
    expect(String(error)).toContain(says)
  })
})

it('a job waits for its webhook, whose call the program passes on', async () => {
  const target = await originTarget({ webhookSecret: [secret], egressAllowPrivate: true })
  const platen = new Platen({ url: target.url })
  const notices: (WebhookNotice & { readonly order?: string | undefined })[] = []
  const hooks = createServer(async (request, response) => {
    const body = await buffer(request)
    const notice = await verifyWebhook({ headers: request.headers, body }, secret)
    notices.push({ ...notice, order: request.headers['x-order'] as string })
    platen.notify(notice)
    response.end()
  })
  await new Promise<void>((resolve) => hooks.listen(0, '127.0.0.1', resolve))
  try {
    const url = `http://127.0.0.1:${(hooks.address() as AddressInfo).port}/`
    const webhook = { url, headers: { 'x-order': '9' } }
    const job = await platen.renderAsync(new Blob(['Hi {d.a}']), { data: { a: 1 } }, { webhook })
    expect(await (await job.document()).text()).toBe('Hi 1')
    expect(notices).toEqual([{ jobId: job.id, success: true, renderId: expect.any(String), order: '9' }])
    const failing = await platen.renderAsync(new Blob(['{d.a:nothing}']), { data: {} }, { webhook })
    const error = await failing.renderId().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'RenderError', code: 'w101' })
  } finally {
    hooks.close()
    await target.stop()
  }
})

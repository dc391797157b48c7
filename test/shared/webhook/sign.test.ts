import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { accountSecrets, readWebhookSecrets, secretText, signNotice } from '../../../shared/webhook/sign.ts'

// The example that the Standard Webhooks specification gives.
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const example = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', time: 1_614_265_330, body: '{"test": 2432232314}' }

describe('signatures of notices', () => {
  it('are those of the specification', async () => {
    expect(await signNotice(readWebhookSecrets([secret]), example)).toEqual({
      'webhook-id': example.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    })
  })

  it('one for each secret, so that receivers may change theirs', async () => {
    const other = `whsec_${Buffer.from('y'.repeat(32)).toString('base64')}`
    const headers = await signNotice(readWebhookSecrets([secret, other]), example)
    const text = `${example.id}.${example.time}.${example.body}`
    const second = createHmac('sha256', 'y'.repeat(32)).update(text).digest('base64')
    expect(headers['webhook-signature']).toBe(`v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= v1,${second}`)
  })

  it('every account has a secret of its own for each of the operator, the same each time', async () => {
    const operator = readWebhookSecrets([secret])
    const [acme] = await accountSecrets(operator, 'acme')
    const expected = createHmac('sha256', operator[0]!).update('webhook secret of acme').digest()
    expect(Buffer.from(acme!)).toEqual(expected)
    expect(readWebhookSecrets([secretText(acme!)])).toEqual([acme])
    expect(await accountSecrets(operator, 'other')).not.toEqual([acme])
  })

  it('none without a secret', async () => {
    expect(await signNotice([], example)).toEqual({})
  })

  for (const wrong of ['whsec_', 'whsec_c2hvcnQ=', 'whsec_***', `whsec_${'A'.repeat(100)}`, 'plain']) {
    it(`a secret of another form stops the start: ${wrong.slice(0, 20)}`, () => {
      expect(() => readWebhookSecrets([secret, wrong])).toThrowError(/24 to 64 bytes/)
    })
  }
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { createPinnedTransport } from '../../../../origin/net/pinned-fetch.ts'
import { type BrowserEngine, createEngine } from '../../../../plugins/engines/chromium/engine.ts'
import described from '../../../../plugins/engines/chromium/index.ts'
import { createOutbound } from '../../../../shared/net/outbound.ts'
import { htmlWithFont, withoutDates } from '../../../helpers/embedded-fonts.ts'
import { engineUnder, originHost } from '../../../helpers/engines.ts'

const plugin = { ...described, create: createEngine }

/** A server that lets everything be kept, and sets a cookie. */
const asked: string[] = []
const server = createServer(({ url, headers }, response) => {
  asked.push([url, headers.authorization, headers.cookie].join(' '))
  const kept = { 'cache-control': 'public, max-age=9999', 'set-cookie': 'who=me; Path=/' }
  response.writeHead(200, { ...kept, 'content-type': 'text/css' }).end('p { color: red }')
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const policy = { allowPrivate: true }
const outbound = createOutbound({ policy, transport: createPinnedTransport(policy), userAgent: 'test' })
const { engine, convert } = engineUnder<BrowserEngine>(plugin, originHost(outbound))
afterAll(async () => {
  await engine.stop?.()
  server.close()
})

const link = `<link rel="stylesheet" href="${address}/style.css"/>`
const body = '<body style="font-family: Arial"><p>Invoice 12345</p></body>'
const sources: Readonly<Record<string, string>> = {
  html: `<!doctype html><html><head>${link}</head>${body}</html>`,
  xhtml: `<html xmlns="http://www.w3.org/1999/xhtml"><head>${link}</head>${body}</html>`,
}
const pdfOf = async (source: string | Uint8Array, from: string, authorization: string) =>
  withoutDates((await convert(source, from, 'pdf', { authorization, deadlineMs: 120_000 })).bytes)

describe('what one page leaves for the next', () => {
  it.each(Object.entries(sources))('is no file that it fetched and no cookie: %s', async (from, source) => {
    asked.length = 0
    const made = await pdfOf(source, from, 'first')
    expect(await pdfOf(source, from, 'second')).toBe(made)
    expect(asked).toEqual(['/style.css first ', '/style.css second '])
  })

  it('is no font', async () => {
    const before = await pdfOf(sources['html'] ?? '', 'html', 'first')
    await pdfOf(htmlWithFont('Arial'), 'html', 'second')
    expect(await pdfOf(sources['html'] ?? '', 'html', 'first')).toBe(before)
  })
})

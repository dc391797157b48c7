import { describe, expect, it } from 'vitest'
import { checkUrl, hostOf, type OutboundPolicy } from '../../../shared/net/policy.ts'

const open: OutboundPolicy = { allowPrivate: false }
const inside: OutboundPolicy = { allowPrivate: true }
const listed: OutboundPolicy = {
  allowPrivate: false,
  allowedHosts: ['Example.com', '*.pics.example', '10.0.0.7'],
}

const rows: readonly (readonly [name: string, OutboundPolicy, url: string, allowed: boolean])[] = [
  ['https', open, 'https://example.com/a?b#c', true],
  ['http and a port', open, 'http://example.com:8080/', true],
  ['a public address', open, 'http://1.1.1.1/', true],
  ['a public IPv6 address', open, 'http://[2606:4700:4700::1111]/', true],
  ['another scheme', open, 'ftp://example.com/', false],
  ['a file', open, 'file:///etc/passwd', false],
  ['data', open, 'data:text/plain,x', false],
  ['no URL', open, 'example.com/a', false],
  ['a path', open, '/a', false],
  ['nothing', open, '', false],
  ['credentials', open, 'https://user:secret@example.com/', false],
  ['a user name', open, 'https://user@example.com/', false],
  ['localhost', open, 'http://localhost/', false],
  ['localhost with a dot', open, 'http://LOCALHOST./', false],
  ['below localhost', open, 'http://a.localhost/', false],
  ['a name without a dot', open, 'http://intranet/', false],
  ['cloud metadata by name', open, 'http://metadata.google.internal/computeMetadata/v1/', false],
  ['cloud metadata by address', open, 'http://169.254.169.254/latest/meta-data/', false],
  ['loopback', open, 'http://127.0.0.1/', false],
  ['loopback with a dot', open, 'http://127.0.0.1./', false],
  ['loopback as one number', open, 'http://2130706433/', false],
  ['loopback in hex', open, 'http://0x7f000001/', false],
  ['loopback in octal', open, 'http://0177.0.0.1/', false],
  ['loopback cut short', open, 'http://127.1/', false],
  ['loopback in wide digits', open, 'http://１２７.０.０.１/', false],
  ['loopback mapped into IPv6', open, 'http://[::ffff:127.0.0.1]/', false],
  ['loopback in IPv6', open, 'http://[::1]/', false],
  ['any address', open, 'http://0.0.0.0/', false],
  ['any IPv6 address', open, 'http://[::]/', false],
  ['too long', open, `https://example.com/${'a'.repeat(9000)}`, false],
  ['inside, when allowed: an address', inside, 'http://10.0.0.7:9000/', true],
  ['inside, when allowed: a name', inside, 'http://storage/', true],
  ['inside, when allowed: still no other scheme', inside, 'file:///etc/passwd', false],
  ['a listed host, whatever its case', listed, 'https://EXAMPLE.com/', true],
  ['a host below a listed one', listed, 'https://www.example.com/', false],
  ['a host below a wildcard', listed, 'https://a.b.pics.example/', true],
  ['the host of a wildcard itself', listed, 'https://pics.example/', false],
  ['a host that ends alike', listed, 'https://notpics.example/', false],
  ['a private address, even if listed', listed, 'https://10.0.0.7/', false],
]

describe('outbound policy', () => {
  it.each(rows)('%s', (_name, policy, url, allowed) => {
    if (allowed) expect(checkUrl(policy, url).href).toBe(new URL(url).href)
    else expect(() => checkUrl(policy, url)).toThrow(expect.objectContaining({ code: 'net.refused' }))
  })

  it('returns hosts without brackets and without the last dot', () => {
    expect(hostOf(new URL('http://[::1]:80/'))).toBe('::1')
    expect(hostOf(new URL('http://Example.COM./'))).toBe('example.com')
  })
})

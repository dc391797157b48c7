import { describe, expect, it } from 'vitest'
import { collapsePath, contentDisposition, readHeaders } from '../../../shared/api/call.ts'

describe('headers', () => {
  it('reads aliases of the known headers only, service- wins', () => {
    const headers = readHeaders(
      [
        ['Acme-Version', '4'],
        ['acme-webhook-header-X-A', 'a'],
        ['acme-other', 'no'],
        ['service-webhook-url', 'ours'],
        ['acme-webhook-url', 'theirs'],
        ['X', '1'],
        ['x', '2'],
      ],
      ['acme'],
    )
    expect(headers.get('service-version')).toBe('4')
    expect(headers.get('service-webhook-header-x-a')).toBe('a')
    expect(headers.get('service-other')).toBeUndefined()
    expect(headers.get('service-webhook-url')).toBe('ours')
    expect(headers.get('x')).toBe('1, 2')
  })

  it('collapses slashes', () => {
    const rows = [
      ['//a///b/', '/a/b'],
      ['/', '/'],
      ['///', '/'],
      ['/a', '/a'],
    ] as const
    for (const [path, expected] of rows) expect(collapsePath(path)).toBe(expected)
  })
})

describe('names of files', () => {
  it('stand in a header with one equals sign, in ASCII', () => {
    for (const name of ['a=b', "o'c", '(x)', '"', ';', 'é', '\ud800', '*!~']) {
      const header = contentDisposition('inline', name, 'pdf')
      expect(header.split('=')).toHaveLength(2)
      expect(header).toMatch(/^inline; filename="[A-Za-z0-9%._~-]+\.pdf"$/)
    }
  })
})

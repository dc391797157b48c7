import { describe, expect, it } from 'vitest'
import { decodeBase64 } from '../../shared/base64.ts'

const decode = (text: string) => decodeBase64(new TextEncoder().encode(text))
const bytes = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 167 + (at >> 4)) & 255)

describe('decodeBase64', () => {
  it('undoes each way of writing, for every length up to 70', () => {
    for (let length = 0; length <= 70; length++) {
      const source = bytes(length)
      const text = btoa(String.fromCharCode(...source))
      for (const written of [
        text,
        text.replace(/=+$/, ''),
        text.replaceAll('+', '-').replaceAll('/', '_'),
        text.replaceAll('/', '\\/'),
        text.replace(/.{5}/g, '$&\\n'),
        text.replace(/.{7}/g, '$& \r\n\t'),
        text.replaceAll('+', '\\u002b').replaceAll('=', '\\u003D'),
        `data:application/octet-stream;base64,${text}`,
        `DATA:;charset=x;BASE64,${text}`,
      ])
        expect(decode(written), written).toEqual(source)
    }
  })

  it('refuses what is not base64', () => {
    for (const text of [
      'A',
      'AAAAA',
      'AA=A',
      'AAA===',
      'AA!A',
      'é',
      'data:text/plain,AAAA',
      'data:nothing',
      'AA\\xAA',
      '\\u0100AAA',
      'AAA\\',
    ])
      expect(decode(text), text).toBeUndefined()
  })

  it('decodes 20 MB', () => {
    const source = bytes(20_000_001)
    const text = Buffer.from(source).toString('base64')
    expect(Buffer.compare(decode(text)!, source)).toBe(0)
  })
})

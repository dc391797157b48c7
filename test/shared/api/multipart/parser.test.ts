import { describe, expect, it } from 'vitest'
import { createMultipartParser } from '../../../../shared/api/multipart/parser.ts'

const encoder = new TextEncoder()
const latin1 = new TextDecoder('latin1')

/** The parts of a body that arrives in pieces of `size` bytes: name, file name, media type and content. */
function read(body: string, size: number, boundary = 'B'): (string | undefined)[][] {
  const parser = createMultipartParser(boundary)
  const bytes = encoder.encode(body)
  const parts: (string | undefined)[][] = []
  let content: string[] = []
  for (let at = 0; at < bytes.length; at += size) {
    for (const event of parser.push(bytes.subarray(at, at + size))) {
      if (event.kind === 'part') parts.push([event.head.name, event.head.filename, event.head.mime])
      else if (event.kind === 'data') content.push(latin1.decode(event.bytes))
      else {
        parts.at(-1)!.push(content.join(''))
        content = []
      }
    }
  }
  parser.finish()
  return parts
}

const head = (rest: string) => `Content-Disposition: form-data; ${rest}`
const cases: readonly [name: string, body: string, parts: readonly (readonly (string | undefined)[])[]][] = [
  [
    'one field',
    `--B\r\n${head('name="a"')}\r\n\r\nvalue\r\n--B--\r\n`,
    [['a', undefined, undefined, 'value']],
  ],
  ['an empty value', `--B\r\n${head('name="a"')}\r\n\r\n\r\n--B--`, [['a', undefined, undefined, '']]],
  [
    'a preamble and an epilogue',
    `hello\r\n--B\r\n${head('name=a')}\r\n\r\nv\r\n--B--\r\nbye\r\n--B\r\n`,
    [['a', undefined, undefined, 'v']],
  ],
  [
    'line feeds alone',
    `--B\n${head('name="a"')}\n\nx\r\n--B\n${head('name="b"')}\n\ny\n--B--\n`,
    [
      ['a', undefined, undefined, 'x\r'],
      ['b', undefined, undefined, 'y'],
    ],
  ],
  [
    'content that looks like a delimiter',
    `--B\r\n${head('name="a"')}\r\n\r\n--\r\n--BB\r\n\r\n--\r\r\n-\n--C--\r\n--B--`,
    [['a', undefined, undefined, '--\r\n--BB\r\n\r\n--\r\r\n-\n--C--']],
  ],
  [
    'blanks after a delimiter',
    `--B \t\r\n${head('name="a"')}\r\n\r\nv\r\n--B  \r\n${head('name="b"')}\r\n\r\n\r\n--B--`,
    [
      ['a', undefined, undefined, 'v'],
      ['b', undefined, undefined, ''],
    ],
  ],
  ['no head at all', `--B\r\n\r\nv\r\n--B--`, [['', undefined, undefined, 'v']]],
  [
    'a file',
    `--B\r\n${head('name="f"; filename="C:\\dir\\a.docx"')}\r\nContent-Type: Text/Plain; charset=x\r\n\r\nv\r\n--B--`,
    [['f', 'C:\\dir\\a.docx', 'text/plain', 'v']],
  ],
  [
    'quotes in names',
    `--B\r\n${head('name="f"; filename="a\\"b%22c.txt"')}\r\n\r\nv\r\n--B--`,
    [['f', 'a"b"c.txt', undefined, 'v']],
  ],
  [
    'an extended file name',
    `--B\r\n${head('name="f"; filename=x; filename*=UTF-8\'\'caf%C3%A9')}\r\n\r\nv\r\n--B--`,
    [['f', 'café', undefined, 'v']],
  ],
  [
    'a media type that is none',
    `--B\r\n${head('name="f"')}\r\nContent-Type: ('a/b', None)\r\n\r\nv\r\n--B--`,
    [['f', undefined, undefined, 'v']],
  ],
  ['no parts', '--B--\r\n', []],
]

describe('createMultipartParser', () => {
  for (const [name, body, parts] of cases) {
    it(`${name}, in pieces of every size`, () => {
      for (let size = 1; size <= body.length; size++) expect(read(body, size)).toEqual(parts)
    })
  }

  it('keeps little: a part of 5 MB never makes it hold more than a delimiter', () => {
    const parser = createMultipartParser('B')
    parser.push(encoder.encode(`--B\r\n${head('name="f"')}\r\n\r\n`))
    let size = 0
    const chunk = new Uint8Array(65_536).fill(13)
    for (let time = 0; time < 80; time++) {
      for (const event of parser.push(chunk)) if (event.kind === 'data') size += event.bytes.length
    }
    expect(80 * 65_536 - size).toBeLessThan(8)
  })

  it('refuses a cut body', () => {
    for (const body of [
      '',
      '--B\r\n',
      `--B\r\n${head('name="a"')}`,
      `--B\r\n${head('name="a"')}\r\n\r\nx\r\n--B`,
      'x',
    ])
      expect(() => read(body, 100), body).toThrow('ended too early')
  })

  it('refuses a head without end and too many parts', () => {
    expect(() => read(`--B\r\n${'x'.repeat(20_000)}`, 1000)).toThrow('form data')
    expect(() => read(`--B\r\n\r\n`.repeat(1001), 1000)).toThrow('form data')
  })

  it('does not wait for ever for the end of a delimiter', () => {
    const parser = createMultipartParser('B')
    parser.push(encoder.encode(`--B\r\n\r\n\r\n--B`))
    let data = 0
    for (let time = 0; time < 100; time++) {
      for (const event of parser.push(new Uint8Array(1000).fill(32)))
        if (event.kind === 'data') data += event.bytes.length
    }
    expect(data).toBeGreaterThan(90_000)
  })
})

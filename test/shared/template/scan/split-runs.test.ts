import { describe, expect, it } from 'vitest'
import { tokensOf } from '../../../helpers/compile.ts'

const written = (part: string): string =>
  tokensOf(part)
    .map((token) => (token.kind === 'tag' ? `{${token.text}}` : 'raw' in token ? token.raw : ''))
    .join('')

describe('runs around a loop inside a paragraph', () => {
  const start = '<w><wp/><x>'
  const end = '</x></w>'
  it('are split at the tags of a loop that stands in several runs', () =>
    expect(written(`<p>${start}a {d.l[i].n}${end}${start}, {d.l[i+1].n} b${end}</p>`)).toBe(
      `<p>${start}a ${end}${start}{d.l[i].n}${end}${start}, ${end}${start}{d.l[i+1].n}${end}${start} b${end}</p>`,
    ))
  it('stay as they are when the loop stands in one run', () => {
    const part = `<p>${start}a {d.l[i].n}, {d.l[i+1].n} b${end}</p>`
    expect(written(part)).toBe(part)
  })
  it('stay as they are when the loop does not end in the paragraph', () => {
    const part = `<p>${start}a {d.l[i].n}${end}${start} b${end}</p>`
    expect(written(part)).toBe(part)
  })
})

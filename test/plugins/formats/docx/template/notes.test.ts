import { describe, expect, it } from 'vitest'
import { bodyOf, docxOf, entryText } from '../../../../helpers/docx.ts'
import { mergeBytes } from '../../../../helpers/merge.ts'
import { problemsOf } from '../../../../helpers/structure.ts'

const w =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"'
const p = (inside: string) => `<w:p>${inside}</w:p>`
const r = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`
const footnotes = (notes: string) =>
  `<?xml version="1.0"?><w:footnotes ${w}><w:footnote w:type="separator" w:id="-1">${p('<w:r><w:separator/></w:r>')}</w:footnote>${notes}</w:footnotes>`
const comments = (notes: string) => `<?xml version="1.0"?><w:comments ${w}>${notes}</w:comments>`
const note = (element: string, id: number, text: string) =>
  `<w:${element} w:id="${id}">${p(r(text)).replace('<w:p>', '<w:p w14:paraId="A1">')}</w:${element}>`
const footnote = (id: number) => `<w:r><w:footnoteReference w:id="${id}"/></w:r>`
const commented = (id: number, text: string) =>
  `<w:commentRangeStart w:id="${id}"/>${r(text)}<w:commentRangeEnd w:id="${id}"/><w:r><w:commentReference w:id="${id}"/></w:r>`
async function merge(body: string, extra: Partial<Record<'footnotes' | 'comments', string>>, data: unknown) {
  const parts = Object.fromEntries(Object.entries(extra).map(([name, text]) => [`word/${name}.xml`, text]))
  const { value } = await mergeBytes(await docxOf(body, parts), 'docx', data)
  const bytes = new Uint8Array(await value.document.arrayBuffer())
  expect(await problemsOf(bytes)).toEqual([])
  const ids = (text: string, name: string) =>
    [...text.matchAll(new RegExp(`<w:${name} (?:w:type="\\w+" )?w:id="(-?\\d+)"`, 'g'))].map(([, id]) => id)
  return { bytes, body: await bodyOf(bytes), ids }
}
const textsOf = (part: string, element: string) =>
  [...part.matchAll(new RegExp(`<w:${element} w:id="[^"]*">(.*?)</w:${element}>`, 'gs'))].map(
    ([, inside = '']) => inside.replace(/<[^>]*>/g, ''),
  )
const list = {
  l: [
    { n: 'a', q: 1 },
    { n: 'b', q: 2 },
    { n: 'c', q: 3 },
  ],
  t: 'T',
}

describe('notes of text that repeats', () => {
  it('each copy of a footnote has a number and the values of its item', async () => {
    const { bytes, body, ids } = await merge(
      p(r('head') + footnote(5)) +
        p(r('{d.l[i].n}') + footnote(2)) +
        p(r('{d.l[i+1].n}')) +
        p(r('foot') + footnote(3)),
      {
        footnotes: footnotes(
          note('footnote', 2, 'About {d.l[i].q}') +
            note('footnote', 3, 'end {d.t}') +
            note('footnote', 5, 'begin'),
        ),
      },
      list,
    )
    expect(ids(body, 'footnoteReference')).toEqual(['5', '2', '6', '7', '3'])
    const part = await entryText(bytes, 'word/footnotes.xml')
    expect(ids(part, 'footnote')).toEqual(['-1', '5', '2', '6', '7', '3'])
    expect(textsOf(part, 'footnote')).toEqual(['begin', 'About 1', 'About 2', 'About 3', 'end T'])
    expect(part.match(/w14:paraId/g)).toHaveLength(3)
  })

  it('footnotes of an empty list are removed, unreferenced ones stay', async () => {
    const { bytes, body, ids } = await merge(
      p(r('{d.l[i].n}') + footnote(2)) + p(r('{d.l[i+1].n}')) + p(r('x') + footnote(3)),
      { footnotes: footnotes(note('footnote', 2, '{d.l[i].q}') + note('footnote', 3, 'stays')) },
      { l: [] },
    )
    expect(ids(body, 'footnoteReference')).toEqual(['3'])
    expect(ids(await entryText(bytes, 'word/footnotes.xml'), 'footnote')).toEqual(['-1', '3'])
  })

  it('comments with the text they are about', async () => {
    const { bytes, body, ids } = await merge(
      p(commented(0, '{d.l[i].n}')) +
        p(r('{d.l[i+1].n}')) +
        p(`<w:r><w:commentReference w:id="1"/></w:r>${r('end')}`),
      { comments: comments(note('comment', 0, 'on {d.l[i].n}') + note('comment', 1, 'point')) },
      list,
    )
    for (const name of ['commentRangeStart', 'commentRangeEnd'])
      expect(ids(body, name)).toEqual(['0', '2', '3'])
    expect(ids(body, 'commentReference')).toEqual(['0', '2', '3', '1'])
    const part = await entryText(bytes, 'word/comments.xml')
    expect(ids(part, 'comment')).toEqual(['0', '2', '3', '1'])
    expect(textsOf(part, 'comment')).toEqual(['on a', 'on b', 'on c', 'point'])
  })

  it('a document without loops keeps its notes unchanged', async () => {
    const text = footnotes(note('footnote', 2, '{d.t} and more'))
    const { bytes } = await merge(p(r('{d.t}') + footnote(2)), { footnotes: text }, list)
    expect(await entryText(bytes, 'word/footnotes.xml')).toBe(
      text.replace('<w:t>{d.t}', '<w:t xml:space="preserve">T'),
    )
  })
})

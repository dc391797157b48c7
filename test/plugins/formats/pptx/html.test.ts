import { expect, it } from 'vitest'
import { entryText } from '../../../helpers/docx.ts'
import { mergeBytes } from '../../../helpers/merge.ts'
import { pptxOf, pptxParagraph, pptxShape } from '../../../helpers/pptx.ts'
import { problemsOf } from '../../../helpers/structure.ts'

async function runs(text: string, data: unknown): Promise<string> {
  const { value } = await mergeBytes(await pptxOf([pptxShape(4, pptxParagraph(text))]), 'pptx', data)
  const out = new Uint8Array(await value.document.arrayBuffer())
  expect(await problemsOf(out)).toEqual([])
  return (await entryText(out, 'ppt/slides/slide1.xml')).replaceAll(
    /<a:r><a:rPr lang="en-US"\/><a:t[^>]*><\/a:t><\/a:r>/g,
    '',
  )
}

it.each([
  ['<b>x</b>', '<a:rPr lang="en-US" b="1"/>'],
  ['<i><u>x</u></i>', '<a:rPr lang="en-US" i="1" u="sng"/>'],
  ['<s>x<s>', '<a:rPr lang="en-US" strike="sngStrike"/>'],
  ['<sub>x</sub>', '<a:rPr lang="en-US" baseline="-25000"/>'],
  [
    '<span style="color:red"><mark>x</mark></span>',
    '<a:rPr lang="en-US"><a:solidFill><a:srgbClr val="FF0000"/></a:solidFill><a:highlight><a:srgbClr val="FFFF00"/></a:highlight></a:rPr>',
  ],
  ['<code>x</code>', '<a:rPr lang="en-US"><a:latin typeface="Courier New"/></a:rPr>'],
])('%s', async (html, expected) => {
  expect(await runs('A {d.x:html}', { x: html })).toContain(`<a:r>${expected}<a:t>x</a:t></a:r>`)
})

it('blocks become lines of the paragraph, links get relationships', async () => {
  const xml = await runs('{d.x:html}', { x: '<p>a</p><ul><li><a href="b.org">b</a></ul>' })
  expect(xml.replace(/<a:rPr[^>]*\/>/g, '')).toMatch(
    /<a:p><a:r><a:t[^>]*>a<\/a:t><\/a:r><a:br><\/a:br><a:r><a:t>• <\/a:t><\/a:r><a:r><a:rPr [^>]*><a:hlinkClick [^>]*r:id="rIdm1"\/>/,
  )
})

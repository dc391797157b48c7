import { describe, expect, it } from 'vitest'
import { formats } from '../../../plugins/formats/index.ts'
import { fromBytes } from '../../../shared/plugin/byte-source.ts'
import { createRegistry } from '../../../shared/plugin/registry.ts'
import { entryText, zipOf } from '../../helpers/docx.ts'
import { mergeBytes, mergeText } from '../../helpers/merge.ts'
import { odgOf, odpOf, odsOf } from '../../helpers/ods.ts'
import { pptxOf } from '../../helpers/pptx.ts'
import { xlsxOf } from '../../helpers/xlsx.ts'

const text = async (content: string) => new TextEncoder().encode(content)
const story = (content: string) =>
  zipOf(
    {
      mimetype: 'application/vnd.adobe.indesign-idml-package',
      'designmap.xml': '<Document Self="d"/>',
      'Stories/Story_u1.xml': `<?xml version="1.0" encoding="UTF-8"?>\n<Story Self="u1">${content}</Story>`,
    },
    ['mimetype'],
  )
const svg = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10">${content}</svg>`

describe('what a file is', () => {
  it.each([
    ['xlsx', () => xlsxOf({ sheets: [{ name: 'S', cells: {} }] })],
    ['pptx', () => pptxOf([''])],
    ['ods', () => odsOf('')],
    ['odp', () => odpOf('')],
    ['odg', () => odgOf('')],
    ['idml', () => story('')],
    ['svg', () => text(svg(''))],
    ['svg', () => text(`<?xml version="1.0"?>\n<!-- made by hand -->\n${svg('')}`)],
    ['xhtml', () => text('<?xml version="1.0"?>\n<!DOCTYPE html>\n<html xmlns="x"><body/></html>')],
    ['ooxml', () => text('<w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml"/>')],
    ['html', () => text('<!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><body/></html>')],
    [undefined, () => zipOf({ 'a.txt': 'xl/workbook.xml' })],
  ] as const)('%s', async (id, make) => {
    const found = await createRegistry(formats).sniff(fromBytes(await make()), { name: 'template.docx' })
    expect(found?.id).toBe(id)
  })
})

describe('drawings and stories', () => {
  it('SVG: text, attributes and loops', async () => {
    const template = svg(
      '<g><rect x="{d.b[i].x}" width="{d.b[i].w}"/><text>{d.b[i].n}</text></g><g>{d.b[i+1]}</g>',
    )
    expect(
      await mergeText(
        template,
        {
          b: [
            { x: 1, w: 2, n: 'a<b' },
            { x: 3, w: '"4', n: 'c' },
          ],
        },
        { format: 'svg' },
      ),
    ).toBe(
      svg(
        '<g><rect x="1" width="2"/><text>a&lt;b</text></g><g><rect x="3" width="&quot;4"/><text>c</text></g>',
      ),
    )
  })
  it('IDML: tags over several contents, paragraphs repeat', async () => {
    const range = (content: string) =>
      `<ParagraphStyleRange><CharacterStyleRange>${content}</CharacterStyleRange></ParagraphStyleRange>`
    const template = await story(
      range('<Content>{d.l[i].</Content><Content>n}</Content>') + range('<Content>{d.l[i+1].n}</Content>'),
    )
    const { value } = await mergeBytes(template, 'idml', { l: [{ n: 'a & b' }, { n: 'c' }] })
    const out = await entryText(new Uint8Array(await value.document.arrayBuffer()), 'Stories/Story_u1.xml')
    expect(
      out
        .replace(/<[^>]*>/g, '|')
        .split('|')
        .filter((part) => part.trim() !== ''),
    ).toEqual(['a &amp; b', 'c'])
  })
})

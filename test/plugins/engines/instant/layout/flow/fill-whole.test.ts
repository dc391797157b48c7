import { describe, expect, test } from 'vitest'
import { nodeCodec } from '../../../../../../origin/codec.ts'
import { auditLayout } from '../../../../../../plugins/engines/instant/layout/audit/audit.ts'
import { odtReader } from '../../../../../../plugins/formats/odt/reader/open.ts'
import { defaultLimits } from '../../../../../../shared/limits.ts'
import { openFile, par, parStyle } from '../../../../../cases/reference/open.ts'
import { cell, lay, layWord, p, readWord, row, table } from '../../../../../helpers/laid-out.ts'

const noted = '<w:p><w:r><w:t>text</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>'
const footnotes = `<w:footnote w:id="2">${p('the note')}</w:footnote>`
const floats =
  '<w:tblpPr w:leftFromText="141" w:rightFromText="141" w:vertAnchor="text" w:horzAnchor="page" w:tblpX="2000" w:tblpY="1"/>'
const frame =
  '<w:framePr w:w="3000" w:hSpace="100" w:wrap="around" w:vAnchor="text" w:hAnchor="page" w:x="5000" w:y="1"/>'

describe('notes whose reference is beside the text', () => {
  for (const [name, body] of [
    ['in a floating table', table([row([cell(noted)])], [3000], floats) + p('after')],
    ['in a frame', noted.replace('<w:p>', `<w:p><w:pPr>${frame}</w:pPr>`) + p('after')],
    ['in a table in the text', table([row([cell(noted)])], [3000]) + p('after')],
  ] as const) {
    test(name, () => {
      const { lines, pages } = layWord({ body, footnotes })
      expect(pages).toHaveLength(1)
      expect(lines.at(-1)!.text).toContain('the note')
      expect(lines.at(-1)!.y).toBeGreaterThan(700)
    })
  }
  test('they leave less height for the text', () => {
    const many = Array.from({ length: 60 }, () => p('line')).join('')
    const body = table([row([cell(noted)])], [3000], floats) + many
    const document = readWord({ body, footnotes })
    const laid = lay(document)
    expect(laid.pages).toHaveLength(2)
    expect(auditLayout({ document, ...laid })).toEqual([])
  })
})

describe('breaks made by hand stay inside', () => {
  test('a frame', () => {
    const broken = `<w:p><w:pPr>${frame}</w:pPr><w:r><w:t>one</w:t><w:br w:type="page"/><w:t>two</w:t></w:r></w:p>`
    const { lines } = layWord({ body: broken + p('after') })
    expect(lines.map(({ text }) => text).sort()).toEqual(['after', 'one', 'two'])
  })
  for (const [name, attribute] of [
    ['before', 'fo:break-before="page"'],
    ['after', 'fo:break-after="page"'],
  ] as const)
    for (const band of ['header', 'footer'])
      test(`a ${band} whose paragraph breaks the page ${name}`, async () => {
        const bytes = await openFile({
          body: par('body'),
          masterStyles: parStyle('B', attribute),
          master: `<style:${band}>${par('first')}${par('second', 'B')}${par('third')}</style:${band}>`,
          layouts: '',
        })
        const { lines, pages } = lay(odtReader.read(bytes, { codec: nodeCodec, limits: defaultLimits }).value)
        expect(pages).toHaveLength(1)
        expect(lines.map(({ text }) => text).sort()).toEqual(['body', 'first', 'second', 'third'])
      })
})

import { expect, it } from 'vitest'
import { typedContent } from '../../../../../plugins/formats/xlsx/template/cells.ts'
import { WrappedStyles } from '../../../../../plugins/formats/xlsx/template/wrapped.ts'

it('typed cells: numbers as values, texts inline and escaped, nothing as an empty cell', () => {
  expect(typedContent(1.5, String)).toBe('><v>1.5</v>')
  expect(typedContent('a<b', String)).toBe(' t="inlineStr"><is><t xml:space="preserve">a&lt;b</t></is>')
  expect(typedContent(undefined, () => '')).toBe('>')
})

it('a cell with line breaks gets a style that wraps, once for each style', () => {
  const styles = new WrappedStyles('<styleSheet><cellXfs count="1"><xf numFmtId="0"/></cellXfs></styleSheet>')
  const cell = (style: number) => `<c r="A1" s="${style}"><is><t>{d.v:convCRLF}</t></is></c>`
  expect(styles.apply(`${cell(0)}${cell(0)}`)).toBe(`${cell(1)}${cell(1)}`)
  expect(styles.part).toBe(
    '<styleSheet><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="0" applyAlignment="1"><alignment wrapText="1"/></xf></cellXfs></styleSheet>',
  )
})

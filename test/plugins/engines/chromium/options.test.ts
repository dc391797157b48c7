import { expect, it } from 'vitest'
import plugin from '../../../../plugins/engines/chromium/index.ts'
import { buildGraph } from '../../../../shared/convert/graph.ts'
import { conversionMatrix } from '../../../../shared/convert/matrix.ts'

it('GET /conversions lists the options of the page and of conformance where the browser makes the PDF', () => {
  const [pair] = conversionMatrix(
    buildGraph([plugin]).conversions.filter(({ to }) => to === 'pdf'),
    [plugin],
  )
  expect(pair?.options).toEqual(
    expect.arrayContaining(['FooterTemplate', 'Landscape', 'MarginTop', 'PDFUACompliance', 'PaperSize']),
  )
  expect(pair?.options).not.toContain('PixelWidth')
})

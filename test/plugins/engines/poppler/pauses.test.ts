import { PDFDocument } from 'pdf-lib'
import { afterEach, expect, test, vi } from 'vitest'
import poppler from '../../../../plugins/engines/poppler/index.ts'
import { engineUnder, originHost } from '../../../helpers/engines.ts'

const pageCount = 30
/** Words that differ on each page; text that repeats would be taken for headers. */
const wordsOf = (page: number): string =>
  Array.from({ length: 6 }, (_, at) =>
    'aeioubdglmnrst'
      .repeat(2)
      .slice((page * (at + 1)) % 14)
      .slice(0, 5 + at),
  ).join(' ')
const pdf = await PDFDocument.create()
for (let page = 1; page <= pageCount; page++) {
  const sheet = pdf.addPage([300, 200])
  for (const [line, y] of [150, 130, 110].entries())
    sheet.drawText(wordsOf(page * 3 + line), { x: 20, y, size: 12 })
}
const bytes = await pdf.save()

afterEach(() => vi.restoreAllMocks())

/** Where each look at the clock is long after the last, every place that may pause does. */
test.each([
  // Positions, boxes of words, their union, rulings, and what reads or writes each page.
  ['txt', 5],
  ['fodp', 5],
])('text of a PDF is read page by page, so that others are served in between: %s', async (to, stages) => {
  let clock = Date.now()
  const host = { ...originHost(), now: () => (clock += 50) }
  const { convert } = engineUnder(poppler, host)
  const pauses = vi.spyOn(globalThis, 'setTimeout')
  const { bytes: text } = await convert(bytes, 'pdf', to)
  expect(new TextDecoder().decode(text)).toContain(wordsOf(pageCount * 3).split(' ')[5])
  const turns = pauses.mock.calls.filter(([, delay]) => delay === 0)
  expect(turns.length).toBeGreaterThanOrEqual(stages * pageCount)
})

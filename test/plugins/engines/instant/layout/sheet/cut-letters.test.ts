import { afterEach, describe, expect, it } from 'vitest'
import { word } from '../../../../../../plugins/engines/instant/compat/word.ts'
import { formatWith, lay, plain, wordsOf, workbookOf } from '../../../../../helpers/sheet-layout.ts'

const rule = word as { cutTextShowsAllLetters: boolean }
afterEach(() => {
  rule.cutTextShowsAllLetters = true
})

/** What a cell of 50 pt between two others prints. */
function cut(
  text: string,
  { across = 'left', factor = 1 }: { across?: 'left' | 'right'; factor?: number } = {},
): string {
  const cells = [
    [0, 0, '<'],
    [0, 1, text, 1],
    [0, 2, '>'],
  ] as const
  const [page = ''] = wordsOf(
    lay(workbookOf({ cells, page: { scale: { factor } } }, [plain, formatWith({ across })])),
  )
  return /< (.*) >/.exec(page)?.[1] ?? page
}

describe('text that its cell cuts off', () => {
  it.each<[string, string, Parameters<typeof cut>[1], string, string]>([
    ['of equal letters', 'n'.repeat(20), {}, 'nnnnnnnnn', 'nnnnnnnnn'],
    ['at another scale', 'n'.repeat(20), { factor: 0.7 }, 'nnnnnnnnn', 'nnnnnnnnn'],
    ['that ends at the right', 'n'.repeat(20), { across: 'right' }, 'nnnnnnnnn', 'nnnnnnnnn'],
    ['of wide letters first', `${'m'.repeat(8)}${'i'.repeat(8)}`, {}, 'mmmmmmmmii', 'mmmmmmmmii'],
    ['of narrow letters first', `${'i'.repeat(8)}${'m'.repeat(8)}`, {}, 'iiiiiiiimmmm', 'iiiiiiiimm'],
  ])(
    '%s has the letters that LibreOffice writes and all visible ones',
    (_name, text, options, expected, inLibreOffice) => {
      expect(cut(text, options)).toBe(expected)
      rule.cutTextShowsAllLetters = false
      expect(cut(text, options)).toBe(inLibreOffice)
    },
  )
})

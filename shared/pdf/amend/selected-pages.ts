import { AppError } from '../../errors/app-error.ts'
import { pageRangeRule, pagesOf, parsePageRange } from '../stage/page-range.ts'

/** A range may name a page many times. */
const maxNumbers = 200_000

/** The pages of a range in their order, each once; all pages without a range. Throws 'convert.options'. */
export function selectedPages(range: string | undefined, total: number): readonly number[] {
  if (range === undefined || range.trim() === '')
    return Array.from({ length: total }, (_, index) => index + 1)
  const parsed = parsePageRange(range)
  if (parsed === undefined) throw new AppError('convert.options', { option: 'pages', rule: pageRangeRule })
  const numbers = [...new Set(pagesOf(parsed, total, maxNumbers))].sort((left, right) => left - right)
  if (numbers.length > 0) return numbers
  const rule = `must name at least one of the ${total} pages`
  throw new AppError('convert.options', { option: 'pages', rule })
}

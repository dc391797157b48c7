/** A page range such as `1-3,5,7-` or `-4`, before the number of pages is known. An open end is Infinity. */
export type PageRange = readonly { readonly from: number; readonly to: number }[]

export const pageRangeRule = 'must be a list of pages such as 1-3,5,7-'
const maxParts = 1000

/** Parses a page range. `5-3` means the pages in that order. Returns undefined for what is not a range. */
export function parsePageRange(text: string): PageRange | undefined {
  const parts = text.split(',')
  if (parts.length > maxParts) return undefined
  const ranges: { from: number; to: number }[] = []
  for (const part of parts) {
    // Spaces are trimmed first: a pattern that matches them in several places would try every distribution of them.
    const match = /^(\d{1,7})?(?:\s*(-)\s*(\d{1,7})?)?$/.exec(part.trim())
    const [, first, dash, last] = match ?? []
    if (first === undefined && last === undefined) return undefined
    const from = first === undefined ? 1 : Number(first)
    const to = dash === undefined ? from : last === undefined ? Number.POSITIVE_INFINITY : Number(last)
    if (from < 1 || to < 1) return undefined
    ranges.push({ from, to })
  }
  return ranges
}

/** The selected page numbers in the requested order, without those that the document does not have. */
export function pagesOf(range: PageRange, total: number, maxPages: number): readonly number[] {
  const numbers: number[] = []
  for (const { from, to } of range) {
    if (Math.min(from, to) > total) continue
    const end = Math.min(to, total)
    const start = Math.min(from, total)
    const step = end < start ? -1 : 1
    for (let page = start; page !== end + step && numbers.length <= maxPages; page += step) numbers.push(page)
  }
  return numbers
}

/** `1-3,5,7-`, `-4`: what it selects, before the number of pages is known. */
export type PageRange = readonly { readonly from: number; readonly to: number }[]

export const pageRangeRule = 'must be a list of pages such as 1-3,5,7-'
const mostParts = 1000

/** Undefined: not a range. A range that runs backwards, 5-3, means the pages in that order. */
export function parsePageRange(text: string): PageRange | undefined {
  const parts = text.split(',')
  if (parts.length > mostParts) return undefined
  const ranges: { from: number; to: number }[] = []
  for (const part of parts) {
    // Blanks are trimmed: a pattern that may share them out between its parts tries every way to.
    const found = /^(\d{1,7})?(?:\s*(-)\s*(\d{1,7})?)?$/.exec(part.trim())
    const [, first, dash, last] = found ?? []
    if (first === undefined && last === undefined) return undefined
    const from = first === undefined ? 1 : Number(first)
    const to = dash === undefined ? from : last === undefined ? Number.POSITIVE_INFINITY : Number(last)
    if (from < 1 || to < 1) return undefined
    ranges.push({ from, to })
  }
  return ranges
}

/** The page numbers in the order asked for; those the document does not have are left out. */
export function pagesOf(range: PageRange, total: number, most: number): readonly number[] {
  const numbers: number[] = []
  for (const { from, to } of range) {
    if (Math.min(from, to) > total) continue
    const end = Math.min(to, total)
    const start = Math.min(from, total)
    const step = end < start ? -1 : 1
    for (let page = start; page !== end + step && numbers.length <= most; page += step) numbers.push(page)
  }
  return numbers
}

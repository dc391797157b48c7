/**
 * The format of numbers with zeros before them that is declared by the start of its series, such as "001, 002, ...": the name
 * 'decimalZero', followed by the number of digits where these are more than two. Undefined for any other text.
 * @source w:format of w:numFmt (ECMA-376-1 17.9.17); style:num-format as LibreOffice writes it (ODF 1.3 part 3, 19.502)
 */
export function paddedFormat(series: string): string | undefined {
  const first = /^0{1,4}1(?=\s*(?:,|$))/.exec(series.trim())?.[0]
  if (first === undefined) return undefined
  return first.length === 2 ? 'decimalZero' : `decimalZero${first.length}`
}

/** The text around a run, for scripts whose letters take their form from their neighbours. */
export interface Neighbours {
  readonly before: string
  readonly after: string
}

/** The number of characters beside a text that HarfBuzz takes into account; marks between two letters count. */
const reach = 5
/** Arabic, Syriac, Mandaic, N'Ko and Mongolian letters with their marks, and the joiner. */
const joins =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each mark is meant by itself.
  /[\u0610-\u061a\u0620-\u065f\u066e-\u06d3\u06d5-\u06dc\u06df-\u06e8\u06ea-\u06ef\u06fa-\u06ff\u0710-\u07bf\u07ca-\u07f5\u07fa\u0840-\u085b\u0860-\u086a\u0870-\u08ff\u180b-\u180d\u1820-\u18aa\u200d]/

/** The letters that the text from `start` up to `end` joins on its two sides; undefined when it joins none. */
export function neighboursOf(text: string, start: number, end: number): Neighbours | undefined {
  const before = joinsAt(text, start) && start > 0 ? lettersBefore(text, start) : ''
  const after = joinsAt(text, end - 1) && end < text.length ? lettersFrom(text, end) : ''
  return before === '' && after === '' ? undefined : { before, after }
}

const joinsAt = (text: string, at: number): boolean => joins.test(text.charAt(at))

function lettersBefore(text: string, end: number): string {
  let start = end
  while (start > 0 && end - start < reach && joinsAt(text, start - 1)) start--
  return text.slice(start, end)
}

function lettersFrom(text: string, start: number): string {
  let end = start
  while (end < text.length && end - start < reach && joinsAt(text, end)) end++
  return text.slice(start, end)
}

/** The Unicode normal forms of texts, in time that grows with their lengths alone. */

type NormalForm = 'NFC' | 'NFD' | 'NFKC' | 'NFKD'

/** The number of characters that are normalised together, and how many more where a cut would part a character from its marks. */
const [partLength, maxMarks] = [512, 64]

/**
 * What may become one with the character before it: marks, letters of Hangul, half-width sound marks and the second halves of
 * surrogate pairs.
 */
const joining = /[\p{M}\u1160-\u11ff\uff9e\uff9f\udc00-\udfff]/u

/**
 * The normal form of a text. `String.prototype.normalize` sorts the marks of a character in quadratic time: a million of them
 * would take minutes. Here, those beyond some hundred are sorted by themselves; text that people write has at most 30 (UAX #15,
 * Stream-Safe Text Format).
 */
export function normalForm(text: string, form: NormalForm): string {
  if (text.length <= partLength) return text.normalize(form)
  let normalised = ''
  for (const part of normalFormParts(text, form)) normalised += part
  return normalised
}

/** The same in parts, between which others may run. */
export function* normalFormParts(text: string, form: NormalForm): Generator<string, void> {
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + partLength)
    const last = Math.min(text.length, to + maxMarks)
    while (to < last && joining.test(text.charAt(to))) to++
    yield text.slice(from, to).normalize(form)
    from = to
  }
}

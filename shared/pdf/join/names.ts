import { textOfString, textString } from '../model/text-string.ts'
import { PdfString } from '../model/values.ts'

/** Names in use, compared as text: the same text may be stored in several encodings. */
export interface UsedNames {
  /** Returns the stored form of a name, with a number after it when the name is in use, and marks it as used. */
  claim(raw: string): string
}

export function createUsedNames(initial: Iterable<string> = []): UsedNames {
  const used = new Set<string>()
  /** Where the search for a free number continues, so that a thousand equal names take a thousand steps. */
  const nextNumbers = new Map<string, number>()
  const names: UsedNames = {
    claim(raw) {
      const text = textOfString(new PdfString(raw))
      if (!used.has(text)) {
        used.add(text)
        return raw
      }
      let number = nextNumbers.get(text) ?? 2
      while (used.has(`${text}_${number}`)) number++
      nextNumbers.set(text, number + 1)
      used.add(`${text}_${number}`)
      return textString(`${text}_${number}`).raw
    },
  }
  for (const raw of initial) names.claim(raw)
  return names
}

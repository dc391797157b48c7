import type { PdfDocument } from './document.ts'
import { PdfDict, PdfString, type PdfValue } from './values.ts'

/** All entries of a name tree, in no particular order; cycles and what is broken are passed over. ISO 32000-2, 7.9.6. */
export function nameTreeEntries(
  document: PdfDocument,
  root: PdfValue,
): readonly (readonly [string, PdfValue])[] {
  const entries: (readonly [string, PdfValue])[] = []
  const seen = new Set<PdfDict>()
  const stack = [root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const found = document.resolve(node)
    if (!(found instanceof PdfDict) || seen.has(found)) continue
    seen.add(found)
    const kids = document.resolve(found.get('Kids'))
    if (Array.isArray(kids)) for (const kid of kids) stack.push(kid)
    const names = document.resolve(found.get('Names'))
    if (!Array.isArray(names)) continue
    for (let at = 0; at + 1 < names.length; at += 2) {
      const key = document.resolve(names[at]!)
      if (key instanceof PdfString) entries.push([key.raw, names[at + 1]!])
    }
  }
  return entries
}

import type { PdfDocument } from '../../model/document.ts'
import { PdfDict, PdfRef, PdfStream, type PdfValue } from '../../model/values.ts'

/** Visits every dictionary that would be written to the file once, including those of streams. */
export function walkDictionaries(
  document: PdfDocument,
  visit: (dict: PdfDict, stream: PdfStream | undefined) => void,
): void {
  const seen = new Set<PdfDict | PdfStream | PdfValue[] | number>()
  const stack: PdfValue[] = [document.trailer.get('Info'), document.catalog]
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    if (value instanceof PdfRef) {
      if (seen.has(value.id)) continue
      seen.add(value.id)
      value = document.resolve(value)
    }
    if (Array.isArray(value)) {
      for (const item of value) if (typeof item === 'object' && item !== null) stack.push(item)
      continue
    }
    const stream = value instanceof PdfStream ? value : undefined
    const dict = stream?.dict ?? value
    if (!(dict instanceof PdfDict) || seen.has(dict)) continue
    seen.add(dict)
    visit(dict, stream)
    for (const value of dict.entries.values())
      if (typeof value === 'object' && value !== null) stack.push(value)
  }
}

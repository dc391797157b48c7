import { nodeCodec } from '../../origin/codec.ts'
import { pdfLimits } from '../../shared/pdf/model/limits.ts'
import { type PdfDict, PdfRef, PdfStream, type PdfValue } from '../../shared/pdf/model/values.ts'
import { openPdf } from '../../shared/pdf/read/open.ts'
import { formatValue } from '../../shared/pdf/write/syntax.ts'
import { stream, textOf } from './pdf.ts'

/** Objects between empty lines, those of streams with their content below the dictionary, as `pdfOf` takes them. */
export function objectsIn(text: string): string[] {
  return text.split('\n\n').map((object) => {
    const [, entries = '', content] = /^<<(.*?)>>\n([\s\S]*)$/.exec(object) ?? []
    return content === undefined ? object : stream(content, entries)
  })
}

/** The version of a file and its objects in the order in which they are met from the catalogue, streams decoded. */
export function printObjects(bytes: Uint8Array): string {
  const document = openPdf(bytes, nodeCodec, pdfLimits)
  const numbers = new Map<number, number>()
  const queue: PdfValue[] = []
  const numberOf = (id: number): number => {
    const number = numbers.get(id) ?? numbers.size + 1
    if (!numbers.has(id)) queue.push(document.resolve(new PdfRef(id)))
    numbers.set(id, number)
    return number
  }
  const inLines = (dict: PdfDict): string =>
    [...dict.entries].map(([key, value]) => `\n  /${key} ${formatValue(value, numberOf)}`).join('')
  const root = document.trailer.get('Root') ?? null
  if (root instanceof PdfRef) numberOf(root.id)
  const lines: string[] = [`PDF ${document.version.toFixed(1)}`]
  for (let at = 0; at < queue.length; at++) {
    const value = queue[at] ?? null
    if (!(value instanceof PdfStream)) lines.push(`${at + 1} ${formatValue(value, numberOf)}`)
    else {
      const content = document.inflater.content(value, document.resolve, 100_000) ?? new Uint8Array()
      const shown = /^[\n\r\t -~]*$/.test(textOf(content)) ? textOf(content) : `${content.length} bytes`
      lines.push(`${at + 1} stream${inLines(value.dict)}\n${shown.trimEnd()}`)
    }
  }
  return `${lines.join('\n')}\n`
}

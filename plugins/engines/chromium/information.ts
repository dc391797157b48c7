/** Appends the properties of a document to a PDF as an incremental update (ISO 32000-2, 7.5.6). */

export interface Information {
  readonly title: string
  readonly author?: string | undefined
  readonly subject?: string | undefined
  readonly keywords?: string | undefined
  readonly now: number // ms since the epoch
}

const producer = 'platen'
const tailBytes = 4096

/** Returns the file with these properties, or unchanged when its end is not as this browser writes it. */
export function withInformation(pdf: Uint8Array, information: Information): Uint8Array {
  const tail = new TextDecoder('latin1').decode(pdf.subarray(Math.max(0, pdf.length - tailBytes)))
  const trailer = /trailer\s*<<([\s\S]*?)>>\s*startxref\s+(\d+)\s+%%EOF\s*$/.exec(tail)
  const size = /\/Size (\d+)/.exec(trailer?.[1] ?? '')?.[1]
  const root = /\/Root (\d+ \d+ R)/.exec(trailer?.[1] ?? '')?.[1]
  if (trailer === null || size === undefined || root === undefined) return pdf
  const id = Number(/\/Info (\d+) 0 R/.exec(trailer[1] ?? '')?.[1] ?? size)
  const date = `(D:${new Date(information.now).toISOString().slice(0, 19).replace(/\D/g, '')}Z)`
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Title', textString(information.title)],
    ['Author', textString(information.author)],
    ['Subject', textString(information.subject)],
    ['Keywords', textString(information.keywords)],
    ['Producer', textString(producer)],
    ['CreationDate', date],
    ['ModDate', date],
  ]
  const entries = rows.map(([name, value]) => (value === undefined ? '' : `/${name} ${value}`)).join('')
  const start = pdf.length
  const object = `\n${id} 0 obj\n<<${entries}>>\nendobj\n`
  const table = start + object.length
  const end = `xref\n${id} 1\n${String(start + 1).padStart(10, '0')} 00000 n \ntrailer\n<</Size ${Math.max(Number(size), id + 1)}/Root ${root}/Info ${id} 0 R/Prev ${trailer[2]}>>\nstartxref\n${table}\n%%EOF\n`
  const added = new TextEncoder().encode(object + end)
  const extended = new Uint8Array(pdf.length + added.length)
  extended.set(pdf)
  extended.set(added, pdf.length)
  return extended
}

/** A text string: ASCII unchanged, all else as UTF-16 (ISO 32000-2, 7.9.2.2). Undefined for an empty text. */
function textString(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  if (/^[\x20-\x7e]*$/.test(text)) return `(${text.replace(/[\\()]/g, '\\$&')})`
  let hex = 'feff'
  for (let at = 0; at < text.length; at++) hex += text.charCodeAt(at).toString(16).padStart(4, '0')
  return `<${hex}>`
}

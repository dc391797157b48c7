/** Operators of a content stream, ISO 32000-2, 7.8.2 and annex A. */
import type { Dict, Structure, Value } from './structure.ts'

export interface Operator {
  readonly name: string
  readonly operands: readonly Operand[]
}
/** Names begin with '/', strings are { text }, dictionaries and pictures in the line { words }. */
export type Operand =
  | number
  | string
  | readonly Operand[]
  | { readonly text: string }
  | { readonly words: string }

const known = new Set(
  `b B b* B* BDC BI BMC BT BX c cm CS cs d d0 d1 Do DP EI EMC ET EX f F f* G g gs h i ID j J K k l m M MP n q Q re RG rg
  ri s S SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' "`.split(/\s+/),
)

export const isKnown = (operator: string): boolean => known.has(operator)

export function readOperators(data: Uint8Array): readonly Operator[] {
  const text = Buffer.from(data).toString('latin1')
  const token =
    /%[^\r\n]*|\(|<<|>>|<[0-9A-Fa-f\s]*>|\[|\]|\/[^\s()<>[\]{}/%]*|[+-]?(?:\d+\.?\d*|\.\d+)(?![^\s()<>[\]{}/%])|[^\s()<>[\]{}/%]+/g
  const operators: Operator[] = []
  let stack: Operand[] = []
  const open: { list: Operand[]; from: number }[] = []
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [word] = found
    if (word.startsWith('%')) continue
    if (word === '(') {
      const end = endOfString(text, found.index)
      stack.push({ text: text.slice(found.index + 1, end - 1) })
      token.lastIndex = end
    } else if (word === '[' || word === '<<') {
      open.push({ list: stack, from: found.index })
      stack = []
    } else if (word === ']' || word === '>>') {
      const outer = open.pop()
      if (outer === undefined) continue
      const made = word === ']' ? stack : { words: text.slice(outer.from, found.index + 2) }
      stack = outer.list
      stack.push(made)
    } else if (word.startsWith('<'))
      stack.push({ text: Buffer.from(word.slice(1, -1), 'hex').toString('latin1') })
    else if (word.startsWith('/')) stack.push(word)
    else if (/^[+-]?(\d|\.\d)/.test(word)) stack.push(Number(word))
    else if (word === 'true' || word === 'false' || word === 'null') stack.push(word)
    else if (word === 'BI') {
      const data = text.indexOf('ID', found.index)
      const end = /\sEI(?=\s|$)/.exec(text.slice(data))
      operators.push({ name: 'BI', operands: [{ words: text.slice(found.index + 2, data) }] })
      token.lastIndex = end === null ? text.length : data + end.index + 3
      stack = []
    } else {
      operators.push({ name: word, operands: stack })
      stack = []
    }
  }
  return operators
}

function endOfString(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) return at + 1
  }
  return text.length
}

/** A content with what its names mean. */
export interface Content {
  readonly where: string
  readonly operators: readonly Operator[]
  readonly resources: Dict
  readonly page?: number // index; of what belongs to the page's own stream
}

/** Everything that draws: pages, forms, patterns, glyphs of Type 3 fonts, looks of annotations; each once. */
export function contentsOf(pdf: Structure): readonly Content[] {
  const found: Content[] = []
  const seen = new Set<string>()
  const nested = (resources: Dict) => {
    for (const kind of ['/XObject', '/Pattern']) {
      for (const one of Object.values(pdf.dict(resources[kind]) ?? {})) form(one, resources)
    }
    for (const one of Object.values(pdf.dict(resources['/Font']) ?? {})) {
      const font = pdf.dict(one)
      if (font?.['/Subtype'] !== '/Type3') continue
      const own = pdf.dict(font['/Resources']) ?? resources
      for (const glyph of Object.values(pdf.dict(font['/CharProcs']) ?? {})) form(glyph, own)
    }
  }
  const form = (value: Value, outer: Dict) => {
    if (typeof value !== 'string' || seen.has(value)) return
    seen.add(value)
    const stream = pdf.stream(value)
    const about = pdf.dict(value)
    if (stream?.data === undefined || about?.['/Subtype'] === '/Image') return
    const resources = pdf.dict(about?.['/Resources']) ?? outer
    found.push({ where: value, operators: readOperators(stream.data), resources })
    nested(resources)
  }
  for (const [page, { id, dict, resources }] of pdf.pages.entries()) {
    const parts = pdf.stream(dict['/Contents']) ? [dict['/Contents'] as Value] : pdf.array(dict['/Contents'])
    const data = Buffer.concat(
      parts.flatMap((part) => [pdf.stream(part)?.data ?? new Uint8Array(), Buffer.from('\n')]),
    )
    found.push({ where: `page ${id}`, operators: readOperators(data), resources, page })
    nested(resources)
    for (const annotation of pdf.array(dict['/Annots'])) {
      for (const look of Object.values(pdf.dict(pdf.dict(annotation)?.['/AP']) ?? {})) {
        const states = pdf.stream(look) === undefined ? Object.values(pdf.dict(look) ?? {}) : [look]
        for (const state of states) form(state, resources)
      }
    }
  }
  return found
}

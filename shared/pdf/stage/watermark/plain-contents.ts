/**
 * Writes a content stream anew, so that every reader sees the same operators in it: strings, arrays and dictionaries end, states,
 * text objects and marked content that it opens are closed, and none is closed that it did not open. Readers differ in what
 * they make of anything else, such as a string without an end, which would swallow what is drawn after it. ISO 32000-2, 7.8.2.
 */
import { binaryBytes, binaryText } from '../../../bytes.ts'
import { endOfString } from '../../read/content-operators.ts'

/** An inline image: how many bytes it has is for each reader to guess. */
export interface InlineImage {
  /** The tokens between BI and ID, which are keys and values. */
  readonly entries: string
  readonly data: Uint8Array
}

/** ISO 32000-2, annex A, without those of inline images and BX, EX, which allow operators of later versions. */
const operators: ReadonlySet<string> = new Set(
  `b B b* B* BDC BMC BT c cm CS cs d d0 d1 Do DP EMC ET f F f* G g gs h i j J K k l m M MP n q Q re RG rg ri s S SC sc SCN
  scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' "`.split(/\s+/),
)
const constants: ReadonlySet<string> = new Set(['true', 'false', 'null'])

/** White space and comments, delimiters, hexadecimal strings, names, numbers, words, in this order. ISO 32000-2, 7.2. */
const token =
  /([\0\t\n\f\r ]+|%[^\r\n]*)|(<<|>>|[[\]])|(<[^>]*>?)|(\/[^\0\t\n\f\r ()<>[\]{}/%]*)|([+-]?(?:\d+\.?\d*|\.\d+))|([^\0\t\n\f\r ()<>[\]{}/%\d+.-][^\0\t\n\f\r ()<>[\]{}/%]*)|[\s\S]/y
const imageEnd = /[\0\t\n\f\r ]EI(?=[\0\t\n\f\r ]|$)/g
const closing: ReadonlyMap<string, string> = new Map([
  ['[', ']'],
  ['<<', '>>'],
])

/** `nameOf` returns the name of an XObject for an inline image, undefined for one that is left out. */
export function plainContents(
  content: Uint8Array,
  nameOf: (image: InlineImage) => string | undefined,
): Uint8Array<ArrayBuffer> {
  const text = binaryText(content)
  const writer = createWriter()
  let inImage = false // between BI and ID
  for (let at = 0; at < text.length; ) {
    if (text[at] === '(') {
      const end = endOfString(text, at)
      // No reader shows what follows.
      if (end === undefined) break
      writer.operand(text.slice(at, end))
      at = end
      continue
    }
    token.lastIndex = at
    const [all = '', space, delimiter, hex, name, number, word] = token.exec(text) ?? []
    at += Math.max(1, all.length)
    if (space !== undefined) continue
    if (delimiter !== undefined) writer.delimiter(delimiter)
    else if (hex !== undefined) writer.operand(`<${hex.replace(/[^0-9A-Fa-f]/g, '')}>`)
    else if (name !== undefined || number !== undefined) writer.operand(all)
    else if (word === undefined) continue
    else if (constants.has(word)) writer.operand(word)
    else if (word === 'ID' && inImage && !writer.isNested()) {
      const image = readImage(content, text, at, writer.drop())
      if (image === undefined) break
      inImage = false
      at = image.end
      const xobject = nameOf(image)
      if (xobject !== undefined) writer.operator(`/${xobject} Do`)
    } else inImage = writeWord(writer, word, inImage)
  }
  return binaryBytes(writer.end())
}

/** The inline image whose data follow the keyword ID, which ends at `at`; undefined where they have no end. */
function readImage(
  content: Uint8Array,
  text: string,
  at: number,
  entries: string,
): (InlineImage & { readonly end: number }) | undefined {
  imageEnd.lastIndex = at
  const keyword = imageEnd.exec(text)
  if (keyword === null) return undefined
  const data = content.subarray(at + 1, keyword.index)
  return { entries, data, end: keyword.index + keyword[0].length }
}

/** Writes a word that is not a constant. Returns whether an inline image is open after it. */
function writeWord(writer: Writer, word: string, inImage: boolean): boolean {
  if (writer.isNested()) writer.operand('null')
  else if (word === 'BI') {
    writer.drop()
    return true
  } else if (inImage) writer.operand('null')
  else if (operators.has(word)) writer.operator(word)
  else writer.drop()
  return inImage
}

type Writer = ReturnType<typeof createWriter>

function createWriter() {
  const lines: string[] = []
  let operands: string[] = []
  const open: string[] = [] // brackets
  let [states, marks, inText] = [0, 0, false]
  const drop = () => {
    const dropped = operands.join(' ')
    operands = []
    open.length = 0
    return dropped
  }
  return {
    drop,
    isNested: () => open.length > 0,
    operand: (value: string) => void operands.push(value),
    /** A bracket that closes none is left out, as readers do. */
    delimiter(bracket: string): void {
      if (closing.has(bracket)) open.push(bracket)
      else if (closing.get(open.at(-1) ?? '') === bracket) open.pop()
      else return
      operands.push(bracket)
    },
    /** An operator that closes what is not open, or opens a text object in another, is left out. */
    operator(name: string): void {
      const isUnmatched =
        (name === 'Q' && states === 0) ||
        (name === 'EMC' && marks === 0) ||
        (name === 'BT' && inText) ||
        (name === 'ET' && !inText)
      if (!isUnmatched) {
        if (name === 'q') states++
        else if (name === 'Q') states--
        else if (name === 'BMC' || name === 'BDC') marks++
        else if (name === 'EMC') marks--
        else if (name === 'BT' || name === 'ET') inText = name === 'BT'
        operands.push(name)
        lines.push(operands.join(' '))
      }
      drop()
    },
    /** The stream, with what it leaves open closed. */
    end(): string {
      drop()
      if (inText) lines.push('ET')
      return [...lines, ...Array<string>(marks).fill('EMC'), ...Array<string>(states).fill('Q'), ''].join(
        '\n',
      )
    },
  }
}

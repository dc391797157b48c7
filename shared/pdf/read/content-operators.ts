/** One operator of a content stream, and where it is with its operands. ISO 32000-2, 7.8.2. */
export interface ContentOperator {
  readonly name: string // an inline image counts as one operator, 'BI'
  /** The position of the first operand, or of the operator when it has none. */
  readonly from: number
  readonly to: number
}

const word = /[\0\t\n\f\r ]+|%[^\r\n]*|<<|>>|<[^>]*>?|\/?[^\0\t\n\f\r ()<>[\]{}/%]+|[\s\S]/y
const operand = /^([/<>[\]{}]|[+-]?[.\d]|(true|false|null)$)/

/** Lists the operators of a content stream in order. `content` holds one character for each byte. */
export function* contentOperators(text: string): Generator<ContentOperator> {
  let from = -1
  let picture = -1
  word.lastIndex = 0
  for (let at = 0; at < text.length; ) {
    word.lastIndex = at
    const operator = word.exec(text)![0]
    const start = at
    at += operator.length
    if (/^[\0\t\n\f\r %]/.test(operator)) continue
    if (from < 0) from = start
    if (operator === '(') at = endOfString(text, start) ?? text.length
    else if (operator === ')' || operand.test(operator)) continue
    else if (operator === 'BI') picture = from
    else if (operator === 'ID' && picture >= 0) {
      at = endOfPicture(text, at)
      yield { name: 'BI', from: picture, to: at }
      from = picture = -1
    } else if (picture < 0) {
      yield { name: operator, from, to: at }
      from = -1
    }
  }
}

/** The position after a string, which may contain balanced parentheses. Undefined for one that does not end. */
export function endOfString(text: string, from: number): number | undefined {
  let open = 0
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (character === '\\') at++
    else if (character === '(') open++
    else if (character === ')' && --open === 0) return at + 1
  }
  return undefined
}

function endOfPicture(text: string, from: number): number {
  const end = /[\0\t\n\f\r ]EI(?=[\0\t\n\f\r ]|$)/g
  end.lastIndex = from
  const match = end.exec(text)
  return match === null ? text.length : match.index + 3
}

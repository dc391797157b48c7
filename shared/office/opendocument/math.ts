import type { MathNode, MathText } from '../../document/math.ts'
import type { XmlCursor } from '../../xml/cursor.ts'

/**
 * Reads a formula object, MathML 3. The cursor stands on math:math or on any element
 * with the same content.
 */
export function readMathMl(cursor: XmlCursor): MathNode {
  return joined(children(cursor))
}

/** `fence` scripts an operator that can enclose a row together with a second one. */
type MathPart = MathNode & { readonly fence?: boolean }

function children(cursor: XmlCursor): MathPart[] {
  const parts: MathPart[] = []
  cursor.each((name) => {
    const part = readElement(cursor, name)
    if (part !== undefined) parts.push(part)
  })
  return parts
}

/** Characters that are fences by default. */
const bracket = /^[()[\]{}|‖⌈⌉⌊⌋⟨⟩〈〉]$/u
/** Large operators, such as sums and integrals, which take everything after them as their body. */
const large = /^[∑∏∐∫∬∭∮∯∰⋂⋃⋀⋁⨁⨂]$/u
const textOf = (part: MathNode | undefined): string => (part?.kind === 'text' ? part.text : '')

/**
 * Combines the children of a row. Fences at both ends enclose what is between them, and a large operator
 * takes everything after it as its body.
 */
function joined(parts: readonly MathPart[]): MathNode {
  const first = parts[0]
  const last = parts.at(-1)
  if (parts.length >= 2 && first?.fence === true && last?.fence === true) {
    const items = [joined(parts.slice(1, -1))]
    return { kind: 'fence', open: textOf(first), close: textOf(last), between: '', items }
  }
  const at = parts.findIndex((part) => part.kind === 'operator' && part.body === nothing)
  if (at >= 0 && at < parts.length - 1) {
    const sign = parts[at] as Extract<MathNode, { kind: 'operator' }>
    return row([...parts.slice(0, at), { ...sign, body: joined(parts.slice(at + 1)) }])
  }
  return row(parts)
}

const row = (items: readonly MathNode[]): MathNode =>
  items.length === 1 ? items[0]! : { kind: 'row', items }
const nothing: MathNode = { kind: 'row', items: [] }

function readElement(cursor: XmlCursor, name: string): MathPart | undefined {
  switch (name) {
    case 'math:mi':
    case 'math:mn':
    case 'math:mo':
    case 'math:mtext':
    case 'math:ms':
      return readToken(cursor, name)
    case 'math:mspace':
      return { kind: 'text', text: '\u2003', style: 'plain' }
    case 'math:annotation':
    case 'math:annotation-xml':
    case 'math:mphantom':
      return undefined
    case 'math:mfrac': {
      const none = /^0(\D|$)/.test(cursor.attribute('linethickness') ?? '1')
      const slanted = cursor.attribute('bevelled') === 'true'
      const [above = nothing, below = nothing] = children(cursor)
      return { kind: 'fraction', above, below, bar: slanted ? 'slanted' : none ? 'none' : 'line' }
    }
    case 'math:msqrt':
      return { kind: 'root', inside: joined(children(cursor)) }
    case 'math:mroot': {
      const [inside = nothing, degree = nothing] = children(cursor)
      return { kind: 'root', inside, degree }
    }
    case 'math:msup':
    case 'math:msub':
    case 'math:msubsup':
      return scripts(name, children(cursor))
    case 'math:mover':
    case 'math:munder':
    case 'math:munderover':
      return limits(name, children(cursor))
    case 'math:mmultiscripts':
      return readMultiscripts(cursor)
    case 'math:mfenced': {
      const open = cursor.attribute('open') ?? '('
      const close = cursor.attribute('close') ?? ')'
      const between = (cursor.attribute('separators') ?? ',').trim().slice(0, 1)
      return { kind: 'fence', open, close, between, items: children(cursor) }
    }
    case 'math:mtable':
      return readTable(cursor)
    case 'math:menclose': {
      const box = (cursor.attribute('notation') ?? '').includes('box')
      const base = joined(children(cursor))
      return box ? { kind: 'framed', base } : base
    }
    default:
      return readMathMl(cursor)
  }
}

/** math:mi, math:mn, math:mo, math:mtext, math:ms: text and its style (MathML 3, 3.2). */
function readToken(cursor: XmlCursor, name: string): MathPart {
  const variant = cursor.attribute('mathvariant') ?? ''
  const stretchy = cursor.attribute('stretchy') !== 'false'
  const isFence = cursor.attribute('fence') === 'true'
  const text = cursor.text().trim()
  const bold = variant.includes('bold')
  const isRoman = name !== 'math:mi' ? name === 'math:mtext' : variant === 'normal' || variant === 'bold'
  const node: MathText = {
    kind: 'text',
    text,
    style: isRoman || isName(name, text, variant) ? (bold ? 'bold' : 'plain') : bold ? 'bold-math' : 'math',
  }
  if (name !== 'math:mo') return node
  if (large.test(text)) return { kind: 'operator', sign: text, body: nothing, limits: 'beside' }
  return isFence || (stretchy && bracket.test(text)) ? { ...node, fence: true } : node
}

/** Identifiers of several letters (sin, lim) are not italic by default (MathML 3, 3.2.3). */
const isName = (name: string, text: string, variant: string): boolean =>
  name === 'math:mi' && text.length > 1 && !variant.includes('italic')

function scripts(name: string, [base = nothing, first, second]: readonly MathPart[]): MathPart {
  const sub = name === 'math:msup' ? undefined : first
  const sup = name === 'math:msup' ? first : second
  const attached = { ...(sub !== undefined && { sub }), ...(sup !== undefined && { sup }) }
  return base.kind === 'operator' ? { ...base, ...attached } : { kind: 'scripts', base, ...attached }
}

/**
 * math:mmultiscripts: the base, scripts after it in pairs, and after math:mprescripts those before it. Only
 * one pair on each side is kept.
 */
function readMultiscripts(cursor: XmlCursor): MathPart {
  const after: (MathPart | undefined)[] = []
  const before: (MathPart | undefined)[] = []
  let list = after
  cursor.each((name) => {
    if (name === 'math:mprescripts') list = before
    else list.push(name === 'math:none' ? undefined : readElement(cursor, name))
  })
  const [base = nothing, ...attached] = after
  const withScripts = (
    inner: MathNode,
    [sub, sup]: readonly (MathPart | undefined)[],
    first: boolean,
  ): MathNode =>
    sub === undefined && sup === undefined
      ? inner
      : {
          kind: 'scripts',
          base: inner,
          ...(sub !== undefined && { sub }),
          ...(sup !== undefined && { sup }),
          ...(first && { before: true }),
        }
  return withScripts(withScripts(base, attached, false), before, true)
}

/** Characters that are accents when they are alone above or below a base. */
const accent = /^(?:[\u00a8\u00af\u00b4\u02c6\u02c7\u02d8-\u02dc\u203e\u2190\u2192\u23de\u23df^~_]|\p{M})$/u

/** math:munder, math:mover, math:munderover: limits of an operator, an accent, or text above and below. */
function limits(name: string, [base = nothing, first, second]: readonly MathPart[]): MathPart {
  const under = name === 'math:mover' ? undefined : first
  const over = name === 'math:mover' ? first : second
  const only = under ?? over
  if (base.kind === 'operator') {
    const attached = { ...(under !== undefined && { sub: under }), ...(over !== undefined && { sup: over }) }
    return { ...base, ...attached, limits: 'around' }
  }
  if (name !== 'math:munderover' && only !== undefined && accent.test(textOf(only)))
    return { kind: 'accent', base, sign: textOf(only), at: under === undefined ? 'above' : 'below' }
  return {
    kind: 'limits',
    base,
    ...(under !== undefined && { under }),
    ...(over !== undefined && { over }),
  }
}

const maxCells = 10_000

function readTable(cursor: XmlCursor): MathNode {
  const rows: MathNode[][] = []
  let left = maxCells
  let align: 'center' | 'left' = 'center'
  cursor.each((child) => {
    if (child !== 'math:mtr' || left <= 0) return
    const cells: MathNode[] = []
    cursor.each((cell) => {
      if (cell !== 'math:mtd' || --left < 0) return
      if (cursor.attribute('columnalign') === 'left') align = 'left'
      cells.push(readMathMl(cursor))
    })
    rows.push(cells)
  })
  return { kind: 'table', rows, align }
}

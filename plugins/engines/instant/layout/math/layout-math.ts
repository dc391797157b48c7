/**
 * Lays out equations as boxes: parts are laid out from the inside out and stacked. Proportions are those of
 * printed mathematics and the same for all faces, because the faces that office documents name are often
 * missing, and with them their math tables.
 */

import type { MathNode, MathText } from '../../../../../shared/document/math.ts'
import { entryOf } from '../../../../../shared/entry-of.ts'
import { maxOf } from '../../../../../shared/extremes.ts'
import { pushAll } from '../../../../../shared/push-all.ts'
import type { Placed, Pt } from '../frame.ts'
import {
  axis,
  barThickness,
  emptyBox,
  filled,
  inRow,
  type MathBox,
  type MathStyle,
  moved,
  smaller,
  stroked,
  textBox,
} from './box.ts'
import { delimiter, radical, stretched } from './signs.ts'

/** Maximum nesting of parts; deeper ones are dropped. */
const maxDepth = 60

export function layoutMath(node: MathNode, style: MathStyle, depth = 0): MathBox {
  style.tools.check()
  if (depth > maxDepth || --style.budget.left < 0) return emptyBox
  const lay = (part: MathNode, how = style): MathBox => layoutMath(part, how, depth + 1)
  switch (node.kind) {
    case 'text':
      return layoutText(node, style)
    case 'row':
      return inRow(
        node.items.map((item) => lay(item)),
        style.script > 0 ? 0 : 0.07 * style.size,
      )
    case 'fraction':
      return node.bar === 'slanted'
        ? slanted(style, lay(node.above), lay(node.below))
        : fraction(style, lay(node.above), lay(node.below), node.bar === 'line')
    case 'scripts': {
      const small = smaller(style)
      return scripts(
        style,
        lay(node.base),
        { sub: node.sub && lay(node.sub, small), sup: node.sup && lay(node.sup, small) },
        node.before === true,
      )
    }
    case 'limits': {
      const small = smaller(style)
      return stacked(
        style,
        lay(node.base),
        node.under && lay(node.under, small),
        node.over && lay(node.over, small),
      )
    }
    case 'root':
      return radical(style, lay(node.inside), node.degree && lay(node.degree, smaller(smaller(style))))
    case 'operator':
      return operator(style, node, lay)
    case 'fence': {
      const inner = node.items.map((item) => lay(item))
      const ascent = Math.max(0, maxOf(inner.map((box) => box.ascent)))
      const descent = Math.max(0, maxOf(inner.map((box) => box.descent)))
      const sign = (text: string): MathBox => delimiter(style, text, ascent, descent)
      const parts = inner.flatMap((box, index) => (index === 0 ? [box] : [sign(node.between), box]))
      return inRow([sign(node.open), ...parts, sign(node.close)])
    }
    case 'table':
      return table(
        style,
        node.rows.map((row) => row.map((cell) => lay(cell))),
        node.align,
      )
    case 'accent':
      return accent(style, lay(node.base), node.sign, node.at === 'above')
    case 'framed': {
      const base = lay(node.base)
      const gap = 0.15 * style.size
      const [width, height] = [base.width + 2 * gap, base.ascent + base.descent + 2 * gap]
      const frame = stroked(
        [['R', 0, -base.ascent - gap, width, height]],
        style.colour,
        barThickness * style.size,
      )
      return {
        width,
        ascent: base.ascent + gap,
        descent: base.descent + gap,
        items: [frame, ...moved(base.items, gap, 0)],
      }
    }
    default:
      return node satisfies never
  }
}

const relations = /[=<>≤≥≠≈≡∼≃≅∝→←↔⇒⇐⇔∈∉⊂⊃⊆⊇∣∥⊥≪≫↦:]/u
const binaries = /[+\u2212±∓×÷·∙⋅∗*∪∩∧∨⊕⊗∘]/u

/**
 * Lays out text: letters in italics, everything else in roman, with space around operators between two
 * operands.
 */
function layoutText(node: MathText, style: MathStyle): MathBox {
  const bold = node.style.startsWith('bold')
  if (node.style === 'plain' || node.style === 'bold') return textBox(style, node.text, bold)
  const text = node.text.replaceAll('-', '\u2212')
  const parts = text.match(/\p{L}+|[^\p{L}]/gu) ?? []
  const maxParts = Math.max(0, style.budget.left)
  style.budget.left -= parts.length
  const boxes = parts.slice(0, maxParts).map((part, index): MathBox => {
    const box = textBox(style, part, bold, /\p{L}/u.test(part))
    const air = style.script > 0 ? 0 : relations.test(part) ? 0.2 : binaries.test(part) ? 0.16 : 0
    // A sign at the start belongs to the operand after it.
    if (air === 0 || (index === 0 && parts.length > 1 && binaries.test(part))) return box
    const margin = air * style.size
    return { ...box, width: box.width + 2 * margin, items: moved(box.items, margin, 0) }
  })
  return inRow(boxes)
}

function fraction(style: MathStyle, above: MathBox, below: MathBox, bar: boolean): MathBox {
  const { size } = style
  const line = barThickness * size
  const gap = 0.12 * size
  const width = Math.max(above.width, below.width) + 0.2 * size
  const middle = -axis * size
  const up = middle - line / 2 - gap - above.descent
  const down = middle + line / 2 + gap + below.ascent
  const items = [
    ...moved(above.items, (width - above.width) / 2, up),
    ...moved(below.items, (width - below.width) / 2, down),
  ]
  if (bar) items.push(filled([['R', 0, middle - line / 2, width, line]], style.colour))
  const margin = 0.08 * size
  return {
    width: width + 2 * margin,
    ascent: above.ascent - up,
    descent: down + below.descent,
    items: moved(items, margin, 0),
  }
}

function slanted(style: MathStyle, above: MathBox, below: MathBox): MathBox {
  const { size, colour } = style
  const rise = 0.35 * size
  const gap = 0.3 * size
  const top = -above.ascent - rise
  const bottom = below.descent + rise
  const x = above.width
  const line = stroked(
    [
      ['M', x, bottom],
      ['L', x + gap, top],
    ],
    colour,
    barThickness * size,
  )
  return {
    width: above.width + gap + below.width,
    ascent: -top,
    descent: bottom,
    items: [...moved(above.items, 0, -rise), line, ...moved(below.items, x + gap, rise)],
  }
}

interface Scripts {
  readonly sub?: MathBox | undefined
  readonly sup?: MathBox | undefined
}

function scripts(style: MathStyle, base: MathBox, { sub, sup }: Scripts, before: boolean): MathBox {
  const { size } = style
  let rise = Math.max(0.36 * size, base.ascent - 0.4 * size)
  let drop = Math.max(0.18 * size, base.descent - 0.06 * size)
  if (sub !== undefined && sup !== undefined) {
    // Superscript and subscript keep a minimum distance.
    const overlap = 0.06 * size - (rise - sup.descent + drop - sub.ascent)
    if (overlap > 0) {
      rise += overlap / 2
      drop += overlap / 2
    }
  }
  const wide = Math.max(sub?.width ?? 0, sup?.width ?? 0) + 0.05 * size
  const x = before ? 0 : base.width + 0.03 * size
  const end = (box: MathBox): Pt => (before ? wide - box.width : 0)
  const items: Placed[] = moved(base.items, before ? wide : 0, 0)
  if (sup !== undefined) pushAll(items, moved(sup.items, x + end(sup), -rise))
  if (sub !== undefined) pushAll(items, moved(sub.items, x + end(sub), drop))
  return {
    width: base.width + wide,
    ascent: Math.max(base.ascent, sup === undefined ? 0 : rise + sup.ascent),
    descent: Math.max(base.descent, sub === undefined ? 0 : drop + sub.descent),
    items,
  }
}

function stacked(
  style: MathStyle,
  base: MathBox,
  under: MathBox | undefined,
  over: MathBox | undefined,
): MathBox {
  const gap = 0.1 * style.size
  const width = Math.max(base.width, under?.width ?? 0, over?.width ?? 0)
  const middle = (box: MathBox): Pt => (width - box.width) / 2
  const items = moved(base.items, middle(base), 0)
  let { ascent, descent } = base
  if (over !== undefined) {
    pushAll(items, moved(over.items, middle(over), -ascent - gap - over.descent))
    ascent += gap + over.descent + over.ascent
  }
  if (under !== undefined) {
    pushAll(items, moved(under.items, middle(under), descent + gap + under.ascent))
    descent += gap + under.ascent + under.descent
  }
  return { width, ascent, descent, items }
}

type OperatorNode = Extract<MathNode, { kind: 'operator' }>

function operator(
  style: MathStyle,
  node: OperatorNode,
  lay: (part: MathNode, how?: MathStyle) => MathBox,
): MathBox {
  const small = smaller(style)
  const { size } = style
  const large = { ...style, size: size * (style.display ? 1.5 : 1.2) }
  const glyph = textBox(large, node.sign)
  // Large operators are centred on the axis, not placed on the baseline.
  const down = (large.size - size) * 0.25 + 0.02 * size
  const sign: MathBox = {
    ...glyph,
    ascent: glyph.ascent - down + 0.08 * size,
    descent: glyph.descent + down,
    items: moved(glyph.items, 0, down),
  }
  const sub = node.sub && lay(node.sub, small)
  const sup = node.sup && lay(node.sup, small)
  const areLimitsStacked = node.limits === 'around' && style.display
  const head = areLimitsStacked ? stacked(style, sign, sub, sup) : scripts(style, sign, { sub, sup }, false)
  return inRow([head, lay(node.body)], 0.15 * size)
}

function table(style: MathStyle, rows: readonly (readonly MathBox[])[], align: 'center' | 'left'): MathBox {
  const { size } = style
  const columns = Math.max(0, maxOf(rows.map((row) => row.length)))
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(0, maxOf(rows.map((row) => row[column]?.width ?? 0))),
  )
  const gapAcross = 0.8 * size
  const gapDown = 0.25 * size
  const items: Placed[] = []
  let y = 0
  for (const [index, row] of rows.entries()) {
    const ascent = Math.max(0.7 * size, maxOf(row.map((box) => box.ascent)))
    const descent = Math.max(0.2 * size, maxOf(row.map((box) => box.descent)))
    y += (index === 0 ? 0 : gapDown) + ascent
    let x = 0
    for (const [column, box] of row.entries()) {
      pushAll(
        items,
        moved(box.items, x + (align === 'left' ? 0 : ((widths[column] ?? 0) - box.width) / 2), y),
      )
      x += (widths[column] ?? 0) + gapAcross
    }
    y += descent
  }
  const width = widths.reduce((sum, value) => sum + value, 0) + gapAcross * Math.max(0, columns - 1)
  // The middle of all rows is on the axis.
  const lift = y / 2 + axis * size
  return { width, ascent: lift, descent: y - lift, items: moved(items, 0, -lift) }
}

function accent(style: MathStyle, base: MathBox, sign: string, above: boolean): MathBox {
  const wide = stretched(style, sign, Math.max(base.width, 0.3 * style.size), above)
  if (wide !== undefined) {
    const { ascent, descent } = base
    const gap = 0.08 * style.size
    const y = above ? -ascent + 0.12 * style.size - gap : descent + gap + wide.ascent
    return {
      width: Math.max(base.width, wide.width),
      ascent: above ? wide.ascent - y : ascent,
      descent: above ? descent : y,
      items: [...base.items, ...moved(wide.items, 0, y)],
    }
  }
  const spacing = entryOf(spacingForms, sign) ?? sign
  const glyph = textBox(style, spacing)
  const x = (base.width - glyph.width) / 2
  // Accents of a face are at the height of small letters, with space above, and rise over taller ones.
  const rise = above ? Math.max(0, base.ascent - 0.72 * style.size) : -(base.descent + 0.5 * style.size)
  return {
    width: base.width,
    ascent: base.ascent + (above ? 0.16 * style.size : 0),
    descent: base.descent + (above ? 0 : 0.3 * style.size),
    items: [...base.items, ...moved(glyph.items, x, -rise)],
  }
}

/** Maps combining marks to characters that have a width of their own. */
const spacingForms: Readonly<Record<string, string>> = {
  '\u0300': '`',
  '\u0301': '\u00b4',
  '\u0302': '\u02c6',
  '\u0303': '\u02dc',
  '\u0306': '\u02d8',
  '\u0307': '\u02d9',
  '\u0308': '\u00a8',
  '\u030a': '\u02da',
  '\u030c': '\u02c7',
}

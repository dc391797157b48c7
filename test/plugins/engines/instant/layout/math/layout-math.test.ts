import { describe, expect, test } from 'vitest'
import type { Placed } from '../../../../../../plugins/engines/instant/layout/frame.ts'
import type { MathBox } from '../../../../../../plugins/engines/instant/layout/math/box.ts'
import { layoutMath } from '../../../../../../plugins/engines/instant/layout/math/layout-math.ts'
import type { MathNode } from '../../../../../../shared/document/math.ts'
import { shippedBook } from '../../../../../helpers/instant-fonts.ts'

const tools = { fonts: shippedBook.forDocument(), check: () => {} }
const lay = (node: MathNode, display = true): MathBox =>
  layoutMath(node, {
    tools,
    family: 'Times New Roman',
    size: 12,
    colour: 0,
    display,
    script: 0,
    budget: { left: 1000 },
  })

const t = (text: string): MathNode => ({ kind: 'text', text, style: 'plain' })
interface Letter {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly size: number
}
/** All texts with their places against the baseline of the whole, y downward. */
const letters = (items: readonly Placed[], x = 0, y = 0): Letter[] =>
  items.flatMap((placed) => {
    const { item } = placed
    const at = { x: x + placed.x, y: y + placed.y }
    if (item.kind === 'glyphs') return [{ text: item.run.text, size: item.run.size, ...at }]
    return item.kind === 'group' ? letters(item.frame.items, at.x, at.y) : []
  })
const lettersOf = (node: MathNode, display = true): Record<string, Letter> =>
  Object.fromEntries(letters(lay(node, display).items).map((letter) => [letter.text, letter]))

describe('an equation', () => {
  test('fraction: one above the other, centred, with a bar on the axis', () => {
    const { a, bbb } = lettersOf({ kind: 'fraction', above: t('a'), below: t('bbb'), bar: 'line' })
    expect(a!.y).toBeLessThan(0)
    expect(bbb!.y).toBeGreaterThan(0)
    expect(a!.x).toBeGreaterThan(bbb!.x)
    const bars = lay({ kind: 'fraction', above: t('a'), below: t('b'), bar: 'line' }).items.filter(
      ({ item }) => item.kind === 'shape',
    )
    expect(bars).toHaveLength(1)
  })
  test('scripts: smaller, above and below, and apart', () => {
    const { x, i, n } = lettersOf({ kind: 'scripts', base: t('x'), sub: t('i'), sup: t('n') })
    expect(n!.y).toBeLessThan(x!.y)
    expect(i!.y).toBeGreaterThan(x!.y)
    expect(n!.size).toBeLessThan(x!.size)
    expect(n!.x).toBe(i!.x)
    expect(n!.x).toBeGreaterThan(x!.x)
  })
  test('scripts before their base end where it starts', () => {
    const { X, two } = lettersOf({ kind: 'scripts', base: t('X'), sup: t('two'), before: true })
    expect(two!.x).toBeLessThan(X!.x)
  })
  test('sums: limits around the sign on a line of its own, beside it in text', () => {
    const sum: MathNode = {
      kind: 'operator',
      sign: '∑',
      sub: t('i'),
      sup: t('n'),
      body: t('x'),
      limits: 'around',
    }
    const own = lettersOf(sum)
    expect(own.i!.y).toBeGreaterThan(own['∑']!.y)
    expect(Math.abs(own.i!.x - own['∑']!.x)).toBeLessThan(8)
    expect(own['∑']!.size).toBeGreaterThan(12)
    const inText = lettersOf(sum, false)
    expect(inText.i!.x).toBeGreaterThan(inText['∑']!.x + 6)
  })
  test('brackets are as tall as what they hold', () => {
    const tall: MathNode = { kind: 'fraction', above: t('a'), below: t('b'), bar: 'line' }
    const plain = lay({ kind: 'fence', open: '(', close: ')', between: '', items: [t('a')] })
    expect(letters(plain.items).map(({ text }) => text)).toEqual(['(', 'a', ')'])
    for (const [open, close] of ['()', '[]', '{}', '||', '⌈⌉', '⌊⌋', '⟨⟩', '‖‖', '/\\']) {
      const fenced = lay({ kind: 'fence', open: open!, close: close!, between: '', items: [tall] })
      const inner = lay(tall)
      expect(fenced.ascent).toBeGreaterThanOrEqual(inner.ascent - 0.01)
      expect(fenced.descent).toBeGreaterThanOrEqual(inner.descent - 0.01)
      expect(fenced.width).toBeGreaterThan(inner.width)
    }
  })
  test('matrices: columns under each other, centred on the axis', () => {
    const found = lettersOf({
      kind: 'table',
      align: 'left',
      rows: [
        [t('a'), t('b')],
        [t('c'), t('d')],
      ],
    })
    expect(found.a!.x).toBe(found.c!.x)
    expect(found.b!.x).toBe(found.d!.x)
    expect(found.a!.y).toBeLessThan(found.c!.y)
  })
  test('roots, frames and accents surround their content', () => {
    const inside = lay(t('x'))
    for (const node of [
      { kind: 'root', inside: t('x'), degree: t('3') },
      { kind: 'framed', base: t('x') },
      ...['\u0302', '\u00af', '\u23de', '\u20d7'].map((sign) => ({
        kind: 'accent',
        base: t('x'),
        sign,
        at: 'above',
      })),
    ] as MathNode[])
      expect(lay(node).ascent).toBeGreaterThan(inside.ascent)
    for (const sign of ['\u23df', '_'])
      expect(lay({ kind: 'accent', base: t('x'), sign, at: 'below' }).descent).toBeGreaterThan(inside.descent)
  })
  test('nested without end is cut, not followed', () => {
    let node: MathNode = t('x')
    for (let i = 0; i < 5000; i += 1) node = { kind: 'root', inside: node }
    expect(lay(node).width).toBeGreaterThan(0)
  })
  test('an empty formula has no size', () => {
    expect(lay({ kind: 'row', items: [] })).toMatchObject({ width: 0, ascent: 0, descent: 0 })
    expect(lay({ kind: 'table', align: 'center', rows: [] }).width).toBe(0)
  })
})

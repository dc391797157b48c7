import { describe, expect, it } from 'vitest'
import { arrowHeads } from '../../../../../../plugins/engines/instant/layout/drawing/arrow-heads.ts'
import type { PathCommand } from '../../../../../../plugins/engines/instant/layout/frame.ts'

const numbers = (commands: readonly PathCommand[]): number[] =>
  commands.flatMap(([, ...points]) => points.map(Number))

describe('arrow heads', () => {
  const line: PathCommand[] = [
    ['M', 0, 0],
    ['L', 100, 0],
  ]
  const stroke = { colour: 0, width: 2 }
  const plain = { color: '000000', width: 2, dash: 'solid' } as const
  const box = (commands: readonly PathCommand[]): number[] => {
    const all = numbers(commands)
    const [xs, ys] = [all.filter((_, n) => n % 2 === 0), all.filter((_, n) => n % 2 === 1)]
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)].map((value) =>
      Math.round(value),
    )
  }
  const boxOf = (
    commands: readonly PathCommand[],
    kind: 'triangle' | 'stealth' | 'diamond' | 'oval' | 'open',
    size: number,
  ) =>
    arrowHeads(commands, { ...plain, endArrow: { kind, width: size, length: size } }, stroke).map(
      ({ item }) => (item.kind === 'shape' ? box(item.path.commands) : []),
    )
  it.each([
    ['triangle', 3, [94, -3, 100, 3]],
    ['triangle', 5, [90, -5, 100, 5]],
    ['stealth', 3, [94, -3, 100, 3]],
    ['open', 3, [94, -3, 100, 3]],
    ['diamond', 3, [97, -3, 103, 3]],
    ['oval', 3, [97, -3, 103, 3]],
  ] as const)('%s, %d widths', (kind, size, expected) => {
    expect(boxOf(line, kind, size)).toEqual([expected])
  })
  it('point along the end of a curve', () => {
    const curve: PathCommand[] = [
      ['M', 0, 0],
      ['C', 50, 0, 100, 50, 100, 100],
    ]
    expect(boxOf(curve, 'triangle', 3)).toEqual([[97, 94, 103, 100]])
  })
  it('closed outlines have none', () => expect(boxOf([...line, ['Z']], 'oval', 3)).toEqual([]))
})

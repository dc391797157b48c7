import { describe, expect, it } from 'vitest'
import { plugins } from '../../../origin/plugins.ts'
import { closureOf } from '../../../shared/convert/closure.ts'
import { buildGraph, findRoutes } from '../../../shared/convert/graph.ts'
import type { Conversion, EnginePlugin } from '../../../shared/plugin/contract.ts'

type Row = readonly [from: string, to: string, cost: number, fidelity?: Conversion['fidelity']]

/** Engines by letter ('' is a helper) in, 'from>to letter fidelity cost' out. */
function check(engines: Readonly<Record<string, readonly Row[]>>, expected: readonly string[]): void {
  const plugins = Object.entries(engines).map(([letter, rows]) => ({
    id: `engine${letter}`,
    letter: letter || undefined,
    options: { json: {} },
    conversions: rows.map(([from, to, cost, fidelity = 'high']) => ({ from, to, cost, fidelity })),
  }))
  const found = closureOf(buildGraph(plugins as unknown as EnginePlugin[]).conversions)
  const text = found.map(
    ({ from, to, letter = '-', fidelity, cost }) => `${from}>${to} ${letter} ${fidelity} ${cost}`,
  )
  expect([...text].sort()).toEqual([...expected].sort())
}

describe('what a cluster offers', () => {
  it('nothing behind a conversion that must be the last one', () => {
    const engine = { engine: 'L', title: 'L', letter: 'L', defaultFor: [], options: [] }
    const step = { ...engine, fidelity: 'high', cost: 1 } as const
    const rows = closureOf([
      { ...step, from: 'a', to: 'b', last: true },
      { ...step, from: 'b', to: 'c' },
    ])
    expect(rows.map(({ from, to }) => `${from}>${to}`)).toEqual(['a>b', 'b>c'])
  })

  it('nothing by a conversion that must be the first one behind another', () => {
    const engine = { engine: 'L', title: 'L', letter: 'L', defaultFor: [], options: [] }
    const step = { ...engine, fidelity: 'high', cost: 1 } as const
    const conversions = [
      { ...step, from: 'a', to: 'b' },
      { ...step, from: 'b', to: 'c', first: true as const },
    ]
    expect(closureOf(conversions).map(({ from, to }) => `${from}>${to}`)).toEqual(['a>b', 'b>c'])
    const graph = { conversions, from: (format: string) => conversions.filter(({ from }) => from === format) }
    expect(findRoutes(graph, { from: 'a', to: 'c' })).toEqual([])
    expect(findRoutes(graph, { from: 'b', to: 'c' })).toHaveLength(1)
  })

  it('each direct conversion', () => check({ L: [['a', 'b', 5]] }, ['a>b L high 5']))

  it('chains of three, with the worst fidelity, not of four', () =>
    check(
      {
        L: [
          ['a', 'b', 1, 'exact'],
          ['b', 'c', 2, 'basic'],
          ['c', 'd', 3],
          ['d', 'e', 4],
        ],
      },
      [
        'a>b L exact 1',
        'a>c L basic 3',
        'a>d L basic 6',
        'b>c L basic 2',
        'b>d L basic 5',
        'b>e L basic 9',
        'c>d L high 3',
        'c>e L high 7',
        'd>e L high 4',
      ],
    ))

  it('helpers join engines, and helpers alone have no letter', () =>
    check({ L: [['a', 'b', 1]], '': [['b', 'x', 1]] }, ['a>b L high 1', 'a>x L high 2', 'b>x - high 1']))

  it('two engines join where none makes the pair alone, under the letter of each', () =>
    check(
      {
        L: [
          ['a', 'b', 1],
          ['a', 'd', 9],
        ],
        C: [
          ['b', 'c', 1],
          ['b', 'd', 1],
        ],
      },
      ['a>b L high 1', 'a>c C high 2', 'a>c L high 2', 'a>d L high 9', 'b>c C high 1', 'b>d C high 1'],
    ))

  it('what a request with that letter finds a route for, on a real origin', () => {
    const { conversions: arrows, ...graph } = buildGraph(plugins.filter((plugin) => plugin.kind === 'engine'))
    const rows = closureOf(arrows)
    expect(rows.length).toBeGreaterThan(3000)
    const lost = rows.filter((row) => findRoutes({ conversions: arrows, ...graph }, row).length === 0)
    expect(lost).toEqual([])
  })

  it('the faithful way rather than a poor one that is a little cheaper', () =>
    check(
      {
        L: [
          ['a', 'c', 1, 'basic'],
          ['a', 'b', 10],
          ['b', 'c', 10],
        ],
      },
      ['a>c L high 20', 'a>b L high 10', 'b>c L high 10'],
    ))

  it('a refresh, but no way round that comes home', () =>
    check(
      {
        L: [
          ['a', 'a', 1],
          ['a', 'b', 1],
          ['b', 'a', 1],
        ],
      },
      ['a>a L high 1', 'a>b L high 1', 'b>a L high 1'],
    ))
})

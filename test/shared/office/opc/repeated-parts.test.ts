import { describe, expect, it } from 'vitest'
import { repeatedAmong } from '../../../../shared/office/opc/repeated-parts.ts'

/** Texts of parts in order -> numbers of those that repeat or vanish. */
const cases: readonly (readonly [name: string, texts: readonly string[], found: readonly number[]])[] = [
  ['loops of one part each', ['{d.l[i].a}{d.l[i+1].a}', '{d.l[i].a}{d.l[i+1]}'], []],
  [
    'a loop from one part to another, with what lies between',
    ['x', '{d.l[i].a}', '-', '{d.l[i+1].a}', 'x'],
    [1, 2, 3],
  ],
  ['a total over a list that another part repeats', ['{d.l[i].q:aggSum}', '{d.l[i].a}{d.l[i+1].a}'], []],
  [
    'inner loops are closed, the outer one is not',
    ['{d.g[i].k[i].v}{d.g[i].k[i+1].v}', '{d.g[i+1].k}'],
    [0, 1],
  ],
  ['two stretches', ['{d.a[i]}', '{d.a[i+1]}', 'x', '{d.b[i]}', '{d.b[i+1]}'], [0, 1, 3, 4]],
  ['aliases', ['{#s=d.l[i].n}{#e=d.l[i+1].n}', '{$s}', '{$e}'], [1, 2]],
  [
    'tags cut by markup, blanks and entities',
    ['<a>{d.l</a><b>[ i , n &gt; 1 ]</b>.x}', '{d.l[i+1, n&gt;1].x}'],
    [0, 1],
  ],
  ['sorted loops', ['{d.l[city, i].n}', '{d.l[city+1, i+1].n}'], [0, 1]],
  ['filters alone are no loop', ['{d.l[n=1].x}', '{d.l[i=2].x}{d.l[0].x}{d.l[].x:aggSum}'], []],
  [
    'an element that is dropped',
    ['{d.v:ifEM:drop(slide)}', "{d.v:keep('slide')}", '{d.v:drop(row)}'],
    [0, 1],
  ],
  ['an end without a beginning', ['{d.l[i+1].x}', '{d.l[i].x}'], []],
]

describe('parts that repeat among others', () => {
  it.each(cases)('%s', (_, texts, found) => {
    expect([...repeatedAmong(texts, [], 'slide')].sort()).toEqual(found)
  })
})

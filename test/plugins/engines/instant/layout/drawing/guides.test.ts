import { describe, expect, test } from 'vitest'
import { Guides } from '../../../../../../plugins/engines/instant/layout/drawing/guides.ts'
import type { Guide } from '../../../../../../shared/document/drawing.ts'

function guide(name: string, formula: string): Guide {
  const [operator = '', ...operands] = formula.split(' ')
  return { name, operator, operands }
}

/** The value of a formula in a box of 1200 by 800 EMU, in which 'x1' is 30. */
function evaluate(formula: string): number {
  const guides = new Guides(1200, 800)
  guides.define(guide('x1', 'val 30'))
  guides.define(guide('result', formula))
  return guides.value('result')
}

describe('guide formulas (ECMA-376-1 20.1.9.11)', () => {
  test.each([
    ['val 16667', 16_667],
    ['val -8333', -8333],
    ['*/ w x1 100', 360],
    ['+- w x1 400', 830],
    ['+/ w x1 10', 123],
    ['?: x1 1 2', 1],
    ['?: 0 1 2', 2],
    ['?: -1 1 2', 2],
    ['abs -30', 30],
    ['at2 100 100', 2_700_000],
    ['at2 -100 0', 10_800_000],
    ['cat2 100 3 4', 60],
    ['sat2 100 3 4', 80],
    ['cos 100 3600000', 50],
    ['sin 100 1800000', 50],
    ['tan 100 2700000', 100],
    ['max x1 20', 30],
    ['min x1 20', 20],
    ['mod 2 3 6', 7],
    ['pin 10 5 20', 10],
    ['pin 10 15 20', 15],
    ['pin 10 25 20', 20],
    ['pin 10 25 5', 5],
    ['sqrt 144', 12],
  ])('%s', (formula, value) => expect(evaluate(formula)).toBeCloseTo(value, 6))

  test.each([
    ['l', 0],
    ['t', 0],
    ['r', 1200],
    ['b', 800],
    ['w', 1200],
    ['h', 800],
    ['hc', 600],
    ['vc', 400],
    ['ss', 800],
    ['ls', 1200],
    ['wd2', 600],
    ['wd32', 37.5],
    ['hd5', 160],
    ['ssd16', 50],
    ['cd2', 10_800_000],
    ['cd8', 2_700_000],
    ['3cd4', 16_200_000],
    ['7cd8', 18_900_000],
  ])('every shape has the guide %s', (name, value) => expect(evaluate(`val ${name}`)).toBe(value))

  test.each([
    '*/ 1 1 0',
    'sqrt -1',
    'tan',
    'unknown 1 2',
    'constructor 1',
    '',
    'val nothing',
    'val wd0',
    '+- x2 0 0',
  ])('what has no value is 0: %s', (formula) => expect(evaluate(formula)).toBe(0))

  test('a later guide of the same name replaces the earlier one, and those of every shape', () => {
    const guides = new Guides(1200, 800)
    expect(guides.value('x1')).toBe(0)
    for (const formula of ['val 1', '+- x1 w 0']) guides.define(guide('x1', formula))
    guides.define(guide('hc', 'val 5'))
    expect([guides.value('x1'), guides.value('hc')]).toEqual([1201, 5])
  })
})

import { describe, expect, it } from 'vitest'
import { Aliases } from '../../../../shared/template/bind/aliases.ts'

/** Declarations, and a text in which they are put in place. */
const cases: readonly (readonly [declared: readonly string[], text: string, expanded: string])[] = [
  [['#a=d.b'], '$a:add(1)', 'd.b:add(1)'],
  [['#a={d.b}'], '$a', 'd.b'],
  [['#a=d.b', '#a=d.c'], '$a', 'd.c'],
  [['#a=1', '#ab=2'], '$ab $a', '2 1'],
  [['#a=1'], '$abc', '$abc'],
  [['#f($x,$y)=d.l[a=$x,b=$y].n'], '$f(1,2)', 'd.l[a=1,b=2].n'],
  [['#f($x)=d.$x.$z'], '$f(q)', 'd.q.$z'],
  [[], '$a', '$a'],
]

describe('aliases', () => {
  for (const [declared, text, expanded] of cases)
    it(`${declared.join(' ')}: ${text}`, () => {
      const aliases = new Aliases()
      for (const each of declared) aliases.declare(each)
      expect(aliases.expand(text)).toBe(expanded)
    })

  it('may be declared in running text', () => {
    const aliases = new Aliases()
    aliases.declareAll('first {#a = d.b} then { # c = d.e } {d.x}')
    expect(aliases.expand('$a $c')).toBe('d.b d.e')
  })
})

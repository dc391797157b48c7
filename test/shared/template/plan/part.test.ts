import { describe, expect, it } from 'vitest'
import { dumpPlan } from '../../../../shared/template/dump.ts'
import { planPart } from '../../../../shared/template/plan/part.ts'
import { boundPart, codesOf, plainRules } from '../../../helpers/compile.ts'

const counters = () => ({ slots: 100, running: 0, caches: 0 })
const plan = (part: string, rules = plainRules): string[] =>
  dumpPlan(planPart(boundPart(part, rules), counters()))

/** More cases, with all passes printed, lie under test/cases/plan. */
describe('the plan of a part', () => {
  it('a guard inside a loop stands in its body, and the loop clears it', () =>
    expect(plan('<t><r>{d.l[i].v:showBegin}x{d.l[i].v:showEnd}</r><r>{d.l[i+1]}</r></t>')).toEqual([
      '  static "<t>"',
      '  loop slot 0 over d.l clearing 0',
      '    static "<r>"',
      '    when 0',
      '      static "x"',
      '    static "</r>"',
      '  static "</t>"',
      'condition 0 is true: item 0 .v',
    ]))

  it('an element that may not be empty is written where something is left in it', () => {
    const rules = { ...plainRules, filled: { r: { skip: ['rp'] }, c: { skip: [], instead: '<p/>' } } }
    expect(plan('<t><r><rp/><c>{d.v:drop(col)}</c></r></t>', rules)).toEqual([
      '  static "<t>"',
      '  if filled',
      '    static "<r><rp/>"',
      '    when 0',
      '      static "<c></c>"',
      '    static "</r>"',
      '  static "</t>"',
      'condition 0 is false: d.v',
    ])
  })

  it('an unknown formatter and a missing argument are reported', () => {
    for (const [part, code] of [
      ['<p>{d.v:upperCas}</p>', 'template.formatter.unknown'],
      ['<p>{d.v:add}</p>', 'template.formatter.arguments'],
      ['<p>{d.v:drop(p):upperCase}</p>', 'template.formatter.last'],
      ['<p>{d.v:add(d.l[i].n)}</p>', 'template.path.iterator'],
    ] as const) {
      const scoped = boundPart(part)
      planPart(scoped, counters())
      expect(codesOf(scoped)).toEqual([code])
    }
  })
})

import { expect, it } from 'vitest'
import { tagChanges } from '../../../shared/render/compare.ts'

it.each([
  [['{d.a}'], ['{d.a}'], { added: [], removed: [], changed: [] }],
  [['{d.a}'], ['{d.b}'], { added: ['{d.b}'], removed: ['{d.a}'], changed: [] }],
  [
    ['{d.a}'],
    ['{d.a:upperCase}'],
    { added: [], removed: [], changed: [{ from: '{d.a}', to: '{d.a:upperCase}' }] },
  ],
  [['{d.a}', '{d.a}'], ['{d.a}'], { added: [], removed: ['{d.a}'], changed: [] }],
  [['{d.a}', '{d.b}'], ['{d.b}', '{d.a}'], { added: [], removed: [], changed: [] }],
  [[], ['{d.x}', '{d.x}'], { added: ['{d.x}'], removed: [], changed: [] }],
])('tags %j and %j', (from, to, changes) => {
  expect(tagChanges(from, to)).toEqual(changes)
})

it('thousands of tags that differ throughout are compared in linear time', () => {
  const tags = (field: string) => Array.from({ length: 20_000 }, (_, at) => `{d.${field}${at}}`)
  const before = process.cpuUsage()
  expect(tagChanges(tags('a'), tags('b')).added).toHaveLength(20_000)
  // The field of each tag was compared to that of each other one, which took 45 s.
  expect(process.cpuUsage(before).user / 1e6).toBeLessThan(5)
})

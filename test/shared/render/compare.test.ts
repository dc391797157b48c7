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

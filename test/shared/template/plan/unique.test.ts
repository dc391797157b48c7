import { describe, expect, it } from 'vitest'
import { splitUnique } from '../../../../shared/template/plan/unique.ts'
import type { FormatRules } from '../../../../shared/template/rules.ts'

const rules: FormatRules = {
  elements: {},
  paragraphs: [],
  noise: [],
  transient: (attribute) => attribute === 'rsid',
  unique: [
    { elements: ['b'], attribute: 'id', space: 'ids', takes: 'new', kind: 'number' },
    { elements: ['b'], attribute: 'name', space: 'names', takes: 'new', kind: 'name' },
  ],
}
const open = (name: string, raw: string) => ({ kind: 'open', name, raw, offset: 0 }) as const

describe('attributes of repeated elements', () => {
  it('that must differ become nodes', () =>
    expect(splitUnique(open('b', '<b rsid="1" id="7" c="d">'), rules)).toEqual([
      '<b id="',
      { kind: 'unique', space: 'ids', takes: 'new', name: false, original: '7' },
      '" c="d">',
    ]))
  it('stay in the order in which they are written', () =>
    expect(splitUnique(open('b', '<b name="x" c="&gt; id=1" id="7"/>'), rules)).toEqual([
      '<b name="',
      { kind: 'unique', space: 'names', takes: 'new', name: true, original: 'x' },
      '" c="&gt; id=1" id="',
      { kind: 'unique', space: 'ids', takes: 'new', name: false, original: '7' },
      '"/>',
    ]))
  it('of other elements stay, without those of an editor', () =>
    expect(splitUnique(open('p', '<p rsid="1" id="7">'), rules)).toEqual(['<p id="7">']))
})

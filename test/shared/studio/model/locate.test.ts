import { describe, expect, it } from 'vitest'
import { nearestName, targetOf } from '../../../../shared/studio/model/locate.ts'

const problem = (at: string, tag: string) => ({ code: 'x', message: '', place: { part: 'html', at, tag } })
const text = '<p>{d.a}</p>\n<p>{d.a} {d.b}</p>\nend'

describe('the place of a problem in a text', () => {
  it.each([
    ['the tag on its line', problem('line 2', '{d.a}'), '{d.a}', 16],
    ['the line when the tag is not there', problem('line 2', '{d.z}'), '<p>{d.a} {d.b}</p>', 13],
    ['the last line', problem('line 3', ''), 'end', 32],
  ])('%s', (_, given, selected, start) => {
    expect(targetOf(given, text)).toEqual({ kind: 'text', start, end: start + selected.length })
  })

  it('none for a line that is gone, a place in an office document, and a document that is not edited here', () => {
    expect(targetOf(problem('line 9', '{d.a}'), text)).toBeUndefined()
    expect(targetOf(problem('cell B2 of sheet Prices', '{d.a}'), text)).toBeUndefined()
    expect(targetOf(problem('line 1', '{d.a}'), undefined)).toBeUndefined()
  })

  it('missing data are in the data, whatever the template is', () => {
    const missing = { code: 'template.data.missing', message: '', where: 'd.lines[].price' }
    expect(targetOf(missing, undefined)).toEqual({ kind: 'data', path: 'd.lines[].price' })
  })
})

describe('the name in the data below which a path belongs', () => {
  const json = '{ "id": 1, "customer": { "id": 2, "lines": [{ "id": 3 }] } }'
  it.each([
    ['d.customer.name', '"customer"'],
    ['d.customer.lines[].price', '"lines"'],
    ['d.name', ''],
    ['d.seller.name', ''],
  ])('%s', (path, name) => {
    const { start, end } = nearestName(json, path)
    expect(json.slice(start, end)).toBe(name)
  })
})

import { describe, expect, it } from 'vitest'
import { readColor, readDeclarations } from '../../../../shared/template/html/css.ts'

describe('colours', () => {
  const rows: [string, string | undefined][] = [
    ['#abc', 'AABBCC'],
    ['#ABCD', 'AABBCC'],
    ['#a1b2c3', 'A1B2C3'],
    ['#a1b2c3ff', 'A1B2C3'],
    ['red', 'FF0000'],
    [' RebeccaPurple ', '663399'],
    ['rgb(255, 0, 128)', 'FF0080'],
    ['rgb(255 0 128 / 50%)', 'FF0080'],
    ['rgba(100%,0%,50%,.5)', 'FF0080'],
    ['rgb(300,-5,0)', 'FF0000'],
    ['hsl(120, 100%, 25%)', '008000'],
    ['hsl(0.5turn 100% 50%)', '00FFFF'],
    ['hsla(-120deg,100%,50%,1)', '0000FF'],
    ['#ab', undefined],
    ['constructor', undefined],
    ['transparent', undefined],
    ['url(javascript:1)', undefined],
    ['rgb(1,2)', undefined],
    ['', undefined],
  ]
  it.each(rows)('%s', (text, expected) => expect(readColor(text)).toBe(expected))
})

it('declarations: the last one counts, odd ones are passed over', () => {
  expect([...readDeclarations('Color: red; ;x; color : BLUE !important;:y; break-before:page')]).toEqual([
    ['color', 'BLUE'],
    ['break-before', 'page'],
  ])
})

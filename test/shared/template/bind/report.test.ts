import { describe, expect, it } from 'vitest'
import type { AppError } from '../../../../shared/errors/app-error.ts'
import { Report } from '../../../../shared/template/bind/report.ts'

const place = (part: string, offset: number) => ({ part, snippet: `${part} ${offset}`, offset })

describe('a report', () => {
  it('lists problems by part and place, each once', () => {
    const report = new Report(['a', 'b'])
    for (const [part, offset] of [
      ['b', 1],
      ['a', 9],
      ['a', 2],
      ['a', 2],
      ['c', 0],
    ] as const)
      report.add('template.path.too-high', { tag: '{x}' }, place(part, offset))
    expect(report.problems.map((problem) => problem.place?.snippet)).toEqual(['a 2', 'a 9', 'b 1', 'c 0'])
  })
  it('throws the only problem as it is, and several under one code', () => {
    const report = new Report(['a'])
    expect(() => report.throwIfFailed()).not.toThrow()
    report.add('template.path.too-high', { tag: '{x}' }, place('a', 1))
    const codes = () => {
      try {
        report.throwIfFailed()
      } catch (error) {
        return (error as AppError).code
      }
      return undefined
    }
    expect(codes()).toBe('template.path.too-high')
    report.add('template.path.too-high', { tag: '{y}' }, place('a', 2))
    expect(codes()).toBe('template.several')
  })
})

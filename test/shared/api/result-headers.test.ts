import { describe, expect, it } from 'vitest'
import { fontsHeader, warningHeader } from '../../../shared/api/result-headers.ts'

const warnings = (...codes: readonly string[]) => codes.map((code) => ({ code, message: code }))

describe('warnings in a header', () => {
  it.each([
    [['a'], 'a'],
    [['b', 'a', 'b', 'b'], 'b;count=3, a'],
    [[], ''],
  ])('%j', (codes, header) => expect(warningHeader(warnings(...codes))).toBe(header))
})

describe('fonts in a header', () => {
  const font = (family: string) => ({ family, bold: false, italic: false, used: 'Arial', imitated: [] })

  it('is JSON in ASCII', () => {
    const report = { requested: [font('ｆ\u007f😀')], used: ['Arial'], substituted: [], missing: [] }
    // The versions of fonts are in the manifest.
    const header = fontsHeader({ ...report, versions: { Arial: '1.0' } })
    expect(header).toMatch(/^[\x20-\x7e]+$/)
    expect(JSON.parse(header)).toEqual(report)
  })

  it('is cut where it would be too long for proxies, and marks the cut', () => {
    const requested = Array.from({ length: 500 }, (_, n) => font(`A family with number ${n}`))
    const header = fontsHeader({ requested, used: ['Arial'], substituted: [], versions: {}, missing: [] })
    expect(header.length).toBeLessThanOrEqual(6_000)
    const read = JSON.parse(header)
    expect([read.cut, read.used]).toEqual([true, ['Arial']])
    expect(read.requested.length).toBeGreaterThan(20)
    const one = fontsHeader({
      requested: [font('x'.repeat(9_000))],
      used: [],
      substituted: [],
      versions: {},
      missing: [],
    })
    expect(JSON.parse(one)).toMatchObject({ requested: [], cut: true })
  })
})

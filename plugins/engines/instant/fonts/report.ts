import type { FontsReport, MissingGlyph, RequestedFont } from '../../../../shared/plugin/fonts-report.ts'
import type { Face } from './face.ts'

export type { FontsReport }

export interface FontsLedger {
  requested(family: string, bold: boolean, italic: boolean, face: Face): void
  missing(code: number, face: Face): void
  report(): FontsReport
}

/** Enough to see what is wrong; a book in an unknown script would list thousands. */
const maxMissing = 100

export function createFontsLedger(): FontsLedger {
  const requests: RequestedFont[] = []
  const used = new Set<string>()
  const missing = new Map<number, MissingGlyph>()
  return {
    requested(family, bold, italic, face) {
      const { synthetic } = face
      const imitated: RequestedFont['imitated'][number][] = []
      if (synthetic.bold) imitated.push('bold')
      if (synthetic.slant) imitated.push('italic')
      if (synthetic.scaleX !== 1) imitated.push('width')
      requests.push({ family, bold, italic, used: face.family, imitated })
      used.add(face.family)
    },
    missing(code, face) {
      if (missing.size >= maxMissing || missing.has(code)) return
      const character = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
      missing.set(code, { character, family: face.family })
    },
    report() {
      const pairs = new Map<string, { family: string; by: string }>()
      for (const { family, used: by } of requests) {
        if (family.toLowerCase() !== by.toLowerCase()) pairs.set(`${family}\n${by}`, { family, by })
      }
      return {
        requested: [...requests],
        used: [...used].sort(),
        substituted: [...pairs.values()],
        missing: [...missing.values()],
      }
    },
  }
}

import type { FontsReport, MissingGlyph, RequestedFont } from '../../../../shared/plugin/fonts-report.ts'
import type { Face } from './face.ts'
import type { FontRequest } from './resolve.ts'

export type { FontsReport }

export interface FontsLedger {
  requested(request: Pick<FontRequest, 'family' | 'bold' | 'italic'>, face: Face): void
  /** Faces that supplied characters that the requested face lacks. */
  fallbacks(faces: Iterable<Face>): void
  missing(code: number, face: Face): void
  report(): FontsReport
}

/** Enough to see what is wrong; a book in an unknown script would list thousands. */
const maxMissing = 100

export function createFontsLedger(): FontsLedger {
  const requests: RequestedFont[] = []
  /** The versions of the families that were used. */
  const used = new Map<string, string>()
  const substituted = new Map<string, { family: string; by: string }>()
  const missing = new Map<number, MissingGlyph>()
  return {
    requested({ family, bold, italic }, face) {
      const { synthetic, file } = face
      const imitated: RequestedFont['imitated'][number][] = []
      if (synthetic.bold) imitated.push('bold')
      if (synthetic.slant) imitated.push('italic')
      if (synthetic.scaleX !== 1) imitated.push('width')
      requests.push({ family, bold, italic, used: face.family, imitated })
      used.set(face.family, face.file.names.version)
      const requestedName = family.toLowerCase()
      // A font may be requested by its full name, or by its name in another language.
      if (requestedName !== face.family.toLowerCase() && !file.names.aliases.includes(requestedName))
        substituted.set(`${requestedName}\n${face.family}`, { family, by: face.family })
    },
    fallbacks(faces) {
      for (const face of faces) used.set(face.family, face.file.names.version)
    },
    missing(code, face) {
      if (missing.size >= maxMissing || missing.has(code)) return
      const character = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
      missing.set(code, { character, family: face.family })
    },
    report() {
      return {
        requested: [...requests],
        used: [...used.keys()].sort(),
        versions: Object.fromEntries([...used].filter(([, version]) => version !== '')),
        substituted: [...substituted.values()],
        missing: [...missing.values()],
      }
    },
  }
}

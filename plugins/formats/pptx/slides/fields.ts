import type { Field } from '../../../../shared/document/content.ts'
import { entryOf } from '../../../../shared/entry-of.ts'

/** Date field formats (ECMA-376-1 21.1.2.2.4) as patterns of Unicode TR 35. Others use the short date of the language. */
const patterns: Readonly<Record<string, string>> = {
  datetime2: 'EEEE, MMMM d, yyyy',
  datetime3: 'd MMMM yyyy',
  datetime4: 'MMMM d, yyyy',
  datetime5: 'd-MMM-yy',
  datetime6: 'MMMM yy',
  datetime7: 'MMM-yy',
  datetime8: 'M/d/yyyy h:mm a',
  datetime9: 'M/d/yyyy h:mm:ss a',
  datetime10: 'H:mm',
  datetime11: 'H:mm:ss',
  datetime12: 'h:mm a',
  datetime13: 'h:mm:ss a',
}

/** The value of a field on a slide; undefined for fields that show their saved text. */
export function fieldOf(type: string, text: string, language: string | undefined): Field | undefined {
  if (type === 'slidenum') return { name: 'page', text }
  if (!type.startsWith('datetime')) return undefined
  const pattern = entryOf(patterns, type)
  return {
    name: 'moment',
    text,
    ...(pattern !== undefined && { pattern }),
    ...(language !== undefined && { language }),
  }
}

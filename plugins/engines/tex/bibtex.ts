import { escapeLatex } from './escape.ts'

/** A cited work. The names of `fields` are those of BibTeX. */
export interface Citation {
  readonly key: string
  readonly type: string // 'article', 'book' ...
  readonly fields: ReadonlyMap<string, string>
}

/**
 * Entries in the order of their first citation, each key once. The output is UTF-8, which biber and newer
 * BibTeX read.
 */
export function writeBibtex(citations: readonly Citation[]): string {
  if (citations.length === 0) return '% The document cites no works.\n'
  const written = new Map<string, string>()
  for (const { key, type, fields } of citations) {
    const name = keyOf(key)
    if (written.has(name)) continue
    const lines = [...fields].map(([field, value]) => `  ${field} = {${fieldText(field, value)}}`)
    written.set(name, `@${type}{${[name, ...lines].join(',\n')}\n}\n`)
  }
  return [...written.values()].join('\n')
}

/** Keys may not contain blanks, commas or braces. */
function keyOf(key: string): string {
  return key.trim().replace(/[\s,{}()"'#%~\\=]+/g, '_') || 'work'
}

function fieldText(field: string, value: string): string {
  const line = value.replace(/\s+/g, ' ').trim()
  // The packages that print addresses take them unescaped.
  if (field === 'url') return line.replace(/[{}\\]/g, encodeURIComponent)
  // The braces around a corporation keep it one name.
  return field === 'author' || field === 'editor'
    ? line
        .split(/([{}])/)
        .map((part) => (/^[{}]$/.test(part) ? part : escapeLatex(part)))
        .join('')
    : escapeLatex(line)
}

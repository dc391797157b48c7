import type { ContentsTable, LevelRange } from '../../../../shared/document/contents.ts'
import type { Instruction } from './field-values.ts'

/** All outline levels. */
const allLevels: LevelRange = { first: 1, last: 9 }

/** The table that a TOC (ECMA-376-1 17.16.5.68) or INDEX field describes; undefined for other fields. */
export function readContentsField({ name, args, switches }: Instruction): ContentsTable | undefined {
  if (name === 'INDEX') return { styles: new Map(), patterns: new Map(), links: false, fixed: 'index' }
  if (name !== 'TOC') return undefined
  const levels = switches.get('\\o')
  const range = levels === undefined ? undefined : (rangeOf(levels) ?? allLevels)
  const named = switches.get('\\t')
  // Without any of these switches Word lists its heading styles.
  const isDefault = levels === undefined && named === undefined && !switches.has('\\u')
  const without = switches.get('\\n')
  const separator = switches.get('\\p')
  const fixed = fixedBy(switches, args)
  return {
    ...((range !== undefined || isDefault) && { headings: range ?? allLevels }),
    ...(switches.has('\\u') && { outline: range ?? allLevels }),
    styles: stylesOf(named ?? ''),
    patterns: new Map(),
    links: switches.has('\\h'),
    ...(without !== undefined && { withoutPage: rangeOf(without) ?? allLevels }),
    ...(separator !== undefined && separator !== '' && { separator: separator.slice(0, 5) }),
    ...(fixed !== undefined && { fixed }),
  }
}

/** The switches that make a table list anything but the headings of the whole document. */
function fixedBy(switches: Instruction['switches'], args: Instruction['args']): ContentsTable['fixed'] {
  if (switches.has('\\c') || switches.has('\\a')) return 'figures'
  if (switches.has('\\f') || switches.has('\\l')) return 'marks'
  // A bookmark limits the table to a part of the document; so does the file of an RD field.
  return switches.has('\\b') || args.length > 0 ? 'part' : undefined
}

/** A range such as "1-3"; undefined for anything else. */
function rangeOf(text: string): LevelRange | undefined {
  const [, first, last] = /^([1-9])(?:\s*-\s*([1-9]))?$/.exec(text.trim()) ?? []
  if (first === undefined) return undefined
  return { first: Number(first), last: Math.max(Number(first), Number(last ?? first)) }
}

/** Pairs of a style and its level: "Title,1,Caption,2", with the list separator of the author's language. */
function stylesOf(text: string): Map<string, number> {
  const words = text.split(/[,;]/).map((word) => word.trim())
  const styles = new Map<string, number>()
  for (let at = 0; at + 1 < words.length && styles.size < 100; at += 2) {
    const level = Number(words[at + 1])
    if (Number.isInteger(level) && level >= 1 && level <= 9)
      styles.set((words[at] ?? '').toLowerCase(), level)
  }
  return styles
}

import type { ContentsTable, EntryPart, EntryPattern } from '../../../document/contents.ts'
import { entryOf } from '../../../entry-of.ts'
import { integer } from '../values.ts'
import type { OdfPartContext } from './part-context.ts'

/** The elements of tables of contents and indexes (ODF 1.3 part 3, 8.3 to 8.9), with what keeps their entries. */
export const indexElements: Readonly<Record<string, ContentsTable['fixed']>> = {
  'text:table-of-content': undefined,
  'text:alphabetical-index': 'index',
  'text:illustration-index': 'figures',
  'text:table-index': 'figures',
  'text:object-index': 'figures',
  'text:user-index': 'marks',
  'text:bibliography': 'index',
}

/** A table or index whose entries stay as they are. */
export const fixedTable = (fixed: ContentsTable['fixed']): ContentsTable => ({
  styles: new Map(),
  patterns: new Map(),
  links: false,
  ...(fixed !== undefined && { fixed }),
})

/** Reads text:table-of-content-source (8.3.2), on which the cursor stands. */
export function readContentsSource(part: OdfPartContext): ContentsTable {
  const { cursor, shared } = part
  const isOff = (name: string): boolean => cursor.attribute(name) === 'false'
  const last = Math.min(9, Math.max(1, integer(cursor.attribute('text:outline-level')) ?? 9))
  const lists = { outline: !isOff('text:use-outline-level'), marks: !isOff('text:use-index-marks') }
  const listsStyles = cursor.attribute('text:use-index-source-styles') === 'true'
  const isPart = cursor.attribute('text:index-scope') === 'chapter'
  const fixed = isPart ? 'part' : lists.marks && shared.hasContentsEntries ? 'marks' : undefined
  const styles = new Map<string, number>()
  const patterns = new Map<number, EntryPattern>()
  let links = false
  cursor.each((name) => {
    const level = integer(cursor.attribute('text:outline-level')) ?? 0
    if (name === 'text:index-source-styles' && listsStyles) {
      cursor.each((child) => {
        const style = child === 'text:index-source-style' ? cursor.attribute('text:style-name') : undefined
        if (style !== undefined && level >= 1 && styles.size < 100) styles.set(nameOf(part, style), level)
      })
    } else if (name === 'text:table-of-content-entry-template' && level >= 1 && level <= last) {
      const style = part.styles.id(part.scope, 'paragraph', cursor.attribute('text:style-name'))
      const parts: EntryPart[] = []
      cursor.each((child) => {
        if (child === 'text:index-entry-link-start') links = true
        const read = entryPart(part, child)
        if (read !== undefined && parts.length < 100) parts.push(read)
      })
      patterns.set(level, { ...(style !== undefined && { style }), parts })
    }
  })
  return {
    ...(lists.outline && { outline: { first: 1, last } }),
    styles,
    patterns,
    links,
    ...(fixed !== undefined && { fixed }),
  }
}

/** The name of a style as the style sheet has it, in lower case. */
function nameOf({ styles, scope }: OdfPartContext, name: string): string {
  const id = styles.id(scope, 'paragraph', name)
  return (id === undefined ? undefined : styles.styles.get(id)?.name) ?? name.toLowerCase()
}

/** One part of the pattern of an entry (8.14); undefined for what shows nothing here. */
function entryPart({ cursor }: OdfPartContext, name: string): EntryPart | undefined {
  switch (name) {
    case 'text:index-entry-chapter':
      return { kind: 'number' }
    case 'text:index-entry-text':
      return { kind: 'text' }
    case 'text:index-entry-page-number':
      return { kind: 'page' }
    case 'text:index-entry-span':
      return { kind: 'words', text: cursor.text().slice(0, 200) }
    case 'text:index-entry-tab-stop': {
      const character = cursor.attribute('style:leader-char') ?? ' '
      return {
        kind: 'tab',
        right: cursor.attribute('style:type') === 'right',
        leader: entryOf(leaders, character) ?? 'none',
      }
    }
    default:
      return undefined
  }
}

const leaders: Readonly<Record<string, Extract<EntryPart, { kind: 'tab' }>['leader']>> = {
  '.': 'dot',
  '-': 'hyphen',
  _: 'underscore',
  '\u00b7': 'middle-dot',
}

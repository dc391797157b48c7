import type { Inline } from '../../../document/content.ts'
import type { RunProperties } from '../../../document/properties.ts'
import type { XmlCursor } from '../../../xml/cursor.ts'
import { integer } from '../values.ts'
import { counterFormat } from './counters.ts'
import type { OdfInlineState } from './part-context.ts'

/**
 * Reads a field whose value may differ from the saved one (ODF 1.3 part 3, 7). Returns an inline, undefined
 * for a field that shows nothing, or 'saved' for the text inside it. The cursor stands on the field.
 */
export function readField(state: OdfInlineState, name: string): Inline | undefined | 'saved' {
  const { part, run, link } = state
  const { cursor, shared } = part
  switch (name) {
    case 'text:page-number':
      return pageNumber(cursor, run, link)
    case 'text:page-count': {
      const field = { name: 'pages', format: pageFormat(cursor), text: cursor.text() } as const
      return { kind: 'field', field, run, link }
    }
    case 'presentation:header':
    case 'presentation:footer':
    case 'presentation:date-time':
    case 'loext:page-name': {
      const value = shared.pageFields?.get(name)
      if (value === undefined) return name === 'loext:page-name' ? 'saved' : undefined
      return 'text' in value
        ? { kind: 'text', text: value.text, run, link }
        : moment(state, 'text:date', value.dateStyle)
    }
    case 'text:bookmark-ref':
    case 'text:reference-ref': {
      if (cursor.attribute('text:reference-format') !== 'page') return 'saved'
      const of = cursor.attribute('text:ref-name')
      return { kind: 'field', field: { name: 'page-of', of, text: cursor.text() }, run, link }
    }
    case 'text:chapter':
      return chapter(cursor, run, link)
    case 'text:date':
    case 'text:time':
      return moment(state, name)
    case 'text:placeholder':
      // Observed in LibreOffice: placeholders keep their width but are not printed.
      return { kind: 'text', text: cursor.text(), run: { ...run, unprinted: true } }
    case 'text:hidden-text':
      return cursor.attribute('text:is-hidden') === 'true' ? undefined : 'saved'
    case 'text:hidden-paragraph':
      if (cursor.attribute('text:is-hidden') === 'true') state.hidden = true
      return undefined
    case 'text:user-field-get':
    case 'text:variable-set':
    case 'text:user-field-input':
    case 'text:database-next':
    case 'text:database-row-select':
      return cursor.attribute('text:display') === 'none' || name.startsWith('text:database')
        ? undefined
        : 'saved'
    case 'text:author-name':
    case 'text:author-initials':
      return userField(cursor, shared.template)
    case 'field:fieldmark':
      return formMark(state)
    case 'text:script':
    case 'text:page-variable-set':
      return undefined
    default:
      return name.startsWith('text:sender-') ? userField(cursor, shared.template) : 'saved'
  }
}

/**
 * A form field of a document that comes from Word, as LibreOffice saves it: a box to check, or a list of which one entry is
 * chosen. Its parameters are named in LibreOffice's xmloff (observed in files).
 */
function formMark({ part: { cursor }, run, link }: OdfInlineState): Inline | undefined {
  const type = cursor.attribute('field:type') ?? ''
  const entries: string[] = []
  let isChecked = false
  let chosen = 0
  cursor.each((name) => {
    if (name !== 'field:param') return
    const value = cursor.attribute('field:value') ?? ''
    const parameter = cursor.attribute('field:name')
    if (parameter === 'Checkbox_Checked') isChecked = value === 'true'
    else if (parameter === 'Dropdown_Selected') chosen = integer(value) ?? 0
    else if (parameter === 'Dropdown_ListEntry' && entries.length < 1000) entries.push(value)
  })
  if (type.endsWith('FORMCHECKBOX'))
    return { kind: 'text', text: isChecked ? '\u2612' : '\u2610', run: { ...run, isFormBox: true }, link }
  const text = entries[chosen]
  return type.endsWith('FORMDROPDOWN') && text !== undefined ? { kind: 'text', text, run, link } : undefined
}

/**
 * Fields about the current user, of which a service has none: they are empty when they would be updated, in
 * templates or with text:fixed="false", and keep the saved text otherwise.
 */
function userField(cursor: XmlCursor, template: boolean): undefined | 'saved' {
  return template || cursor.attribute('text:fixed') === 'false' ? undefined : 'saved'
}

function pageNumber(cursor: XmlCursor, run: RunProperties, link: OdfInlineState['link']): Inline {
  const select = cursor.attribute('text:select-page')
  const other = select === 'next' ? 1 : select === 'previous' ? -1 : 0
  const offset = other + (integer(cursor.attribute('text:page-adjust')) ?? 0)
  const format = pageFormat(cursor)
  const field = { name: 'page', format, text: cursor.text(), ...(offset !== 0 && { offset }) } as const
  return { kind: 'field', field, run, link }
}

/** The number format of a page number; undefined: that of the page style. */
function pageFormat(cursor: XmlCursor): string | undefined {
  const format = counterFormat(cursor, 'none')
  return format === 'none' ? undefined : format
}

/** Reads text:chapter (7.3.7). */
function chapter(cursor: XmlCursor, run: RunProperties, link: OdfInlineState['link']): Inline {
  const display = cursor.attribute('text:display') ?? 'number-and-name'
  const parts = display === 'name' ? 'name' : display.endsWith('name') ? 'both' : 'number'
  const level = integer(cursor.attribute('text:outline-level')) ?? 1
  return { kind: 'field', field: { name: 'chapter', level, parts, text: cursor.text() }, run, link }
}

/**
 * Reads text:date or text:time: those that are not fixed show the current date or time; in a template none is
 * fixed.
 */
function moment(
  state: OdfInlineState,
  name: 'text:date' | 'text:time',
  dataStyle?: string,
): Inline | 'saved' {
  const { part, run, link } = state
  const { cursor, shared, styles } = part
  if (!shared.template && cursor.attribute('text:fixed') === 'true') return 'saved'
  const kind = name === 'text:date' ? 'date' : 'time'
  const style = dataStyle ?? cursor.attribute('style:data-style-name') ?? ''
  // The declaration of a date is in the content, and the field that shows it on a master.
  const scope = dataStyle === undefined ? part.scope : 'c'
  const format = styles.moments.get(`${scope}/${style}`) ?? styles.moments.get(style)
  const shift = duration(cursor.attribute(`text:${kind}-adjust`))
  const saved = cursor.text()
  // The format is missing or is not one of dates, so the saved text is kept.
  if (style !== '' && format === undefined && dataStyle === undefined)
    return { kind: 'text', text: saved, run, link }
  const pattern = format?.pattern ?? defaultPatterns[kind]
  const language = format?.language ?? 'en-US'
  return { kind: 'field', field: { name: 'moment', text: saved, pattern, language, shift }, run, link }
}

const defaultPatterns = { date: 'MM/dd/yy', time: 'HH:mm:ss' } as const

/**
 * Parses a duration such as 'P14D' or '-PT1H30M' into milliseconds, with average lengths of months and years;
 * undefined for 0.
 */
function duration(text: string | undefined): number | undefined {
  const match =
    /^(-?)P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.\d+)?S)?)?$/.exec(
      text ?? '',
    )
  if (match === null) return undefined
  const [years = 0, months = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(2)
    .map((number) => Number(number ?? 0))
  const totalDays = years * 365.25 + months * 30.4375 + days
  const ms = ((totalDays * 24 + hours) * 60 + minutes) * 60_000 + seconds * 1000
  return ms === 0 || !Number.isFinite(ms) ? undefined : (match[1] === '-' ? -1 : 1) * Math.min(ms, 1e13)
}

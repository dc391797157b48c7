import type { Field, Inline } from '../../../../../shared/document/content.ts'
import { libreOffice } from '../../compat/libreoffice.ts'
import type { ComputedRun } from '../../style/computed.ts'
import { momentText } from '../../style/moment.ts'
import { formatCounter } from '../../style/number-format.ts'
import type { LayoutContext } from '../context.ts'

/** The current value of a field. Records in `values.used` when the value can change between layout passes. */
export function fieldText(
  context: LayoutContext,
  inline: Extract<Inline, { kind: 'field' }>,
  run: ComputedRun,
): string {
  const { values } = context
  const { field } = inline
  switch (field.name) {
    case 'page':
      values.used.page = true
      return formatCounter(values.page + (field.offset ?? 0), field.format ?? values.pageFormat)
    case 'pages':
      values.used.pages = true
      return formatCounter(values.pages || Number.parseInt(field.text, 10) || 1, field.format ?? 'decimal')
    case 'section-pages':
      values.used.pages = true
      return formatCounter(
        values.sectionPages || Number.parseInt(field.text, 10) || 1,
        field.format ?? 'decimal',
      )
    case 'chapter':
      values.used.chapter = true
      return chapterText(context, field)
    case 'moment':
      return momentText(field, values.now, field.language ?? run.language)
    case 'number':
      return formatCounter(field.value ?? 1, field.format ?? 'decimal')
    case 'label-of':
      return context.labels.ofBookmarks.get(field.of ?? '')?.label?.replace(/\.$/, '') ?? field.text
    case 'note-of': {
      const { note, noteKey = '' } = context.labels.ofBookmarks.get(field.of ?? '') ?? {}
      return values.noteNumbers.get(noteKey) ?? note ?? field.text
    }
    case 'section':
      values.used.page = true
      return formatCounter(values.section, field.format ?? 'decimal')
    case 'page-of': {
      if (field.saved === true) return field.text
      values.used.bookmarks = true
      const page = values.bookmarks.get(field.of ?? '')
      if (page === undefined) return field.text
      return formatCounter(page.number, field.format === 'page' ? page.format : (field.format ?? 'decimal'))
    }
    default:
      return field.name satisfies never
  }
}

/**
 * The part of the chapter heading that a field shows. Outside headers and footers it keeps the text saved in
 * the document.
 */
function chapterText({ values }: LayoutContext, { level = 1, parts, text }: Field): string {
  if (values.chapter === undefined) return text
  const heading = values.chapter(level)
  if (heading === undefined) return ''
  const { title, label = '' } = heading
  if (parts === 'both') return libreOffice.chapterText(label, title.slice(label.length).trim())
  return parts === 'number' ? label : title.slice(label.length).trim()
}

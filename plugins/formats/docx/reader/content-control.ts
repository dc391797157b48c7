import type { Inline } from '../../../../shared/document/content.ts'
import { type DataBinding, isDocumentProperty } from './data-binding.ts'
import { createControlReader } from './form-control.ts'
import type { BoundText, DocxPartContext } from './part-context.ts'

/**
 * Reads w:sdt around text, paragraphs, cells or rows (17.5.2). The cursor stands on it; `visit` reads its
 * content. An outer bound control wins over one inside it.
 */
export function readControl(part: DocxPartContext, visit: (name: string) => void): void {
  const { bound, isPlainText, control } = part
  part.cursor.each((name) => {
    if (name === 'w:sdtPr') readProperties(part)
    else visit(name)
  })
  part.bound = bound
  part.isPlainText = isPlainText
  part.control = control
}

/**
 * w:sdtPr: whether the control holds plain text, marked by w:text, the value of one that is bound, and the field of a form that it
 * is. A control that shows a property of the document is none.
 */
function readProperties(part: DocxPartContext): void {
  const { cursor, context } = part
  let binding: DataBinding | undefined
  let isPlainText = false
  const form = createControlReader(cursor)
  cursor.each((name) => {
    if (name === 'w:text') isPlainText = true
    else if (name === 'w:dataBinding') {
      const store = cursor.attribute('w:storeItemID')
      binding = {
        path: cursor.attribute('w:xpath') ?? '',
        namespaces: cursor.attribute('w:prefixMappings') ?? '',
        ...(store !== undefined && store !== '' && { store }),
      }
    }
    form.read(name)
  })
  if (binding === undefined || !isDocumentProperty(binding)) part.control = form.finish() ?? part.control
  if (!isPlainText) return
  part.isPlainText = true
  const value = binding === undefined ? undefined : context.data?.value(binding)
  if (value !== undefined) part.bound ??= { value, used: false }
}

/**
 * Replaces one inline of a bound control's saved text: the first text becomes the value, later text is
 * dropped. Bookmarks, notes and drawings are kept.
 */
export function replaceWithBound(bound: BoundText, inline: Inline): readonly Inline[] {
  if (inline.kind === 'bookmark' || inline.kind === 'note' || inline.kind === 'drawing') return [inline]
  if (bound.used || inline.kind !== 'text') return []
  bound.used = true
  const { run } = inline
  return bound.value
    .split('\n')
    .flatMap((text, index) => [
      ...(index > 0 ? [{ kind: 'break', at: 'line', run } as const] : []),
      ...(text === '' ? [] : [{ ...inline, text }]),
    ])
}

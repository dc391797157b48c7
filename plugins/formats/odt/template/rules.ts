/** OpenDocument text for the template compiler. Source: ODF 1.3 part 3. */
import { odfRules, odfTextFilled } from '../../../../shared/office/odf-rules.ts'
import type { FormatRules } from '../../../../shared/template/rules.ts'

/** The rules of OpenDocument texts. */
export const odtRules: FormatRules = {
  ...odfRules,
  elements: { ...odfRules.elements, section: ['text:section'] },
  unique: [
    ...odfRules.unique!,
    { elements: ['text:note'], attribute: 'text:id', space: 'note', takes: 'new', kind: 'name' },
    {
      elements: ['office:annotation'],
      attribute: 'office:name',
      space: 'annotation',
      takes: 'new',
      kind: 'name',
    },
    {
      elements: ['office:annotation-end'],
      attribute: 'office:name',
      space: 'annotation',
      takes: 'same',
      kind: 'name',
    },
    { elements: ['text:section'], attribute: 'text:name', space: 'section', takes: 'new', kind: 'name' },
    {
      elements: ['text:bookmark-start', 'text:bookmark'],
      attribute: 'text:name',
      space: 'bookmark',
      takes: 'new',
      kind: 'name',
    },
    {
      elements: ['text:bookmark-end'],
      attribute: 'text:name',
      space: 'bookmark',
      takes: 'same',
      kind: 'name',
    },
  ],
  filled: odfTextFilled,
}

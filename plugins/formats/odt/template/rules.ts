/** OpenDocument text for the template compiler. Source: ODF 1.3 part 3. */
import { odfRules } from '../../../../shared/office/odf-rules.ts'
import type { FormatRules } from '../../../../shared/template/rules.ts'

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
  filled: {
    ...odfRules.filled,
    'table:table-cell': { skip: [], instead: '<text:p/>' },
    'table:table': {
      skip: [
        'table:table-column',
        'table:table-columns',
        'table:table-header-columns',
        'table:title',
        'table:desc',
      ],
    },
    'table:table-row': { skip: [] },
    'text:list': { skip: ['text:list-header'] },
  },
}

import { caseFolders } from '../../../../helpers/case-folders.ts'
import { changedParts, mergeBytes } from '../../../../helpers/merge.ts'
import { problemsOf } from '../../../../helpers/structure.ts'
import { type WorkbookSpec, xlsxOf } from '../../../../helpers/xlsx.ts'

/**
 * `workbook.json`, a workbook by its cells (`test/helpers/xlsx.ts`), and `data.json`; expected: what the merge
 * changes in its parts.
 */
caseFolders('xlsx-template', async ({ json }) => {
  const template = await xlsxOf(json<WorkbookSpec>('workbook.json') ?? { sheets: [] })
  const { value } = await mergeBytes(template, 'xlsx', json('data.json'))
  const made = new Uint8Array(await value.document.arrayBuffer())
  const problems = await problemsOf(made)
  return { 'expected.txt': `${problems.join('\n')}${changedParts(template, made)}` }
})

import { caseFolders } from '../../../../helpers/case-folders.ts'
import { changedParts, mergeBytes } from '../../../../helpers/merge.ts'
import { odsOf } from '../../../../helpers/ods.ts'
import { problemsOf } from '../../../../helpers/structure.ts'

/**
 * `body.xml`, the content of `office:spreadsheet`, and `data.json`; expected: what the merge changes in its parts.
 */
caseFolders('ods-template', async ({ text, json }) => {
  const template = await odsOf(text('body.xml') ?? '')
  const { value } = await mergeBytes(template, 'ods', json('data.json'))
  const made = new Uint8Array(await value.document.arrayBuffer())
  const problems = await problemsOf(made)
  return { 'expected.txt': `${problems.join('\n')}${changedParts(template, made)}` }
})

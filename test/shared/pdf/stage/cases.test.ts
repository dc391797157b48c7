import { AppError } from '../../../../shared/errors/app-error.ts'
import { caseFolders } from '../../../helpers/case-folders.ts'
import { finishPdf, pdfOf } from '../../../helpers/pdf.ts'
import { objectsIn, printObjects } from '../../../helpers/pdf-objects.ts'

/**
 * `objects.txt`, the objects of a file between empty lines, the first of which is the catalogue, those of streams with
 * their content below the dictionary; and `options.json`, what a caller asks for. Expected: the objects of the result in the
 * order in which they are met from the catalogue, streams decoded, and the warnings; or the error.
 */
caseFolders('pdf-stage', async ({ text, json }) => {
  const objects = objectsIn(text('objects.txt') ?? '')
  try {
    const { value, warnings } = await finishPdf(pdfOf(objects), json('options.json') ?? {})
    const said = warnings.map(({ code, message }) => `${code}: ${message}\n`).join('')
    return { 'expected.txt': printObjects(value) + said }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { 'expected.txt': `${error.code}: ${error.message}\n` }
  }
})

import { AppError } from '../../../../shared/errors/app-error.ts'
import { caseFolders } from '../../../helpers/case-folders.ts'
import { latin1 } from '../../../helpers/pdf.ts'
import { printObjects } from '../../../helpers/pdf-objects.ts'

/**
 * `file.txt`, a whole file. `@4 0 obj@` in it becomes the place of that object in ten digits, `@4 0 obj/2@` of the second
 * with that number, `@#4 0 obj@` in four digits of base 16. Expected: its objects, or the error.
 */
caseFolders('pdf-read', ({ text }) => {
  try {
    return { 'expected.txt': printObjects(latin1(withPlaces(text('file.txt') ?? ''))) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { 'expected.txt': `${error.code}: ${error.message}\n` }
  }
})

const mark = /@(#?)([\w ]+?)(?:\/(\d))?@/g

function withPlaces(text: string): string {
  // Places are counted in the finished file: each mark has the length of what stands for it.
  const sized = text.replace(mark, (_, base: string) => 'x'.repeat(base === '#' ? 4 : 10))
  return text.replace(mark, (_, base: string, what: string, time = '1') => {
    const found = [...sized.matchAll(new RegExp(`^${what}$`, 'gm'))][Number(time) - 1]
    if (found === undefined) throw new Error(`There is no ${what} number ${time}.`)
    return base === '#' ? found.index.toString(16).padStart(4, '0') : String(found.index).padStart(10, '0')
  })
}

import { dirname, isAbsolute } from 'node:path'
import { AppError } from '../../../shared/errors/app-error.ts'
import type { Host } from '../../../shared/plugin/contract.ts'
import type { Driver } from './driver.ts'
import { isInstalled, runOffice } from './programs.ts'

const output = 'made.pdf'
/** The exit status for a document that needs a password, according to the converter's error list. */
const passwordRequired = [90, 91]

/** The converter of ONLYOFFICE, when an operator has installed it: `x2t source target`. */
export function x2t(path: string | undefined, host: Host): Driver {
  const program = path ?? 'x2t'
  const title = 'x2t'
  return {
    title,
    formats: ['docx', 'xlsx', 'pptx'],
    isAvailable: () => isInstalled(program),
    async convert(job) {
      const { from, bytes } = job
      const source = `document.${from}`
      const run = {
        command: [program, source, output],
        files: { [source]: bytes },
        read: isAbsolute(program) ? [dirname(dirname(program))] : [],
      }
      const result = await runOffice(host, title, job, run)
      const outputFile = result.files.get(output)
      if (result.code === 0 && outputFile !== undefined && outputFile.length > 0) return outputFile
      if (passwordRequired.includes(result.code)) throw new AppError('convert.password', { from })
      throw new AppError('convert.document', {
        engine: title,
        from,
        because: 'it is damaged or not of this type',
      })
    },
  }
}

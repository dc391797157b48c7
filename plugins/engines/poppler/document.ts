import { AppError } from '../../../shared/errors/app-error.ts'
import type { Host } from '../../../shared/plugin/contract.ts'
import type { ProgramResult } from '../../../shared/plugin/processes.ts'
import type { Warning } from '../../../shared/plugin/values.ts'
import { title } from './conversions.ts'

/** The document and context of one job. */
export interface PdfJob {
  readonly host: Host
  readonly pdf: Uint8Array
  readonly doing: string
  /** Warnings that apply to every output. */
  readonly reported?: Set<Warning>
  readonly deadline: number
  readonly signal: AbortSignal
}

/** Size in points, as the page is shown, with its rotation applied. */
export interface PdfPageSize {
  readonly width: number
  readonly height: number
}

export const inputName = 'in.pdf'
const megabyte = 2 ** 20
/** Poppler needs about ten bytes for a pixel, so a page of 100 megapixels fits. */
const addressSpaceBytes = 4096 * megabyte
const maxPages = 10_000

/** Runs one of Poppler's programs on the document. Throws as `RunProgram` does. */
export async function runPoppler(
  { host, pdf, doing, deadline, signal }: PdfJob,
  program: string,
  args: readonly string[],
): Promise<ProgramResult> {
  if (host.runProgram === undefined)
    throw new AppError('convert.engine-off', { engine: title, because: 'this host cannot run programs' })
  return host.runProgram({
    title,
    program,
    args,
    files: { [inputName]: pdf },
    // Cairo writes an EPS to a file of tmpfile(3) until its size is known, regardless of TMPDIR.
    ...(args.includes('-eps') && { write: ['/tmp'] }),
    limits: { addressSpaceBytes, cpuSeconds: Math.max(1, (deadline - host.now()) / 1000 + 1) },
    doing,
    deadline,
    signal,
  })
}

const repaired: Warning = {
  code: 'pdf.repaired',
  message: 'The PDF was damaged and was repaired; content that could not be recovered is missing.',
}

/**
 * The pages of the document. Throws 'convert.document' for a file that is not a PDF and 'convert.password'
 * for an encrypted one.
 */
export async function readPages(job: PdfJob): Promise<readonly PdfPageSize[]> {
  const result = await runPoppler(job, 'pdfinfo', ['-f', '1', '-l', String(maxPages + 1), inputName])
  refuseFailure(result)
  if (/trying to reconstruct|xref|trailer|damaged/i.test(result.stderr)) job.reported?.add(repaired)
  const text = new TextDecoder().decode(result.stdout)
  const rotations = new Map(
    [...text.matchAll(/^Page\s+(\d+) rot:\s+(\d+)/gm)].map(([, number, rotation]) => [
      number,
      Number(rotation),
    ]),
  )
  const pages: PdfPageSize[] = []
  for (const [, number, width, height] of text.matchAll(/^Page\s+(\d+) size:\s+([\d.]+) x ([\d.]+) pts/gm)) {
    const rotation = rotations.get(number) ?? 0
    const size = [Number(width), Number(height)] as const
    pages.push(
      rotation % 180 === 0 ? { width: size[0], height: size[1] } : { width: size[1], height: size[0] },
    )
  }
  if (pages.length === 0) throw broken('it has no pages')
  if (pages.length > maxPages) throw broken(`it has more than ${maxPages} pages`)
  return pages
}

/** Poppler tolerates small errors; only files that it cannot read are refused. */
export function refuseFailure({ code, stderr }: Pick<ProgramResult, 'code' | 'stderr'>): void {
  if (code === 0) return
  if (/Incorrect password|Command Line Error: Incorrect password/.test(stderr))
    throw new AppError('convert.password', { from: 'pdf' })
  if (/out of memory|bad_alloc|cannot allocate/i.test(stderr))
    throw new AppError('convert.memory', { engine: title, limit: addressSpaceBytes / megabyte })
  if (code >= 128) throw new AppError('convert.crashed', { engine: title })
  throw broken(
    /xref|trailer|PDF file is damaged|not a PDF|May not be a PDF/i.test(stderr)
      ? 'it is damaged'
      : 'its pages cannot be drawn',
  )
}

export function broken(because: string): AppError {
  return new AppError('convert.document', { engine: title, from: 'pdf', because })
}

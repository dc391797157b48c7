import { AppError } from '../../errors/app-error.ts'

/**
 * PDFs as one, their pages in order. Sources are let go as they come. Throws 'api.batch.pdf' for a file that cannot be
 * opened or is encrypted.
 */
export async function joinPdfs(files: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const { PDFDocument } = await import('pdf-lib') // only those who join PDFs pay for it
  const joined = await PDFDocument.create({ updateMetadata: false })
  let index = 0
  for await (const bytes of files) {
    try {
      const file = await PDFDocument.load(bytes, { updateMetadata: false })
      for (const page of await joined.copyPages(file, file.getPageIndices())) joined.addPage(page)
    } catch (cause) {
      throw new AppError('api.batch.pdf', { index }, { cause })
    }
    index++
  }
  return joined.save()
}

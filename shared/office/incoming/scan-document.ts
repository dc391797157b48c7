/**
 * Prepares a caller's document for an office program: pictures that it refers to are fetched and embedded, and its
 * other links are dropped. A large document takes seconds to read, so the host reads it on another thread
 * (`scanOnThread`); the thread that serves requests only fetches the pictures (`scanDocument`).
 */

import { AppError } from '../../errors/app-error.ts'
import { PageFiles } from '../../net/page-files.ts'
import type { ConvertJob, Host } from '../../plugin/contract.ts'
import type { IncomingDocument, IncomingScan } from '../../plugin/incoming.ts'
import { XmlFault } from '../../xml/cursor.ts'
import { embedLinkedPictures, linkedPictures } from './linked-pictures.ts'
import { type Scan, type ScanContext, scanIncoming } from './scan.ts'

/** Reads a document. Throws AppError 'package.…'. */
export function scanOnThread(
  { bytes, from, pictures }: IncomingDocument,
  context: ScanContext,
): IncomingScan {
  try {
    const urls = pictures === undefined ? linkedPictures(bytes, context) : []
    if (urls.length > 0) return { kind: 'pictures', urls }
    const embedded = pictures && embedLinkedPictures(bytes, pictures, context)
    const pictureReasons = embedded?.reasons ?? []
    const scan = scanIncoming(embedded?.bytes ?? bytes, from, { ...context, pictureReasons })
    const { warnings, leavesTraces } = scan
    return { kind: 'scanned', warnings, leavesTraces, ...(scan.bytes !== bytes && { bytes: scan.bytes }) }
  } catch (error) {
    if (error instanceof XmlFault) return { kind: 'refused', because: error.message }
    throw error
  }
}

/**
 * Returns the document in a form that an office program may open. `engine` is the title of the engine, for messages.
 * Throws 'convert.password', 'convert.document', and 'convert.engine-off' on a host that runs no office programs.
 */
export async function scanDocument(
  { scanOffice, outbound }: Host,
  engine: string,
  bytes: Uint8Array,
  { from, egressAuthorization: authorization }: Pick<ConvertJob, 'from' | 'egressAuthorization'>,
  signal: AbortSignal,
): Promise<Scan> {
  if (scanOffice === undefined)
    throw new AppError('convert.engine-off', { engine, because: 'this host cannot open office documents' })
  try {
    let scan = await scanOffice({ bytes, from }, signal)
    if (scan.kind === 'pictures') {
      const files = new PageFiles({ outbound, authorization, signal })
      const fetched = scan.urls.map(async (url) => [url, await files.load(url)] as const)
      const pictures = new Map(await Promise.all(fetched))
      signal.throwIfAborted()
      scan = await scanOffice({ bytes, from, pictures }, signal)
    }
    if (scan.kind === 'scanned') return { ...scan, bytes: scan.bytes ?? bytes }
    const because = scan.kind === 'refused' ? scan.because : 'its pictures cannot be read'
    throw new AppError('convert.document', { engine, from, because })
  } catch (error) {
    if (!(error instanceof AppError) || !error.code.startsWith('package.')) throw error
    if (error.code === 'package.encrypted') throw new AppError('convert.password', { from })
    const because = 'its package is damaged or too large'
    throw new AppError('convert.document', { engine, from, because }, { cause: error })
  }
}

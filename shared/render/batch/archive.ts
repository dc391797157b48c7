import { AppError } from '../../errors/app-error.ts'
import { errorBody, toRenderError } from '../../errors/problem.ts'
import { type ArchiveFile, zipStream } from '../../office/zip-stream.ts'
import { bytesOf } from '../../plugin/byte-source.ts'
import type { FormatPlugin } from '../../plugin/contract.ts'
import type { ByteSource } from '../../plugin/values.ts'
import { writeManifest } from '../../provenance/manifest.ts'
import { putFile } from '../../services/discard-file.ts'
import { toHex } from '../../services/ids.ts'
import type { Services } from '../../services/services.ts'
import { sanitizeReportName } from '../steps/name-result.ts'
import { isItemFailure, itemError } from './item-error.ts'
import type { ItemOutcome } from './outcomes.ts'
import type { BatchRequest } from './split.ts'

const errorsFile = 'errors.json'

/**
 * Writes the reports into a zip as they are made, in the order of the items. The archive is spooled to storage, because
 * nothing of it may reach the caller before its last report has been made; `spool` is its key there. Throws
 * 'api.batch.item', 'storage.blobs'.
 */
export async function writeArchive(
  services: Services,
  batch: BatchRequest,
  outcomes: AsyncIterable<ItemOutcome>,
): Promise<{ readonly source: ByteSource; readonly spool: string }> {
  const spool = `spool/renders/${toHex(services.ids.random(16))}`
  const archive = zipStream(archiveFiles(batch, outcomes), services.codec, services.clock.now())
  await putFile(services, spool, archive)
  const source = await services.blobs.get(spool)
  if (source === undefined) throw new AppError('storage.blobs')
  return { source, spool }
}

/** The reports as files with names of their own, and at the end a file with the errors of the others. Throws as `writeArchive`. */
export async function* archiveFiles(
  batch: BatchRequest,
  outcomes: AsyncIterable<ItemOutcome>,
): AsyncGenerator<ArchiveFile, void, void> {
  const errors: object[] = []
  const names = new Map<string, number>(batch.onError === 'report' ? [[errorsFile, 1]] : [])
  for await (const outcome of outcomes) {
    if ('error' in outcome) {
      if (batch.onError === 'fail' || !isItemFailure(outcome.error))
        throw itemError(outcome.index, outcome.error)
      const { success: _, data: __, ...error } = errorBody(toRenderError(outcome.error))
      errors.push({ index: outcome.index, ...error })
      continue
    }
    const { report } = outcome
    const [extension] = report.format.extensions
    const requestedName = report.names['batchReportName'] ?? batch.reportName ?? ''
    const name = uniqueName(sanitizeReportName(requestedName, extension), extension, names)
    yield { name, bytes: await bytesOf(report.source), compress: isText(report.format) }
    const { manifest } = report
    if (manifest === undefined) continue
    const manifestFile = uniqueName(`${name}.provenance`, 'json', names)
    yield { name: manifestFile, bytes: writeManifest(manifest), compress: true }
  }
  if (errors.length === 0) return
  const bytes = new TextEncoder().encode(JSON.stringify(errors, undefined, 2))
  yield { name: errorsFile, bytes, compress: true }
}

/**
 * A name that no other file of the archive has. Names that differ only in case count as equal, since some file systems
 * ignore case. `nameCounts` counts how often each name was requested, by the name in lower case.
 */
function uniqueName(name: string, extension: string, nameCounts: Map<string, number>): string {
  const fileName = `${name}.${extension}`
  const key = fileName.toLowerCase()
  const earlierCount = nameCounts.get(key) ?? 0
  if (earlierCount === 0) {
    nameCounts.set(key, 1)
    return fileName
  }
  for (let count = earlierCount + 1; ; count++) {
    const numberedName = `${name} (${count}).${extension}`
    if (nameCounts.has(numberedName.toLowerCase())) continue
    nameCounts.set(key, count)
    nameCounts.set(numberedName.toLowerCase(), 1)
    return numberedName
  }
}

function isText(format: FormatPlugin): boolean {
  return format.mime.some((type) => /^text\/|[/+](xml|json|rtf)$|-flat-xml$/.test(type))
}

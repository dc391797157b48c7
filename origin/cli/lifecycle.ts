import { AppError } from '../../shared/errors/app-error.ts'
import { openS3Blobs } from '../storage/blobs-s3.ts'
import type { LocalCommand } from './command.ts'
import { readFlags } from './flags.ts'

/**
 * A job ends within a day, and its document stays for another one at most (SERVICE_RENDER_LIFE). The third is for clocks that
 * differ.
 */
const expireDays = 3

/** Sets lifecycle rules on the buckets of the service, so that their store removes what a crash leaves behind. */
export const lifecycleCommand: LocalCommand = {
  local: true,
  usage: 'platen lifecycle [--workdir FOLDER]',
  summary:
    'Sets lifecycle rules on the buckets of SERVICE_BLOBS_URL. They remove unfinished uploads, and expired files from a bucket that holds short-lived files only.',
  async run(readConfig, args) {
    const { workdir } = readFlags(args, {})
    const { blobsUrl } = readConfig(workdir)
    if (blobsUrl.length === 0) {
      console.error(
        'Files are in a folder here, which has no lifecycle rules. Set SERVICE_BLOBS_URL for buckets.',
      )
      return 1
    }
    let failed = 0
    for (const [at, url] of blobsUrl.entries()) {
      const { protocol, hostname } = new URL(url)
      if (protocol !== 's3:') {
        console.error(
          `${hostname}: rules of Azure belong to the storage account. docs/cluster.md has one to set there.`,
        )
        failed++
        continue
      }
      const isShortLived = at === 1
      const blobs = openS3Blobs(url)
      try {
        await blobs.setLifecycle({ expireDays: isShortLived ? expireDays : undefined })
        const expiry = isShortLived ? `, and files ${expireDays} days old` : ''
        console.log(`${hostname}: the store removes uploads that were not completed for a day${expiry}.`)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        failed++
        console.error(
          `${hostname}: the store did not accept the rules (${reasonOf(error)}). Set them with its own tools, as docs/cluster.md says.`,
        )
      } finally {
        await blobs.close()
      }
    }
    return failed === 0 ? 0 : 1
  },
}

/** The error code of the store, such as 'AccessDenied' and 'NotImplemented'. */
function reasonOf({ cause }: AppError): string {
  return cause instanceof Error ? cause.name : 'no answer'
}

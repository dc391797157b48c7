import { join } from 'node:path'
import { AppError } from '../../shared/errors/app-error.ts'
import type { Log } from '../../shared/plugin/contract.ts'
import type { Blobs, Clock, Queue, Sql } from '../../shared/ports/index.ts'
import type { Config } from '../config.ts'
import { type BlobPlaces, blobUrls } from './blob-urls.ts'
import { openFsBlobs } from './blobs-fs.ts'
import { splitBlobs } from './blobs-split.ts'
import { openSqlQueue } from './queue-sqlite.ts'
import { openSqlite } from './records-sqlite.ts'

export interface Storage {
  readonly sql: Sql
  readonly blobs: Blobs
  readonly queue: Queue
  /** True the first time that any of the processes asks for this text, for so many ms. Absent where there is one. */
  readonly once?: (text: string, ms: number) => Promise<boolean>
  /** The last thing to be called. */
  close(): Promise<void>
}

/** Some keep connections open. */
type ClosingBlobs = Blobs & { close?(): Promise<void> }

export type StorageConfig = Pick<
  Config,
  'stateless' | 'dataDir' | 'databaseName' | 'databaseUrl' | 'redisUrl'
> &
  BlobPlaces

/**
 * Where records, files and waiting jobs are kept: in the data folder of one machine, or in servers that any number of
 * origins share. Each of the three may be chosen for itself; without Redis the queue is a table of the records. What a
 * single machine does not need is not even loaded there. Throws 'storage.url'.
 */
export async function openStorage(
  config: StorageConfig,
  { log, clock }: { readonly log: Log; readonly clock: Clock },
): Promise<Storage> {
  const { stateless, dataDir, databaseName, databaseUrl, redisUrl } = config
  if (!/^[\w-][\w.-]*$/.test(databaseName))
    throw new AppError('storage.names', {
      option: 'SERVICE_DATABASE_NAME',
      example: 'the name of a file, without folders',
    })
  const urls = stateless ? [] : blobUrls(config)
  check('SERVICE_DATABASE_URL', databaseUrl, /^postgres(ql)?:$/, 'postgres://user:password@host/database')
  check(
    'SERVICE_BLOBS_URL',
    config.blobsUrl,
    /^(s3|azure):$/,
    's3://key:secret@bucket?endpoint=https://s3.example.com',
  )
  check('SERVICE_REDIS_URL', redisUrl, /^rediss?:$/, 'redis://host:6379')
  const closing: (() => Promise<void> | undefined)[] = []
  const opened = <T extends { close?(): Promise<void> }>(store: T): T => {
    closing.unshift(() => store.close?.())
    return store
  }
  const sql = opened(
    databaseUrl === '' || stateless
      ? openSqlite(stateless ? ':memory:' : join(dataDir, databaseName))
      : (await import('./records-postgres.ts')).openPostgres(databaseUrl, { log }),
  )
  const blobs =
    urls.length === 0
      ? await openFsBlobs(join(dataDir, 'blobs'))
      : splitBlobs(await Promise.all(urls.map(async (url) => opened<ClosingBlobs>(await openBlobs(url)))))
  const redis =
    redisUrl === '' || stateless
      ? undefined
      : opened((await import('./queue-redis.ts')).openRedisQueue(redisUrl, { log }))
  return {
    sql,
    blobs,
    queue: redis ?? openSqlQueue({ sql, clock, log }),
    ...(redis && { once: redis.once }),
    close: async () => {
      for (const close of closing) await close()
    },
  }
}

/** Without the store's own library, which is large, where it is not used. */
async function openBlobs(url: string): Promise<ClosingBlobs> {
  return url.startsWith('azure:')
    ? (await import('./blobs-azure.ts')).openAzureBlobs(url)
    : (await import('./blobs-s3.ts')).openS3Blobs(url)
}

function check(option: string, url: string, protocol: RegExp, example: string): void {
  if (
    url === '' ||
    (URL.canParse(url) && protocol.test(new URL(url).protocol) && new URL(url).hostname !== '')
  )
    return
  throw new AppError('storage.url', { option, example })
}

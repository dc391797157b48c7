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
  /**
   * Claims a text for the given milliseconds. Resolves to true for the first claim by any process. Absent
   * without Redis.
   */
  readonly once?: (text: string, ms: number) => Promise<boolean>
  /** Closes all connections. No other method may be called afterwards. */
  close(): Promise<void>
}

/** Stores that keep connections open have `close`. */
type ClosingBlobs = Blobs & { close?(): Promise<void> }

export type StorageConfig = Pick<
  Config,
  'stateless' | 'dataDir' | 'databaseName' | 'databaseUrl' | 'redisUrl'
> &
  BlobPlaces

/**
 * Opens the stores for records, files and queued jobs: in the data folder of one machine, or on servers that
 * several origins share. Each of the three can be chosen independently; without Redis the queue is a table of
 * the records. Client libraries are loaded only when they are needed. Throws 'storage.url' and
 * 'storage.names' for unusable settings.
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
  /** Closes the stores in the reverse order of opening. */
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

/** Imports the client library on demand, because it is large. */
async function openBlobs(url: string): Promise<ClosingBlobs> {
  return url.startsWith('azure:')
    ? (await import('./blobs-azure.ts')).openAzureBlobs(url)
    : (await import('./blobs-s3.ts')).openS3Blobs(url)
}

/** Throws 'storage.url' for a URL that is not empty and has another protocol or no host. */
function check(option: string, url: string, protocol: RegExp, example: string): void {
  if (
    url === '' ||
    (URL.canParse(url) && protocol.test(new URL(url).protocol) && new URL(url).hostname !== '')
  )
    return
  throw new AppError('storage.url', { option, example })
}

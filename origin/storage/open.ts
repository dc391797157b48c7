import { join } from 'node:path'
import { entryOf } from '../../shared/entry-of.ts'
import { AppError } from '../../shared/errors/app-error.ts'
import type { Log } from '../../shared/plugin/values.ts'
import type { Blobs, Clock, Queue, Sql } from '../../shared/ports/index.ts'
import type { OriginConfig } from '../config.ts'
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
  readonly claimOnce?: (text: string, ms: number) => Promise<boolean>
  /** Closes all connections. No other method may be called afterwards. */
  close(): Promise<void>
}

/** Stores that keep connections open have `close`. */
type ClosingBlobs = Blobs & { close?(): Promise<void> }

export type StorageConfig = Pick<
  OriginConfig,
  'stateless' | 'dataDir' | 'databaseUrl' | 'blobsUrl' | 'redisUrl'
>

/** The file of the records in the data folder of one machine. */
export const databaseFile = 'service.sqlite'

/**
 * The stores of files on servers, by the protocol of their URLs. Each is imported on demand, because the client
 * libraries are large.
 */
const blobStores: Readonly<Record<string, (url: string) => Promise<ClosingBlobs>>> = {
  's3:': async (url) => (await import('./blobs-s3.ts')).openS3Blobs(url),
  'azure:': async (url) => (await import('./blobs-azure.ts')).openAzureBlobs(url),
}

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
  const { stateless, dataDir, databaseUrl, redisUrl } = config
  const blobsUrl = stateless ? [] : config.blobsUrl
  check(
    'SERVICE_DATABASE_URL',
    databaseUrl,
    { 'postgres:': true, 'postgresql:': true },
    'postgres://user:password@host/database',
  )
  for (const url of blobsUrl)
    check('SERVICE_BLOBS_URL', url, blobStores, 's3://key:secret@bucket?endpoint=https://s3.example.com')
  if (blobsUrl.length > 2)
    throw new AppError('storage.names', {
      option: 'SERVICE_BLOBS_URL',
      example: 'one URL, or two: for templates and for everything else',
    })
  check('SERVICE_REDIS_URL', redisUrl, { 'redis:': true, 'rediss:': true }, 'redis://host:6379')
  /** Closes the stores in the reverse order of opening. */
  const closing: (() => Promise<void> | undefined)[] = []
  const opened = <T extends { close?(): Promise<void> }>(store: T): T => {
    closing.unshift(() => store.close?.())
    return store
  }
  const sql = opened(
    databaseUrl === '' || stateless
      ? openSqlite(stateless ? ':memory:' : join(dataDir, databaseFile))
      : (await import('./records-postgres.ts')).openPostgres(databaseUrl, { log }),
  )
  const blobs =
    blobsUrl.length === 0
      ? await openFsBlobs(join(dataDir, 'blobs'))
      : splitBlobs(await Promise.all(blobsUrl.map(async (url) => opened(await openBlobs(url)))))
  const redis =
    redisUrl === '' || stateless
      ? undefined
      : opened((await import('./queue-redis.ts')).openRedisQueue(redisUrl, { log }))
  return {
    sql,
    blobs,
    queue: redis ?? openSqlQueue({ sql, clock, log }),
    ...(redis && { claimOnce: redis.claimOnce }),
    close: async () => {
      for (const close of closing) await close()
    },
  }
}

async function openBlobs(url: string): Promise<ClosingBlobs> {
  const openStore = entryOf(blobStores, new URL(url).protocol)
  if (openStore === undefined) throw new Error('The protocol of this URL has not been checked.')
  return openStore(url)
}

/** Throws 'storage.url' for a URL that is not empty and has none of these protocols or no host. */
function check(
  option: string,
  url: string,
  protocols: Readonly<Record<string, unknown>>,
  example: string,
): void {
  if (url === '') return
  if (URL.canParse(url)) {
    const { protocol, hostname } = new URL(url)
    if (Object.hasOwn(protocols, protocol) && hostname !== '') return
  }
  throw new AppError('storage.url', { option, example })
}

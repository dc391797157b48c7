/** What the tests use of s3rver, which has no types of its own. */
declare module 's3rver' {
  import type { Server } from 'node:http'
  import type { Readable } from 'node:stream'

  type Headers = Record<string, unknown>
  interface Put {
    readonly size: number
    readonly md5: string
  }
  export interface StoredObject {
    readonly bucket: string
    readonly key: string
    readonly content: Buffer | Readable | null
    readonly metadata: Headers
    range?: { readonly start: number; readonly end: number }
  }

  export interface Context {
    readonly method: string
    readonly url: string
    readonly req: Readable
    status: number
    body: unknown
  }

  /** What it asks of the place where objects lie. */
  export interface ObjectStore {
    existsObject(bucket: string, key: string): Promise<boolean>
    getObject(
      bucket: string,
      key: string,
      range?: { start?: number; end?: number },
    ): Promise<StoredObject | null>
    putObject(object: StoredObject): Promise<Put>
    copyObject(
      fromBucket: string,
      fromKey: string,
      bucket: string,
      key: string,
      headers: Headers | null,
    ): Promise<Headers>
    deleteObject(bucket: string, key: string): Promise<void>
    listObjects(
      bucket: string,
      options: { delimiter?: string; startAfter?: string; prefix?: string; maxKeys?: number },
    ): Promise<{ objects: StoredObject[]; commonPrefixes: string[]; isTruncated: boolean }>
    initiateUpload(bucket: string, key: string, id: string, headers: Headers): Promise<void>
    putPart(bucket: string, id: string, number: number, content: Readable): Promise<Put>
    putObjectMultipart(
      bucket: string,
      id: string,
      parts: readonly { readonly number: number }[],
    ): Promise<Put>
  }

  export default class S3rver {
    constructor(options: {
      readonly port: number
      readonly address: string
      readonly silent: boolean
      readonly directory: string
    })
    /** Its own store, which keeps buckets and objects in files. */
    readonly store: ObjectStore
    /** Those of Koa, the first of which is asked first. */
    readonly middleware: ((context: Context, next: () => Promise<void>) => Promise<void>)[]
    /** Since `run`. */
    readonly httpServer: Server
    run(): Promise<{ readonly port: number }>
    close(): Promise<void>
    configureBuckets(): Promise<unknown>
    on(event: 'error', listener: (error: Error) => void): this
  }
}

declare module 's3rver/lib/models/object.js' {
  import type { Readable } from 'node:stream'
  import type { StoredObject } from 's3rver'

  const S3Object: new (
    bucket: string,
    key: string,
    content: Buffer | Readable | null,
    metadata: Record<string, unknown>,
  ) => StoredObject
  export default S3Object
}

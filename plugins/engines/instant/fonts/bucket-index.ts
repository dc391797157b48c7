/**
 * The index of the fonts in a bucket, which `platen fonts sync` writes and the Worker reads: what each face is called and
 * which characters it has, so that the Worker fetches no file but those that a document uses.
 */
import type { FontEntry } from './font-source.ts'

export const bucketIndexKey = 'fonts/index.json'

/** Increase this when the content of entries changes. */
const version = 1

/** The largest file that an isolate can hold in addition to a document, in bytes. */
export const maxBucketFont = 16_000_000

export interface BucketFile {
  readonly key: string // 'fonts/Noto Sans Thai-Bold.ttf'
  /** SHA-256 of the file, hexadecimal. */
  readonly digest: string
  /** Its faces; their `key` is that of the file. */
  readonly entries: readonly FontEntry[]
}

export function writeBucketIndex(files: readonly BucketFile[]): string {
  return JSON.stringify({ version, files })
}

/** The files of an index; none when it is damaged or of another version. */
export function readBucketIndex(text: string): readonly BucketFile[] {
  try {
    const index = JSON.parse(text) as { readonly version?: unknown; readonly files?: unknown }
    return index.version === version && Array.isArray(index.files) ? index.files.filter(isFile) : []
  } catch {
    return []
  }
}

function isFile(file: Partial<BucketFile> | null): file is BucketFile {
  return (
    typeof file?.key === 'string' &&
    typeof file.digest === 'string' &&
    Array.isArray(file.entries) &&
    file.entries.every(
      (entry: Partial<FontEntry> | null) =>
        typeof entry?.family === 'string' &&
        Array.isArray(entry.names) &&
        typeof entry.record?.characters === 'string' &&
        Array.isArray(entry.unicodeRanges),
    )
  )
}

import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { brotliDecompressSync } from 'node:zlib'
import type { FontEntry, FontSource } from '../../plugins/engines/instant/fonts/font-source.ts'
import { recordFace } from '../../plugins/engines/instant/fonts/record-face.ts'
import type { ReadAt } from '../../plugins/engines/instant/fonts/sfnt/container.ts'
import { describeFont } from '../../plugins/engines/instant/fonts/sfnt/describe.ts'
import type { FaceRecord } from '../../plugins/engines/instant/fonts/sfnt/face-record.ts'
import { type Unpackers, unpackFont } from '../../plugins/engines/instant/fonts/sfnt/woff.ts'
import { AppError } from '../../shared/errors/app-error.ts'
import { maxOf } from '../../shared/extremes.ts'
import { nodeCodec } from '../codec.ts'
import { type FileVersion, readRange } from './file-ranges.ts'

/** The index of one font file. */
interface IndexedFile extends FileVersion {
  readonly entries: readonly FontEntry[] // without their records
  /** The faces by their number in the file; null for a face that cannot be used. */
  readonly faces: readonly (FaceRecord | null)[]
}

const extensions = new Set(['.ttf', '.otf', '.ttc', '.otc', '.woff', '.woff2'])
/** Web fonts. They are read completely, because the tables that describe them are compressed too. */
const compressed = /\.woff2?$/i
/**
 * Font folders are nested by foundry and family. Deeper levels are a mistake or a cycle of symbolic links.
 */
const maxDepth = 8
/** Further files are ignored, so that a wrong folder does not delay the start. */
const maxFiles = 20_000
/** Larger files are ignored. */
const maxFileBytes = 128_000_000
/** Increase this when the content of entries changes. An index of another version is discarded. */
const indexVersion = 4

export interface FolderFonts extends FontSource {
  /** Whether a file was found to have changed since it was indexed, so that the index must be rebuilt. */
  readonly stale: boolean
}

/**
 * The fonts below some folders: families, metrics and characters of every face. The index is stored in `cacheFile`,
 * which threads and processes share; files with the same size and modification time are not opened again. Folders and
 * files that cannot be read are ignored, because fewer fonts are better than an error.
 */
export function folderFonts(folders: readonly string[], cacheFile?: string): FolderFonts {
  let index: { readonly entries: readonly FontEntry[]; readonly files: ReadonlyMap<string, FileVersion> }
  let stale = false
  const indexed = () => {
    if (index === undefined) {
      const files = indexFolders(folders, cacheFile)
      index = { entries: entriesOf(files), files: new Map(files.map((file) => [file.path, file])) }
    }
    return index
  }
  return {
    get entries() {
      return indexed().entries
    },
    read(entry) {
      try {
        return readFontFile(entry.key)
      } catch {
        return undefined
      }
    },
    readAt(entry) {
      const file = compressed.test(entry.key) ? undefined : indexed().files.get(entry.key)
      return (
        file &&
        ((offset, length) => {
          const bytes = readRange(file, offset, length)
          if (bytes !== undefined) return bytes
          stale = true
          throw new AppError('font.damaged', { what: 'its file was replaced while it was in use' })
        })
      )
    },
    get stale() {
      return stale
    },
  }
}

/** If several versions of a family are installed, the newest one counts, as in fontconfig. */
function entriesOf(files: readonly IndexedFile[]): FontEntry[] {
  return files
    .flatMap(({ entries, faces }) =>
      entries.flatMap((entry) => {
        const record = faces[entry.index]
        return record ? [{ ...entry, record }] : []
      }),
    )
    .sort((a, b) => b.version - a.version)
}

function readFontFile(path: string): Uint8Array {
  const bytes = readFileSync(path)
  return compressed.test(path) ? unpackFont(bytes, unpackers) : bytes
}

const unpackers: Unpackers = {
  inflateRaw: nodeCodec.inflateRaw,
  brotli: (bytes, maxOutputLength) => brotliDecompressSync(bytes, { maxOutputLength }),
}

/** A text that changes when a font file is added, removed or replaced. Opens no files. */
export function stateOfFolders(folders: readonly string[]): string {
  const paths: string[] = []
  for (const folder of folders) collectFiles(folder, 0, paths)
  return paths.map((path) => `${path} ${stampOf(path)}`).join('\n')
}

function stampOf(path: string): string {
  try {
    const { size, mtimeMs, ino } = statSync(path)
    return `${size} ${mtimeMs} ${ino}`
  } catch {
    return 'gone'
  }
}

function indexFolders(folders: readonly string[], cacheFile: string | undefined): IndexedFile[] {
  const paths: string[] = []
  for (const folder of folders) collectFiles(folder, 0, paths)
  const indexed = cacheFile === undefined ? new Map<string, IndexedFile>() : readIndex(cacheFile)
  const files: IndexedFile[] = []
  let changed = false
  for (const path of paths.sort()) {
    const file = indexFile(path, indexed.get(path))
    if (file === undefined) continue
    changed ||= file !== indexed.get(path)
    files.push(file)
  }
  if (cacheFile !== undefined && (changed || files.length !== indexed.size)) writeIndex(cacheFile, files)
  return files
}

function collectFiles(folder: string, depth: number, paths: string[]): void {
  if (depth > maxDepth || paths.length >= maxFiles) return
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch {
    return
  }
  for (const name of names.sort()) {
    const path = join(folder, name)
    if (extensions.has(extname(name).toLowerCase())) paths.push(path)
    else if (!name.includes('.') || isFolder(path)) collectFiles(path, depth + 1, paths)
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/**
 * The index of a file: `known` if the file is unchanged. Undefined for a file that is too large or cannot be
 * read.
 */
function indexFile(path: string, indexed: IndexedFile | undefined): IndexedFile | undefined {
  try {
    const { size, mtimeMs } = statSync(path)
    const modified = Math.floor(mtimeMs)
    if (indexed?.size === size && indexed.modified === modified) return indexed
    if (size > maxFileBytes) return undefined
    return describeFile({ path, size, modified })
  } catch {
    return undefined
  }
}

/** The fonts of a file. A file that is not a font has no entries; that is cached too. */
function describeFile(file: FileVersion): IndexedFile | undefined {
  try {
    const complete = compressed.test(file.path) ? readFontFile(file.path) : undefined
    const size = complete?.byteLength ?? file.size
    const readAt: ReadAt = (offset, length) => {
      const bytes = complete?.subarray(offset, offset + length) ?? readRange(file, offset, length)
      if (bytes === undefined) throw new FileReplaced()
      return bytes
    }
    const entries = describeFont(file.path, readAt)
    const count = 1 + Math.max(-1, maxOf(entries.map(({ index }) => index)))
    const faces = Array.from({ length: count }, (_, index) => recordOrNull(readAt, size, index))
    return { ...file, entries, faces }
  } catch (error) {
    // A file that is replaced at this moment is not cached.
    return error instanceof FileReplaced ? undefined : { ...file, entries: [], faces: [] }
  }
}

class FileReplaced extends Error {}

function recordOrNull(readAt: ReadAt, size: number, index: number): FaceRecord | null {
  try {
    return recordFace(readAt, size, index)
  } catch (error) {
    if (error instanceof FileReplaced) throw error
    return null
  }
}

/**
 * The file has two lines: the version with a digest of the second line, and the files. A file of another version, or
 * a damaged one, is ignored.
 */
function readIndex(cacheFile: string): Map<string, IndexedFile> {
  try {
    const text = readFileSync(cacheFile, 'utf8')
    const end = text.indexOf('\n')
    const head = JSON.parse(text.slice(0, end)) as { version: number; digest: string }
    const body = text.slice(end + 1)
    if (head.version !== indexVersion || head.digest !== digestOf(body)) return new Map()
    return new Map((JSON.parse(body) as IndexedFile[]).map((file) => [file.path, file]))
  } catch {
    return new Map()
  }
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64')

/**
 * Writes a temporary file and renames it, so that threads and processes that start together never read a partial index.
 */
function writeIndex(cacheFile: string, files: readonly IndexedFile[]): void {
  try {
    mkdirSync(dirname(cacheFile), { recursive: true, mode: 0o700 })
    const draft = `${cacheFile}.${process.pid}.${threadId}`
    const body = JSON.stringify(files)
    const head = JSON.stringify({ version: indexVersion, digest: digestOf(body) })
    writeFileSync(draft, `${head}\n${body}`, { mode: 0o600 })
    renameSync(draft, cacheFile)
  } catch {
    // On a read-only disk the index is not stored, so the next start builds it again.
  }
}

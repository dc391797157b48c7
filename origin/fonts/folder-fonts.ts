import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import type { FontEntry, FontSource } from '../../plugins/engines/instant/fonts/font-source.ts'
import { describeBytes, describeFont } from '../../plugins/engines/instant/fonts/sfnt/describe.ts'
import { type Unpackers, unpackFont } from '../../plugins/engines/instant/fonts/sfnt/woff.ts'
import { nodeCodec } from '../codec.ts'

/** The index of one font file. */
interface IndexedFile {
  readonly path: string
  readonly size: number
  readonly modified: number // ms
  readonly entries: readonly FontEntry[]
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
const indexVersion = 2

/**
 * The fonts below some folders. The index is kept in `cacheFile`; files with the same size and modification
 * time are not opened again. Folders and files that cannot be read are ignored, because fewer fonts are
 * better than an error.
 */
export function folderFonts(folders: readonly string[], cacheFile?: string): FontSource {
  let entries: readonly FontEntry[] | undefined
  return {
    get entries() {
      entries ??= indexFolders(folders, cacheFile)
      return entries
    },
    read(entry) {
      try {
        return readFontFile(entry.key)
      } catch {
        return undefined
      }
    },
  }
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

function indexFolders(folders: readonly string[], cacheFile: string | undefined): FontEntry[] {
  const paths: string[] = []
  for (const folder of folders) collectFiles(folder, 0, paths)
  const known = cacheFile === undefined ? new Map<string, IndexedFile>() : readIndex(cacheFile)
  const files: IndexedFile[] = []
  let changed = false
  for (const path of paths.sort()) {
    const file = indexFile(path, known.get(path))
    if (file === undefined) continue
    changed ||= file !== known.get(path)
    files.push(file)
  }
  if (cacheFile !== undefined && (changed || files.length !== known.size)) writeIndex(cacheFile, files)
  // If several versions of a family are installed, the newest one counts, as in fontconfig.
  return files.flatMap((file) => file.entries).sort((a, b) => b.version - a.version)
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
function indexFile(path: string, known: IndexedFile | undefined): IndexedFile | undefined {
  try {
    const { size, mtimeMs } = statSync(path)
    const modified = Math.floor(mtimeMs)
    if (known?.size === size && known.modified === modified) return known
    if (size > maxFileBytes) return undefined
    return { path, size, modified, entries: describeFile(path) }
  } catch {
    return undefined
  }
}

/** The fonts of a file. A file that is not a font has no entries; that is cached too. */
function describeFile(path: string): FontEntry[] {
  if (compressed.test(path)) return describeCompressed(path)
  const handle = openSync(path, 'r')
  try {
    return describeFont(path, (offset, length) => {
      const bytes = new Uint8Array(length)
      return bytes.subarray(0, readSync(handle, bytes, 0, length, offset))
    })
  } catch {
    return []
  } finally {
    closeSync(handle)
  }
}

function describeCompressed(path: string): FontEntry[] {
  try {
    return describeBytes(path, readFontFile(path))
  } catch {
    return []
  }
}

function readIndex(cacheFile: string): Map<string, IndexedFile> {
  try {
    const index = JSON.parse(readFileSync(cacheFile, 'utf8')) as { version: number; files: IndexedFile[] }
    if (index.version !== indexVersion) return new Map()
    return new Map(index.files.map((file) => [file.path, file]))
  } catch {
    return new Map()
  }
}

/**
 * Writes a temporary file and renames it, so that processes that start together never read a partial index.
 */
function writeIndex(cacheFile: string, files: readonly IndexedFile[]): void {
  try {
    mkdirSync(dirname(cacheFile), { recursive: true })
    const draft = `${cacheFile}.${process.pid}`
    writeFileSync(draft, JSON.stringify({ version: indexVersion, files }))
    renameSync(draft, cacheFile)
  } catch {
    // On a read-only disk the index is built again at the next start.
  }
}

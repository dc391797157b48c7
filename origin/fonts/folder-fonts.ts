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

interface IndexedFile {
  readonly path: string
  readonly size: number
  readonly modified: number // ms
  readonly entries: readonly FontEntry[]
}

const extensions = new Set(['.ttf', '.otf', '.ttc', '.otc', '.woff', '.woff2'])
/** Fonts of web pages: read whole, since what describes them is packed too. */
const packed = /\.woff2?$/i
/** Font folders nest by foundry and family; anything deeper is a mistake or a loop of links. */
const maxDepth = 8
const maxFiles = 20_000
const maxFileBytes = 128_000_000
/** Raised when what an entry holds changes: older indexes are then read again. */
const indexVersion = 2

/**
 * The fonts below some folders. The index is written to `cacheFile`; files whose size and time are unchanged are not
 * opened again. Folders and files that cannot be read are passed over: fewer fonts are better than none.
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
  return packed.test(path) ? unpackFont(bytes, unpackers) : bytes
}

const unpackers: Unpackers = {
  inflateRaw: nodeCodec.inflateRaw,
  brotli: (bytes, maxOutputLength) => brotliDecompressSync(bytes, { maxOutputLength }),
}

/** Changes when a font file of the folders comes, goes or is replaced; needs no file opened. */
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
  // Machines have several versions of a family; fontconfig takes the newest, and so do we.
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

/** No entries for what is no font: it is remembered as such. */
function describeFile(path: string): FontEntry[] {
  if (packed.test(path)) return describePacked(path)
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

function describePacked(path: string): FontEntry[] {
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

/** Written beside and moved into place: processes that start together never read half an index. */
function writeIndex(cacheFile: string, files: readonly IndexedFile[]): void {
  try {
    mkdirSync(dirname(cacheFile), { recursive: true })
    const draft = `${cacheFile}.${process.pid}`
    writeFileSync(draft, JSON.stringify({ version: indexVersion, files }))
    renameSync(draft, cacheFile)
  } catch {
    // A read-only disk costs time at the next start, nothing else.
  }
}

/** Looks into a ZIP package for the names of its entries without unpacking anything. */
import { bytesOf } from '../plugin/byte-source.ts'
import type { ByteSource } from '../plugin/contract.ts'

/** The directory lies at the end, behind a comment of at most 64 KB. */
const tailBytes = 65_557
const namesAtMost = 20_000

/** Whether an entry's name passes. Never throws; a broken package has no entries. */
export async function hasZipEntry(source: ByteSource, wanted: (name: string) => boolean): Promise<boolean> {
  return (await zipNames(source)).some(wanted)
}

/** The content of a first entry that is stored and called `mimetype`, as OpenDocument has it. */
export async function zipMimetype(source: ByteSource): Promise<string | undefined> {
  const head = await bytesOf(source.slice(0, Math.min(200, source.size)))
  if (head.length < 38 || head[0] !== 0x50 || head[1] !== 0x4b || head[2] !== 3) return undefined
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const text = new TextDecoder('latin1').decode(head)
  const nameLength = view.getUint16(26, true)
  if (text.slice(30, 30 + nameLength) !== 'mimetype') return undefined
  const start = 30 + nameLength + view.getUint16(28, true)
  return /^application\/[a-z0-9.+-]+/i.exec(text.slice(start))?.[0].replace(/PK$/, '')
}

export async function zipNames(source: ByteSource): Promise<readonly string[]> {
  try {
    const head = await bytesOf(source.slice(0, Math.min(4, source.size)))
    if (head[0] !== 0x50 || head[1] !== 0x4b) return []
    const tailStart = Math.max(0, source.size - tailBytes)
    const tail = await bytesOf(source.slice(tailStart, source.size))
    const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength)
    let end = tail.length - 22
    while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end -= 1
    if (end < 0) return []
    const from = view.getUint32(end + 16, true)
    const directory = await bytesOf(source.slice(from, from + view.getUint32(end + 12, true)))
    return directoryNames(directory)
  } catch {
    return []
  }
}

function directoryNames(directory: Uint8Array): string[] {
  const view = new DataView(directory.buffer, directory.byteOffset, directory.byteLength)
  const decoder = new TextDecoder()
  const names: string[] = []
  for (let at = 0; at + 46 <= directory.length && names.length < namesAtMost; ) {
    if (view.getUint32(at, true) !== 0x02014b50) break
    const length = view.getUint16(at + 28, true)
    names.push(decoder.decode(directory.subarray(at + 46, at + 46 + length)))
    at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return names
}

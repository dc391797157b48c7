import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openFsBlobs } from '../../../origin/storage/blobs-fs.ts'
import { fromBytes } from '../../../shared/plugin/byte-source.ts'
import { blobsContract } from '../../contract/blobs.ts'
import { useTemporary } from '../../helpers/temporary.ts'

const fresh = useTemporary()

blobsContract('filesystem', () => openFsBlobs(fresh()))

describe('filesystem', () => {
  it('leaves no part behind when a stream fails', async () => {
    const path = fresh()
    const blobs = await openFsBlobs(path)
    const failing = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error('The client went away.')),
    })
    await expect(blobs.put('a/b', failing)).rejects.toThrow('The client went away.')
    expect(await readdir(join(path, '.incoming'))).toEqual([])
  })

  it('clears what a crash left behind at the next start, but not what is being written', async () => {
    const path = fresh()
    await mkdir(join(path, '.incoming'), { recursive: true })
    for (const name of ['old', 'new']) await writeFile(join(path, '.incoming', name), 'half')
    const longAgo = new Date(Date.now() - 25 * 3600 * 1000)
    await utimes(join(path, '.incoming/old'), longAgo, longAgo)
    await openFsBlobs(path)
    expect(await readdir(join(path, '.incoming'))).toEqual(['new'])
  })

  it('reports a blob that was truncated or removed while it was read', async () => {
    const path = fresh()
    const blobs = await openFsBlobs(path)
    await blobs.put('a/b', fromBytes(new Uint8Array(1000)))
    const source = (await blobs.get('a/b'))!
    await writeFile(join(path, 'a/b'), 'short')
    await expect(source.arrayBuffer()).rejects.toMatchObject({ code: 'storage.damaged' })
    const streamed = new Response(source.stream()).arrayBuffer()
    await expect(streamed).rejects.toMatchObject({ code: 'storage.damaged' })
    await blobs.delete('a/b')
    await expect(source.arrayBuffer()).rejects.toMatchObject({ code: 'storage.blobs' })
  })

  it('fills memory of its reader, shared memory too, with a range or all', async () => {
    const blobs = await openFsBlobs(fresh())
    const bytes = crypto.getRandomValues(new Uint8Array(40_000))
    await blobs.put('a/b', fromBytes(bytes))
    const source = (await blobs.get('a/b'))!
    const all = new Uint8Array(new SharedArrayBuffer(bytes.length))
    await source.readInto!(all)
    expect(Buffer.from(all).equals(bytes)).toBe(true)
    const some = new Uint8Array(50)
    await source.slice(1000, 1040).readInto!(some)
    expect([...some]).toEqual([...bytes.subarray(1000, 1040), ...new Uint8Array(10)])
    await blobs.delete('a/b')
    await expect(source.readInto!(all)).rejects.toMatchObject({ code: 'storage.blobs' })
  })

  it('holds no file open when a reader goes away', async () => {
    const blobs = await openFsBlobs(fresh())
    await blobs.put('a/b', fromBytes(new Uint8Array(1_000_000)))
    const openFiles = async () => (await readdir('/proc/self/fd')).length
    const before = await openFiles()
    for (let n = 0; n < 20; n++) {
      const reader = (await blobs.get('a/b'))!.stream().getReader()
      await reader.read()
      await reader.cancel()
    }
    expect(await openFiles()).toBeLessThanOrEqual(before + 2)
  })

  it('reports a folder that cannot be created', async () => {
    await expect(openFsBlobs('/dev/null/blobs')).rejects.toMatchObject({ code: 'storage.blobs' })
  })
})

import { zipStream } from '../office/zip-stream.ts'
import { bytesOf, fromBytes } from '../plugin/byte-source.ts'
import type { ByteSource, Codec, FormatId } from '../plugin/values.ts'

/** The format around several files of one conversion. */
export const archiveFormat: FormatId = 'zip'

/** Bytes at the start of a file that decide whether it is worth deflating. */
const sampleBytes = 65_536
const worthwhile = 0.9

/**
 * Packs the files of a format that holds one page, slide or sheet into a zip, as 'page-1.png', 'page-2.png' and so on,
 * with as many digits as the last number needs. A conversion that makes a single file returns that file without a zip.
 *
 * Engines do not call this function. They return all files in order as `pages` (`ConversionResult` in
 * `../plugin/contract.ts`), and the converter packs them after the last step of a route. Between steps each file is
 * converted separately, so a route such as slides -> PDF -> one PNG a page -> one PBM a page needs no special case.
 *
 * pages      at least one
 * extension  of each file, no dot
 * time       ms since the epoch; the modification time of the entries
 */
export async function packPages(
  pages: readonly ByteSource[],
  { extension, codec, time }: { readonly extension: string; readonly codec: Codec; readonly time: number },
): Promise<ByteSource> {
  const digits = String(pages.length).length
  async function* files() {
    for (const [index, page] of pages.entries()) {
      const bytes = await bytesOf(page)
      const name = `page-${String(index + 1).padStart(digits, '0')}.${extension}`
      yield { name, bytes, compress: shrinks(bytes, codec) }
    }
  }
  const archive = new Response(zipStream(files(), codec, time))
  return fromBytes(new Uint8Array(await archive.arrayBuffer()))
}

function shrinks(bytes: Uint8Array, codec: Codec): boolean {
  const sample = bytes.subarray(0, sampleBytes)
  return codec.deflateRaw(sample, 'fast').length < sample.length * worthwhile
}

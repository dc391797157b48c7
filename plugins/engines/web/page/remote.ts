/** Fetches what the source of a conversion refers to, before the conversion. */
import { embedRemoteFiles } from '../../../../shared/net/remote-files.ts'
import { bytesOf } from '../../../../shared/plugin/byte-source.ts'
import type { ConvertJob, Host } from '../../../../shared/plugin/contract.ts'
import { decodeMarkup } from '../../../../shared/plugin/decode-markup.ts'
import type { ByteSource, Outcome } from '../../../../shared/plugin/values.ts'
import { fetchPictures } from '../remote-pictures.ts'

/**
 * Called before a conversion. A page that becomes a document is returned with its resources inserted. For Markdown, and for
 * DocBook outputs, the pictures are fetched and the engine inserts them itself. Other outputs keep the addresses.
 */
export async function preparePage(
  {
    source,
    from,
    to,
    egressAuthorization,
  }: Pick<ConvertJob, 'source' | 'from' | 'to' | 'egressAuthorization'>,
  { outbound }: Host,
  signal: AbortSignal,
): Promise<Outcome<ByteSource> & Pick<ConvertJob, 'pictures'>> {
  const isPage = from === 'html' || from === 'xhtml'
  const unchanged = { value: source, warnings: [] }
  if ((to !== 'fodt' && to !== 'docbook') || (from !== 'md' && !isPage)) return unchanged
  const scope = { outbound, authorization: egressAuthorization, signal }
  if (isPage && to !== 'docbook') return embedRemoteFiles(source, scope)
  const pictures = await fetchPictures(decodeMarkup(await bytesOf(source)), scope)
  signal.throwIfAborted()
  return { ...unchanged, pictures }
}

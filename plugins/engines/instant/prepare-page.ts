/** Fetches what a web page refers to before its layout, which runs without a network. */
import { embedRemoteFiles } from '../../../shared/net/remote-files.ts'
import type { ConvertJob, Host } from '../../../shared/plugin/contract.ts'
import type { ByteSource, Outcome } from '../../../shared/plugin/values.ts'

/** The page with its pictures and style sheets inside; other sources as they are. */
export async function preparePage(
  { source, from, egressAuthorization }: Pick<ConvertJob, 'source' | 'from' | 'egressAuthorization'>,
  { outbound }: Pick<Host, 'outbound'>,
  signal: AbortSignal,
): Promise<Outcome<ByteSource>> {
  if (from !== 'html') return { value: source, warnings: [] }
  return embedRemoteFiles(source, { outbound, authorization: egressAuthorization, signal })
}

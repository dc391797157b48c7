import type { FontSource } from '../../../plugins/engines/instant/fonts/font-source.ts'
import instant from '../../../plugins/engines/instant/index.ts'
import { bytesOf, fromBytes } from '../../../shared/plugin/byte-source.ts'
import type { FormatPlugin, Host } from '../../../shared/plugin/contract.ts'
import type { Codec } from '../../../shared/plugin/values.ts'

export interface EngineParts {
  readonly formats: readonly FormatPlugin[]
  readonly codec: Codec
  readonly fonts: FontSource
  readonly asset?: Host['asset']
}

/** DOCX or XLSX to PDF by the instant engine without the service around it: the same on both sides. */
export function engineAlone(parts: EngineParts): (bytes: Uint8Array) => Promise<Uint8Array> {
  const quiet = () => {}
  const engine = instant.create(
    { fontCacheSize: 24 },
    {
      format: (id) => parts.formats.find((format) => format.id === id),
      asset: parts.asset ?? (async () => undefined),
      fonts: () => parts.fonts,
      codec: parts.codec,
      log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
      now: Date.now,
    },
  )
  const sheets = parts.formats.find(({ id }) => id === 'xlsx')
  return async (bytes) => {
    const isSheet = (await sheets?.sniff?.(fromBytes(bytes))) === 'sure'
    const job = {
      source: fromBytes(bytes),
      from: isSheet ? 'xlsx' : 'docx',
      to: 'pdf',
      options: {},
      deadline: Date.now() + 600_000,
    }
    return bytesOf((await engine.convert(job, new AbortController().signal)).value)
  }
}

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

/** DOCX, XLSX or PPTX to PDF by the instant engine without the service around it: the same on both sides. */
export function engineAlone(parts: EngineParts): (bytes: Uint8Array) => Promise<Uint8Array> {
  const quiet = () => {}
  const engine = instant.create(
    { fontCacheSize: 24, maxPagePixels: 1_000_000 },
    {
      format: (id) => parts.formats.find((format) => format.id === id),
      asset: parts.asset ?? (async () => undefined),
      fonts: () => parts.fonts,
      codec: parts.codec,
      log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
      now: Date.now,
    },
  )
  const sniffed = parts.formats.filter(({ id }) => id === 'xlsx' || id === 'pptx')
  const formatOf = async (bytes: Uint8Array): Promise<string> => {
    for (const { id, sniff } of sniffed) if ((await sniff?.(fromBytes(bytes))) === 'sure') return id
    return 'docx'
  }
  return async (bytes) => {
    const job = {
      source: fromBytes(bytes),
      from: await formatOf(bytes),
      to: 'pdf',
      options: {},
      deadline: Date.now() + 600_000,
    }
    return bytesOf((await engine.convert(job, new AbortController().signal)).value)
  }
}

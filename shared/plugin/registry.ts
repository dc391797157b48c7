import { headOf } from './byte-source.ts'
import type { ByteSource, EnginePlugin, FormatId, FormatPlugin, Plugin } from './contract.ts'

/** What the sender declared about a file. A certain match of the content takes precedence over both. */
export interface SniffHint {
  readonly name?: string // 'letter.docx', 'C:\\in\\letter.docx' or 'docx'
  readonly mime?: string
}

/** Lookup over the plugins of one host. Created once at start and immutable. */
export interface Registry {
  format(id: FormatId): FormatPlugin | undefined
  /** Finds a format by any of its extensions, with or without the dot, in upper or lower case. */
  formatByExtension(extension: string): FormatPlugin | undefined
  formats(): readonly FormatPlugin[]
  engines(): readonly EnginePlugin[]
  /** Recognizes the format of the bytes. Resolves to undefined when no format matches. */
  sniff(source: ByteSource, hint?: SniffHint): Promise<FormatPlugin | undefined>
}

/**
 * Throws when two plugins have the same id or an engine was written for another contract version, so that
 * such mistakes show at start and not during a request.
 */
export function createRegistry(plugins: readonly Plugin[]): Registry {
  const formats = new Map<FormatId, FormatPlugin>()
  const byExtension = new Map<string, FormatPlugin>()
  const engines = new Map<string, EnginePlugin>()
  for (const plugin of plugins) {
    if (plugin.kind === 'format') {
      if (formats.has(plugin.id)) throw new Error(`Two format plugins are called "${plugin.id}".`)
      formats.set(plugin.id, plugin)
      for (const extension of plugin.extensions) {
        if (!byExtension.has(extension)) byExtension.set(extension, plugin)
      }
    } else {
      if (plugin.contract !== 1)
        throw new Error(`Engine plugin "${plugin.id}" is written for contract ${plugin.contract}; this is 1.`)
      if (engines.has(plugin.id)) throw new Error(`Two engine plugins are called "${plugin.id}".`)
      engines.set(plugin.id, plugin)
    }
  }
  const formatByExtension = (extension: string) => {
    const key = extension.replace(/^\./, '').toLowerCase()
    return formats.get(key) ?? byExtension.get(key)
  }
  return {
    format: (id) => formats.get(id),
    formatByExtension,
    formats: () => [...formats.values()],
    engines: () => [...engines.values()],
    sniff: (source, hint) => sniff([...formats.values()], formatByExtension, source, hint),
  }
}

/**
 * The first format that is 'sure' of the content wins. Among several that answer 'maybe', the name decides,
 * then the media type, then the order in which the formats are listed. A format without a sniffer is
 * recognized by its name when the content is text or another format answered 'maybe'.
 */
async function sniff(
  formats: readonly FormatPlugin[],
  formatByExtension: (extension: string) => FormatPlugin | undefined,
  source: ByteSource,
  hint: SniffHint = {},
): Promise<FormatPlugin | undefined> {
  const maybe: FormatPlugin[] = []
  for (const format of formats) {
    if (format.sniff === undefined) continue
    const verdict = await format.sniff(source)
    if (verdict === 'sure') return format
    if (verdict === 'maybe') maybe.push(format)
  }
  const named = hint.name === undefined ? undefined : formatByExtension(extensionOf(hint.name))
  if (named !== undefined) {
    if (maybe.includes(named)) return named
    if (named.sniff === undefined && (maybe.length > 0 || (await looksLikeText(source)))) return named
  }
  const mime = hint.mime?.split(';')[0]?.trim().toLowerCase()
  const typed = mime === undefined ? undefined : maybe.find((format) => format.mime.includes(mime))
  return typed ?? maybe[0]
}

function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

async function looksLikeText(source: ByteSource): Promise<boolean> {
  const head = await headOf(source, 4096)
  return head.length > 0 && !head.includes(0)
}

import { duplicateDefects } from './check-plugins.ts'
import type { EnginePlugin, FormatPlugin, Plugin } from './contract.ts'
import { sniffText } from './sniff-text.ts'
import type { ByteSource, FormatId } from './values.ts'

/** What the sender declared about a file. A certain match of the content takes precedence over both. */
export interface SniffHint {
  readonly name?: string | undefined // 'letter.docx', 'C:\\in\\letter.docx' or 'docx'
  readonly mime?: string | undefined
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
  /** The format that is certain from the bytes alone, which neither a name nor the caller overrules. */
  certain(source: ByteSource): Promise<FormatPlugin | undefined>
}

/**
 * Creates the registry. Throws when two plugins of a kind have the same id or two engines the same letter, so
 * that such mistakes show at start and not during a request.
 */
export function createRegistry(plugins: readonly Plugin[]): Registry {
  const defects = duplicateDefects(plugins)
  if (defects.length > 0) throw new Error(defects.join(' '))
  const formats = new Map<FormatId, FormatPlugin>()
  const byExtension = new Map<string, FormatPlugin>()
  const engines = new Map<string, EnginePlugin>()
  for (const plugin of plugins) {
    if (plugin.kind === 'engine') {
      engines.set(plugin.id, plugin)
      continue
    }
    formats.set(plugin.id, plugin)
    for (const extension of plugin.extensions) {
      if (!byExtension.has(extension)) byExtension.set(extension, plugin)
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
    certain: async (source) => (await sniffAll([...formats.values()], source)).sure,
  }
}

/** The format that an engine must produce to obtain `format`: the base format for a variant. */
export const engineFormat = (format: FormatPlugin): FormatId => format.variantOf?.base ?? format.id

/**
 * The first format that is 'sure' of the content wins. Then the name decides, among the formats that answer
 * 'maybe' and, for content that is text, those without a sniffer and those that take any text. Then the media
 * type decides, among the formats that answer 'maybe' and, for text, those that take any text. Otherwise it is
 * the first format that answers 'maybe'.
 */
async function sniff(
  formats: readonly FormatPlugin[],
  formatByExtension: (extension: string) => FormatPlugin | undefined,
  source: ByteSource,
  hint: SniffHint = {},
): Promise<FormatPlugin | undefined> {
  const { sure, possible } = await sniffAll(formats, source)
  if (sure !== undefined) return sure
  const isText = possible.length > 0 || (await isProbablyText(source))
  const named = hint.name === undefined ? undefined : formatByExtension(extensionOf(hint.name))
  if (named !== undefined) {
    if (possible.includes(named) || (isText && (named.sniff === undefined || acceptsAnyText(named))))
      return named
  }
  const mime = hint.mime?.split(';')[0]?.trim().toLowerCase()
  if (mime === undefined) return possible[0]
  const isTyped = (format: FormatPlugin) => format.mime.includes(mime)
  const typed = isText ? formats.find((format) => acceptsAnyText(format) && isTyped(format)) : undefined
  return possible.find(isTyped) ?? typed ?? possible[0]
}

/** The first format that is 'sure' of the content, or those that may be it, in their order. */
async function sniffAll(
  formats: readonly FormatPlugin[],
  source: ByteSource,
): Promise<{ readonly sure?: FormatPlugin; readonly possible: readonly FormatPlugin[] }> {
  const possible: FormatPlugin[] = []
  for (const format of formats) {
    const answer = await format.sniff?.(source)
    if (answer === 'sure') return { sure: format, possible: possible }
    if (answer === 'maybe') possible.push(format)
  }
  return { possible: possible }
}

/**
 * Whether any text may be a file of this format: one that can be a template and whose media type is a subtype
 * of `text`. A CSV file of one column, for example, has nothing that its sniffer could recognize.
 */
function acceptsAnyText({ mime: [mime], template }: FormatPlugin): boolean {
  return template !== undefined && mime.startsWith('text/')
}

function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

async function isProbablyText(source: ByteSource): Promise<boolean> {
  return (await sniffText(source, (text) => (text === '' ? 'no' : 'maybe'))) === 'maybe'
}

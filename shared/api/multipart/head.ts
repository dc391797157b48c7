/** The headers of a part. The name is empty when they are malformed; such parts are ignored. */
export interface PartHead {
  readonly name: string
  readonly filename?: string
  readonly mime?: string // absent unless it is a valid media type
}

/** Parses the header lines of a part. Never throws. */
export function parsePartHead(bytes: Uint8Array): PartHead {
  const lines = new TextDecoder().decode(bytes).split(/\r?\n/)
  let disposition = ''
  let mime: string | undefined
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon === -1) continue
    const field = line.slice(0, colon).trim().toLowerCase()
    const value = line.slice(colon + 1).trim()
    if (field === 'content-disposition') disposition = value
    if (field === 'content-type') mime = parseMediaType(value)?.type
  }
  const parameters = parseParameters(disposition)
  const filename = decodeExtended(parameters.get('filename*')) ?? parameters.get('filename')
  return {
    name: parameters.get('name') ?? '',
    ...(filename === undefined ? {} : { filename }),
    ...(mime === undefined ? {} : { mime }),
  }
}

const mediaType = /^\s*([!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+)\s*(;.*)?$/s

/**
 * Parses a media type such as 'text/html; charset=utf-8' into its type in lower case and its parameters.
 * Returns undefined when it is not a media type.
 */
export function parseMediaType(
  text: string,
): { readonly type: string; readonly parameters: ReadonlyMap<string, string> } | undefined {
  const match = mediaType.exec(text)
  if (match === null) return undefined
  return { type: (match[1] ?? '').toLowerCase(), parameters: parseParameters(match[2] ?? '') }
}

/**
 * Parses `; name="value"; other=token`. The only escape in a quoted value is `\"`, since some clients send
 * Windows paths with unescaped backslashes. Browsers encode a quote as %22.
 */
function parseParameters(text: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  for (const match of text.matchAll(/;\s*([^\s=;"]+)\s*=\s*(?:"((?:\\"|[^"])*)"|([^;]*))/g)) {
    const name = (match[1] ?? '').toLowerCase()
    const value =
      match[2] === undefined
        ? (match[3] ?? '').trim()
        : match[2].replaceAll('\\"', '"').replaceAll('%22', '"')
    if (!parameters.has(name)) parameters.set(name, value)
  }
  return parameters
}

/** Decodes an extended parameter value (RFC 8187), such as `UTF-8''caf%C3%A9.docx`. */
function decodeExtended(value: string | undefined): string | undefined {
  const match = /^utf-8'[^']*'(.*)$/i.exec(value ?? '')
  if (match === null) return undefined
  try {
    return decodeURIComponent(match[1] ?? '')
  } catch {
    return undefined
  }
}

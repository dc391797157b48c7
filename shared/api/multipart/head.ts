/** What the head of a part says. A head that makes no sense gives an empty name: such parts are passed over. */
export interface PartHead {
  readonly name: string
  readonly filename?: string
  readonly mime?: string // only when it parses as a media type
}

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

/** 'text/html; charset=utf-8' -> lower-case type and parameters; undefined when it is not a media type. */
export function parseMediaType(
  text: string,
): { readonly type: string; readonly parameters: ReadonlyMap<string, string> } | undefined {
  const found = mediaType.exec(text)
  if (found === null) return undefined
  return { type: found[1]!.toLowerCase(), parameters: parseParameters(found[2] ?? '') }
}

/**
 * `; name="value"; other=token`. In a quoted value only `\"` is an escape: some clients send Windows paths with
 * their backslashes as they are. Browsers write a quote as %22.
 */
function parseParameters(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const match of text.matchAll(/;\s*([^\s=;"]+)\s*=\s*(?:"((?:\\"|[^"])*)"|([^;]*))/g)) {
    const name = match[1]!.toLowerCase()
    const value =
      match[2] === undefined
        ? (match[3] ?? '').trim()
        : match[2].replaceAll('\\"', '"').replaceAll('%22', '"')
    if (!found.has(name)) found.set(name, value)
  }
  return found
}

/** RFC 8187: `UTF-8''caf%C3%A9.docx`. */
function decodeExtended(value: string | undefined): string | undefined {
  const found = /^utf-8'[^']*'(.*)$/i.exec(value ?? '')
  if (found === null) return undefined
  try {
    return decodeURIComponent(found[1]!)
  } catch {
    return undefined
  }
}

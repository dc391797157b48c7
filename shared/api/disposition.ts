/**
 * The Content-Disposition header of a file. The name is percent-encoded ASCII in quotes, so that the value
 * contains exactly one '=', on which several published clients split it. `rfc6266` adds `filename*`, for
 * clients that request it.
 */
export function contentDisposition(
  kind: 'inline' | 'attachment',
  name: string,
  extension: string,
  rfc6266 = false,
): string {
  const encoded = `${encodeName(name)}.${extension}`
  return `${kind}; filename="${encoded}"${rfc6266 ? `; filename*=UTF-8''${encoded}` : ''}`
}

/**
 * encodeURIComponent, which also encodes the punctuation that it leaves unchanged and that some clients
 * misread.
 */
function encodeName(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

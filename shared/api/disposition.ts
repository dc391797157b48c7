/**
 * Content-Disposition for a file. The name is percent-encoded ASCII in quotes, so that the whole value holds exactly
 * one '=': several published clients split on it. `rfc6266` adds `filename*` for those who ask for it.
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

/** encodeURIComponent, with the marks it leaves alone that clients trip over. */
function encodeName(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(
    /['()*!]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/**
 * Wraps text at `width` characters as a word processor does: words stay whole, blanks at the end of a line hang over
 * and are kept, a newline ends its line. A word longer than a line starts on a line of its own and is cut there.
 *
 * Joining the lines gives the text again. `width` is at least 1.
 */
export function wordLines(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  const close = () => {
    lines.push(line)
    line = ''
  }
  for (const chunk of text.match(/\S*[^\S\n]*\n?/g) ?? []) {
    if (chunk === '') continue
    const word = chunk.trimEnd()
    if (line !== '' && line.length + word.length > width) close()
    let start = 0
    for (; word.length - start > width; start += width) lines.push(word.slice(start, start + width))
    line += chunk.slice(start)
    if (chunk.endsWith('\n')) close()
  }
  if (line !== '') close()
  return lines
}

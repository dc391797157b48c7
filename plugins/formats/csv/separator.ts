/** Returns the separator that occurs most often in the first line, outside of quotes. */
export function separatorOf(text: string): string {
  const counts = new Map([',', ';', '\t'].map((separator) => [separator, 0]))
  let isQuoted = false
  for (const character of text.slice(0, 10_000)) {
    if (character === '"') isQuoted = !isQuoted
    if (isQuoted) continue
    if (character === '\n') break
    const count = counts.get(character)
    if (count !== undefined) counts.set(character, count + 1)
  }
  let [best, max] = [',', 0]
  for (const [separator, count] of counts) if (count > max) [best, max] = [separator, count]
  return best
}

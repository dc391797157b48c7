/**
 * Reads a Dockerfile of the kind that this project writes: instructions with continued lines, forms in JSON, and values
 * of `ARG` and `ENV`. Source: Dockerfile reference of Docker.
 */

/** The instructions in order: `{ name: 'RUN', text }`, the continued lines joined. */
export function instructionsOf(file) {
  return file
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name, text] = /^\s*(\S+)\s+(.*)$/.exec(line)
      return { name: name.toUpperCase(), text: text.trim() }
    })
}

/** `A=1 B="two words"` as entries. */
export function pairsOf(text) {
  return [...text.matchAll(/(\w+)=(?:"([^"]*)"|(\S*))/g)].map(([, name, quoted, plain]) => [
    name,
    quoted ?? plain,
  ])
}

/** The words of an instruction, `["a", "b c"]` or `a b`. */
export function wordsOf(text) {
  return text.startsWith('[') ? JSON.parse(text) : text.split(/\s+/)
}

/**
 * Where tags begin and end in running text. A tag is a brace pair whose content starts in one of a few ways;
 * everything else is left as it is. Source: template language 2.2 and 2.3.
 */

const starts = [
  'd.',
  'd[',
  'd(',
  'd:',
  'c.',
  'c[',
  'c(',
  'c:',
  't(',
  '#',
  '$',
  'o.',
  'bindColor',
  'bindChart',
]
const longestStart = 9

export type Recognition = 'tag' | 'open' | 'no' // open: too short to tell

/** Whether the text after a brace, without blanks, begins like a tag. */
function recognise(content: string): Recognition {
  for (const start of starts) if (content.startsWith(start)) return 'tag'
  if (content.length >= longestStart) return 'no'
  return starts.some((start) => start.startsWith(content)) ? 'open' : 'no'
}

/** Blanks that vanish outside quotes, and characters that editors leave behind without showing them. */
export function isBlank(code: number): boolean {
  return (
    code === 32 ||
    (code >= 9 && code <= 13) ||
    code === 0xa0 ||
    code === 0xad || // soft hyphen
    (code >= 0x2000 && code <= 0x200f) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x2060 ||
    code === 0x3000 ||
    code === 0xfeff ||
    code === 0x85
  )
}

/**
 * Reads the characters of one tag and finds its end. Its input is what follows the brace, entities decoded. Blanks are dropped
 * outside quotes and outside an embedded `{t(...)}`, whose braces do not end the tag.
 */
export class TagReader {
  readonly #parts: string[] = []
  /** The first characters, until they tell whether this is a tag; later those of an embedded translation. */
  #head = ''
  #length = 0
  /** The head has shown that this is a tag. */
  #known = false
  /** The quote that is open, or ''. */
  #quoted = ''
  /** How many square brackets are open: double quotes count only inside them. */
  #brackets = 0
  /** Inside the braces of an embedded translation. */
  #embedded = false
  /** The whole tag is a translation: its key keeps all blanks. */
  #verbatim = false

  get text(): string {
    return this.#parts.join('')
  }
  get length(): number {
    return this.#length
  }

  /** 'end' at the closing brace, 'no' when this is not a tag, 'more' otherwise. */
  take(character: string): 'more' | 'end' | 'no' {
    if (character === '}') {
      if (!this.#embedded) return this.#known ? 'end' : 'no'
      this.#embedded = false
    } else if (character === '{') {
      // The content of a tag holds a brace only for an embedded translation; what follows decides below.
      if (!this.#known || this.#embedded) return 'no'
      this.#embedded = true
      this.#push('{')
      this.#head = '{'
      return 'more'
    }
    const blank = isBlank(character.charCodeAt(0))
    if (!this.#known) {
      if (blank) return 'more'
      this.#push(character)
      this.#head += character
      const seen = recognise(this.#head)
      if (seen === 'no') return 'no'
      this.#known = seen === 'tag'
      this.#verbatim = this.#known && this.#head.startsWith('t(')
      return 'more'
    }
    if (this.#embedded && this.#head.startsWith('{')) {
      if (this.#head.length < 3) {
        if (blank) return 'more'
        this.#head += character
        if (!'{t('.startsWith(this.#head)) return 'no'
        this.#push(character)
        return 'more'
      }
      this.#push(character)
      return 'more'
    }
    if (!this.#verbatim) this.#quote(character)
    if (blank && this.#quoted === '' && !this.#verbatim) return 'more'
    this.#push(character)
    return 'more'
  }

  /** Single quotes delimit text everywhere, double quotes in brackets only. */
  #quote(character: string): void {
    if (this.#quoted !== '') {
      if (character === this.#quoted) this.#quoted = ''
    } else if (character === "'" || (character === '"' && this.#brackets > 0)) this.#quoted = character
    else if (character === '[') this.#brackets += 1
    else if (character === ']') this.#brackets -= 1
  }

  #push(character: string): void {
    this.#parts.push(character)
    this.#length += character.length
  }
}

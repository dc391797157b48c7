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
const maxStartLength = 9

/** How the text after an opening brace is recognised: as a tag, as no tag, or not yet. */
export type Recognition = 'tag' | 'open' | 'no' // open: too short to decide

/** Whether the text after a brace, without blanks, begins like a tag. */
function recognise(content: string): Recognition {
  for (const start of starts) if (content.startsWith(start)) return 'tag'
  if (content.length >= maxStartLength) return 'no'
  return starts.some((start) => start.startsWith(content)) ? 'open' : 'no'
}

/** Blanks that vanish outside quotes, and characters that editors leave behind without showing them. */
function isBlank(code: number): boolean {
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
 * Whether a character inside brackets is a quote that begins a text, by the character before it ('' for none): such a
 * quote is at the start of an operand. Anywhere else it is an apostrophe, as in `[name=O'Hara]`, or a sign of inches.
 */
export const opensQuote = (character: string, before: string): boolean =>
  (character === "'" || character === '"') && /^[[(,=<>.:]?$/.test(before)

/**
 * Reads the characters of one tag and finds its end. Its input is what follows the brace, entities decoded. Blanks are dropped
 * outside quotes and outside an embedded `{t(...)}`, whose braces do not end the tag.
 */
export class TagReader {
  #text = ''
  /** The first characters, until they show whether this is a tag; later those of an embedded translation. */
  #head = ''
  /** Set when the head has identified the text as a tag. */
  #isResolved = false
  /** The quote that is open, or ''. */
  #quoted = ''
  /** How many square brackets are open: double quotes count only inside them. */
  #brackets = 0
  /** The last character that is not a blank; '' after a closing quote. In brackets it determines whether a quote may open. */
  #before = ''
  /** Inside the braces of an embedded translation. */
  #embedded = false
  /** The entire tag is a translation, so its key keeps all blanks. */
  #verbatim = false

  get text(): string {
    return this.#text
  }
  get length(): number {
    return this.#text.length
  }

  /** 'end' at the closing brace, 'no' when this is not a tag, 'more' otherwise. */
  take(character: string): 'more' | 'end' | 'no' {
    if (character === '}') {
      if (!this.#isResolved) return 'no'
      if (this.#embedded || this.#verbatim) this.#trim()
      if (!this.#embedded) return 'end'
      this.#embedded = false // the brace ends the translation and is text of the tag
    } else if (character === '{') {
      // The content of a tag contains a brace only for an embedded translation; the next characters decide.
      if (!this.#isResolved || this.#embedded) return 'no'
      this.#embedded = true
      this.#text += '{'
      this.#head = '{'
      return 'more'
    }
    const blank = isBlank(character.charCodeAt(0))
    if (!this.#isResolved) return this.#takeHead(character, blank)
    if (this.#embedded) return this.#takeEmbedded(character, blank)
    if (!this.#verbatim) this.#quote(character, blank)
    if (blank && this.#quoted === '' && !this.#verbatim) return 'more'
    this.#text += character
    return 'more'
  }

  /** Takes a character of the beginning, which shows whether this is a tag. */
  #takeHead(character: string, blank: boolean): 'more' | 'no' {
    if (blank) return 'more'
    this.#text += character
    this.#head += character
    const recognised = recognise(this.#head)
    if (recognised === 'no') return 'no'
    this.#isResolved = recognised === 'tag'
    this.#verbatim = this.#isResolved && this.#head.startsWith('t(')
    // The character that identifies the tag may be the first bracket.
    if (this.#isResolved && !this.#verbatim) this.#quote(character, blank)
    return 'more'
  }

  /** Takes a character of an embedded translation. Blanks before its key vanish, those of the key stay. */
  #takeEmbedded(character: string, blank: boolean): 'more' | 'no' {
    if (this.#head.length < '{t('.length) {
      if (blank) return 'more'
      this.#head += character
      if (!'{t('.startsWith(this.#head)) return 'no'
    }
    this.#text += character
    return 'more'
  }

  /** Single quotes delimit text everywhere, double quotes in brackets only. */
  #quote(character: string, blank: boolean): void {
    const before = this.#before
    if (!blank) this.#before = character
    if (this.#quoted !== '') {
      if (character !== this.#quoted) return
      this.#quoted = ''
      this.#before = '' // a second quote doubles it: the text continues
    } else if (this.#brackets > 0 ? opensQuote(character, before) : character === "'")
      this.#quoted = character
    else if (character === '[') this.#brackets += 1
    else if (character === ']') this.#brackets -= 1
  }

  /** Drops the blanks at the end: those between the parenthesis of a translation and its brace. */
  #trim(): void {
    let end = this.#text.length
    while (end > 0 && isBlank(this.#text.charCodeAt(end - 1))) end -= 1
    this.#text = this.#text.slice(0, end)
  }
}

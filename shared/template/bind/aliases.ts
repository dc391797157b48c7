/**
 * Aliases: names for other texts, which are substituted before a tag is parsed. An alias may be declared
 * anywhere in a template and applies to all of it. Source: template language 6.
 */
import { AppError } from '../../errors/app-error.ts'
import { splitOutside } from '../parse/path.ts'
import { readInside } from '../scan/tags.ts'

interface Alias {
  readonly parameters: readonly string[]
  readonly body: string
}

/** Matches `#name = expression` and `#name($a, $b) = expression`, without the blanks. */
const declaration = /^#([^=(]+)(?:\(([^)]*)\))?=(.*)$/s

export class Aliases {
  readonly #aliases = new Map<string, Alias>()
  /**
   * The number of characters that all uses have expanded to so far. It is bounded, since aliases may refer to
   * aliases.
   */
  #expandedCharacters = 0
  /** The lengths of all names, longest first; undefined after a declaration, until they are needed again. */
  #lengths: readonly number[] | undefined

  /**
   * Declares an alias when the text of a tag is a declaration. Returns whether it is. A later declaration of
   * the same name wins.
   */
  declare(text: string): boolean {
    const match = declaration.exec(text)
    if (match === null) return text.startsWith('#')
    const [, name = '', parameters, body = ''] = match
    if (name.length > maxNameLength) return true
    this.#aliases.set(name, {
      parameters:
        parameters === undefined
          ? []
          : parameters.split(',').map((parameter) => parameter.replace(/^\$/, '')),
      body: body.replace(/^\{(.*)\}$/s, '$1'),
    })
    this.#lengths = undefined
    return true
  }

  /**
   * Declares all aliases in a text, such as the render option `variableStr`. Returns the parts of the text that
   * are not declarations, without the blanks and commas between declarations.
   */
  declareAll(text: string): string {
    let unread = ''
    let from = 0
    for (
      let position = text.indexOf('{');
      position >= 0;
      position = text.indexOf('{', Math.max(from, position + 1))
    ) {
      const declared = readInside(text, position + 1, text.length, false)
      if (declared === undefined || !declaration.test(declared.text)) continue
      this.declare(declared.text)
      unread += text.slice(from, position)
      from = declared.end
    }
    return (unread + text.slice(from)).replace(/[\s,;]+/g, ' ').trim()
  }

  /**
   * Returns the text with its aliases replaced. The longest matching name is replaced, and only as a whole
   * word.
   */
  expand(text: string): string {
    if (!text.includes('$') || this.#aliases.size === 0) return text
    this.#lengths ??= [...new Set([...this.#aliases.keys()].map((name) => name.length))].sort((a, b) => b - a)
    let expanded = ''
    let from = 0
    for (
      let position = text.indexOf('$');
      position >= 0;
      position = text.indexOf('$', Math.max(from, position + 1))
    ) {
      const length = this.#lengths.find(
        (n) =>
          this.#aliases.has(text.slice(position + 1, position + 1 + n)) && endsWord(text, position + 1 + n),
      )
      if (length === undefined) continue
      const { body, parameters } = this.#aliases.get(text.slice(position + 1, position + 1 + length))!
      expanded += text.slice(from, position)
      from = position + 1 + length
      if (text[from] === '(' && parameters.length > 0) {
        const close = text.indexOf(')', from)
        const args = splitOutside(text.slice(from + 1, close < 0 ? text.length : close), ',')
        from = close < 0 ? text.length : close + 1
        expanded += fill(body, parameters, args)
      } else expanded += body
    }
    expanded += text.slice(from)
    // A tag that becomes too long is reported by the pass that parses it, so it counts up to that length only.
    this.#expandedCharacters += Math.min(expanded.length, maxUseLength)
    if (this.#expandedCharacters > maxCharacters)
      throw new AppError('template.alias.too-large', { limit: maxCharacters })
    return expanded
  }
}

/** The maximum number of characters that all aliases of one template may expand to. */
const maxCharacters = 20_000_000
const maxUseLength = 20_000
/** A declaration with a longer name is ignored. */
const maxNameLength = 200
const endsWord = (text: string, end: number): boolean => !/^[\p{L}\p{N}_$]/u.test(text.slice(end, end + 2))

function fill(body: string, parameters: readonly string[], args: readonly string[]): string {
  return body.replace(/\$([\p{L}\p{N}_]+)/gu, (reference, name: string) => {
    const index = parameters.indexOf(name)
    return index < 0 ? reference : (args[index] ?? '')
  })
}

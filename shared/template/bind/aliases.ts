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
  readonly #known = new Map<string, Alias>()
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
    const found = declaration.exec(text)
    if (found === null) return text.startsWith('#')
    const [, name = '', parameters, body = ''] = found
    if (name.length > maxNameLength) return true
    this.#known.set(name, {
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
    let left = ''
    let from = 0
    for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', Math.max(from, at + 1))) {
      const found = readInside(text, at + 1, text.length, false)
      if (found === undefined || !declaration.test(found.text)) continue
      this.declare(found.text)
      left += text.slice(from, at)
      from = found.end
    }
    return (left + text.slice(from)).replace(/[\s,;]+/g, ' ').trim()
  }

  /**
   * Returns the text with its aliases replaced. The longest matching name is replaced, and only as a whole
   * word.
   */
  expand(text: string): string {
    if (!text.includes('$') || this.#known.size === 0) return text
    this.#lengths ??= [...new Set([...this.#known.keys()].map((name) => name.length))].sort((a, b) => b - a)
    let out = ''
    let from = 0
    for (let at = text.indexOf('$'); at >= 0; at = text.indexOf('$', Math.max(from, at + 1))) {
      const length = this.#lengths.find(
        (n) => this.#known.has(text.slice(at + 1, at + 1 + n)) && endsWord(text, at + 1 + n),
      )
      if (length === undefined) continue
      const { body, parameters } = this.#known.get(text.slice(at + 1, at + 1 + length))!
      out += text.slice(from, at)
      from = at + 1 + length
      if (text[from] === '(' && parameters.length > 0) {
        const close = text.indexOf(')', from)
        const args = splitOutside(text.slice(from + 1, close < 0 ? text.length : close), ',')
        from = close < 0 ? text.length : close + 1
        out += fill(body, parameters, args)
      } else out += body
    }
    out += text.slice(from)
    // A tag that becomes too long is reported by the pass that parses it, so it counts up to that length only.
    this.#expandedCharacters += Math.min(out.length, maxUseLength)
    if (this.#expandedCharacters > maxCharacters)
      throw new AppError('template.alias.too-large', { limit: maxCharacters })
    return out
  }
}

/** The maximum number of characters that all aliases of one template may expand to. */
const maxCharacters = 20_000_000
const maxUseLength = 20_000
/** A declaration with a longer name is ignored. */
const maxNameLength = 200
const endsWord = (text: string, at: number): boolean => !/^[\p{L}\p{N}_$]/u.test(text.slice(at, at + 2))

function fill(body: string, parameters: readonly string[], args: readonly string[]): string {
  return body.replace(/\$([\p{L}\p{N}_]+)/gu, (whole, name: string) => {
    const at = parameters.indexOf(name)
    return at < 0 ? whole : (args[at] ?? '')
  })
}

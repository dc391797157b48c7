/**
 * Aliases: texts that stand for other texts and are put in place before a tag is parsed. An alias may be declared anywhere in a
 * template and is known everywhere. Source: template language 6.
 */
import { AppError } from '../../errors/app-error.ts'
import { splitOutside } from '../parse/path.ts'
import { readInside } from '../scan/tags.ts'

interface Alias {
  readonly parameters: readonly string[]
  readonly body: string
}

export class Aliases {
  readonly #known = new Map<string, Alias>()
  /** Characters that all uses have become so far, which are bounded. */
  #expandedCharacters = 0
  /** The lengths that names have, longest first; undefined after a declaration, until they are needed again. */
  #lengths: readonly number[] | undefined

  /** Declares an alias when the text of a tag is a declaration, and returns whether it is. The last one of a name wins. */
  declare(text: string): boolean {
    const found = /^#([^=(]+)(?:\(([^)]*)\))?=(.*)$/s.exec(text)
    if (found === null) return text.startsWith('#')
    const [, name = '', parameters, body = ''] = found
    if (name.length > longestName) return true
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

  /** Declares all aliases in a running text, such as the render option `variableStr`. */
  declareAll(text: string): void {
    for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1)) {
      const found = readInside(text, at + 1, text.length, false)
      if (found !== undefined) this.declare(found.text)
    }
  }

  /** The text with its uses of aliases replaced. The longest name that fits is taken, and whole words only. */
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
    // A single tag that becomes too long is reported by the pass that reads it, so here it counts up to that length only.
    this.#expandedCharacters += Math.min(out.length, longestUse)
    if (this.#expandedCharacters > maxCharacters)
      throw new AppError('template.alias.too-large', { limit: maxCharacters })
    return out
  }
}

/** Characters that all uses of aliases in one template may become. */
const maxCharacters = 20_000_000
const longestUse = 20_000
/** A declaration with a longer name is ignored. */
const longestName = 200
const endsWord = (text: string, at: number): boolean => !/^[\p{L}\p{N}_$]/u.test(text.slice(at, at + 2))

function fill(body: string, parameters: readonly string[], args: readonly string[]): string {
  return body.replace(/\$([\p{L}\p{N}_]+)/gu, (whole, name: string) => {
    const at = parameters.indexOf(name)
    return at < 0 ? whole : (args[at] ?? '')
  })
}

/**
 * Aliases: text that stands for text, put in place before a tag is parsed. Declared anywhere, known everywhere.
 * Source: template language 6.
 */
import { splitOutside } from '../parse/path.ts'
import { readInside } from '../scan/join.ts'

interface Alias {
  readonly parameters: readonly string[]
  readonly body: string
}

export class Aliases {
  readonly #known = new Map<string, Alias>()
  #uses: RegExp | undefined

  /** Takes a tag's text in when it is a declaration. The last one of a name wins. */
  declare(text: string): boolean {
    const found = /^#([^=(]+)(?:\(([^)]*)\))?=(.*)$/s.exec(text)
    if (found === null) return text.startsWith('#')
    const [, name = '', parameters, body = ''] = found
    this.#known.set(name, {
      parameters:
        parameters === undefined
          ? []
          : parameters.split(',').map((parameter) => parameter.replace(/^\$/, '')),
      body: body.replace(/^\{(.*)\}$/s, '$1'),
    })
    this.#uses = undefined
    return true
  }

  /** Declarations in running text: the render option `variableStr`. */
  declareAll(text: string): void {
    for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1)) {
      const found = readInside(text, at + 1, text.length, false)
      if (found !== undefined) this.declare(found.text)
    }
  }

  /** The text with its alias uses replaced. */
  expand(text: string): string {
    if (!text.includes('$') || this.#known.size === 0) return text
    if (this.#uses === undefined) {
      const names = [...this.#known.keys()].sort((a, b) => b.length - a.length).map(escapePattern)
      this.#uses = new RegExp(`\\$(${names.join('|')})(?![\\p{L}\\p{N}_$])`, 'gu')
    }
    let out = ''
    let from = 0
    const uses = new RegExp(this.#uses)
    for (let found = uses.exec(text); found !== null; found = uses.exec(text)) {
      const alias = this.#known.get(found[1]!)!
      out += text.slice(from, found.index)
      from = found.index + found[0].length
      let body = alias.body
      if (text[from] === '(' && alias.parameters.length > 0) {
        const close = text.indexOf(')', from)
        const args = splitOutside(text.slice(from + 1, close < 0 ? text.length : close), ',')
        from = close < 0 ? text.length : close + 1
        body = fill(body, alias.parameters, args)
      }
      out += body
      uses.lastIndex = from
    }
    return out + text.slice(from)
  }
}

function fill(body: string, parameters: readonly string[], args: readonly string[]): string {
  return body.replace(/\$([\p{L}\p{N}_]+)/gu, (whole, name: string) => {
    const at = parameters.indexOf(name)
    return at < 0 ? whole : (args[at] ?? '')
  })
}

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * Colours of a template that are replaced by colours from the data: `{bindColor(ff0000, #hexa) = d.color}` replaces every use
 * of the colour ff0000 in the document. This is the older syntax, which existing templates use. Source: template language
 * 22.4.
 */

import { entryOf } from '../../entry-of.ts'
import { AppError } from '../../errors/app-error.ts'
import { cutAtAttribute } from '../../xml/elements.ts'
import { withoutTags } from '../../xml/markup.ts'
import type { TagToken, Token } from '../scan/tokens.ts'
import { type RenderScope, type ScopeKey, scopeKey } from '../scope.ts'
import { cssColor, wordHighlight } from './color-names.ts'

interface ColorBinding {
  /** Six lower-case digits, or the name of a highlight colour. */
  readonly reference: string
  readonly named: boolean
  readonly format: string
  readonly path: string
  /** The key of the value in the render scope. */
  readonly key: ScopeKey<string | undefined>
}

const formats = ['#hexa', 'hexa', 'color', 'rgb', 'hsl']
const tagged = /\{\s*bindColor\b([^{}]*)\}/g

/** Finds the bindings in the texts of all parts; undefined if there are none. Throws 'template.color.binding'. */
export function findBoundColors(texts: Iterable<string>): BoundColors | undefined {
  const bindings: ColorBinding[] = []
  for (const text of texts) {
    // Word processors split tags over several runs, so test for a short part of the name.
    if (!text.includes('bind')) continue
    for (const [, declaration = ''] of withoutTags(text).matchAll(tagged)) {
      const binding = read(`bindColor${declaration}`)
      const isBound = bindings.some(({ reference }) => reference === binding.reference)
      if (isBound) throw problem(`{bindColor${declaration}}`, 'this colour is bound already')
      bindings.push(binding)
    }
  }
  return bindings.length === 0 ? undefined : new BoundColors(bindings)
}

/** Binds the colours of a single-part format, whose bindings are among its own tags. */
export function bindOwnColors(tokens: readonly Token[]): readonly Token[] {
  const texts = tokens.flatMap((token) =>
    token.kind === 'tag' && /^bindColor\b/.test(token.text) ? [`{${token.text}}`] : [],
  )
  return texts.length === 0 ? tokens : (findBoundColors(texts)?.bind(tokens) ?? tokens)
}

function read(text: string): ColorBinding {
  const tag = `{${text}}`
  const parts = /^bindColor\(\s*'?#?([^,()']+?)'?\s*,\s*'?([^,()']+?)'?\s*\)\s*=\s*(\S[\s\S]*)$/.exec(text)
  if (parts === null) throw problem(tag, 'it must be written like {bindColor(ff0000, #hexa) = d.color}')
  const [, requested = '', format = '', path = ''] = parts
  if (!formats.includes(format)) throw problem(tag, `the format is one of ${formats.join(', ')}`)
  const isHex = /^[\da-f]{6}$/i.test(requested)
  const highlight = isHex ? undefined : wordHighlight(requested)
  if (!isHex && highlight === undefined)
    throw problem(tag, 'the colour is six hexadecimal digits, or a highlight of Word')
  return {
    reference: highlight ?? requested.toLowerCase(),
    named: !isHex,
    format,
    path: path.trim(),
    key: scopeKey('bound colour'),
  }
}

const problem = (tag: string, because: string): AppError =>
  new AppError('template.color.binding', { tag: tag.slice(0, 200), because })

class BoundColors {
  readonly #bindings: readonly ColorBinding[]
  readonly #uses: RegExp

  constructor(bindings: readonly ColorBinding[]) {
    this.#bindings = bindings
    const hexes = bindings.filter(({ named }) => !named).map(({ reference }) => reference)
    this.#uses = new RegExp(
      // Matches values of attributes and of CSS. In sheets, colours begin with their alpha channel.
      `(?<=["'#:\\s]|["']ff)(?:${hexes.length === 0 ? '(?!)' : hexes.join('|')})(?=["';\\s)}])`,
      'gi',
    )
  }

  bind(tokens: readonly Token[]): readonly Token[] {
    let style = false
    return tokens.flatMap((token): readonly Token[] => {
      if (token.kind === 'tag') return /^bindColor\b/.test(token.text) ? [this.#slot(token)] : [token]
      if (token.kind === 'computed') return [token]
      const isStyle = style
      style = token.kind === 'open' && /^style$/i.test(token.name)
      if (token.kind === 'close' || (token.kind === 'text' && token.markup === undefined && !isStyle))
        return [token]
      return this.#replaced(token)
    })
  }

  /** Markup without tags, in which the colours of this render are inserted. */
  written(markup: string, scope: RenderScope): string {
    return markup.replace(this.#uses, (text) => {
      const reference = text.toLowerCase()
      const binding = this.#bindings.find(
        (candidate) => !candidate.named && candidate.reference === reference,
      )
      return (binding === undefined ? undefined : scope.get(binding.key)) ?? text
    })
  }

  #slot(tag: TagToken): TagToken {
    // Blanks are removed from the text of a tag, but not from that of a binding.
    const squeezed = (text: string) => text.replace(/\s+/g, '')
    const declared = read(tag.text)
    const binding = this.#bindings.find(
      ({ reference, path }) => reference === declared.reference && squeezed(path) === squeezed(declared.path),
    )
    const store: NonNullable<TagToken['output']> = (value, _text, scope) => {
      if (binding !== undefined) scope.set(binding.key, colorOf(value, binding))
      return ''
    }
    return { ...tag, text: declared.path, hidden: true, measured: true, output: store }
  }

  #replaced(token: Exclude<Token, { kind: 'tag' | 'computed' }>): Token[] {
    const { raw, offset } = token
    const isHighlight = 'name' in token && token.name === 'w:highlight'
    const highlight = isHighlight ? cutAtAttribute(raw, 'w:val') : undefined
    const references = isHighlight
      ? highlight === undefined
        ? []
        : [{ at: highlight.before.length, text: highlight.value }]
      : Array.from(raw.matchAll(this.#uses), (match) => ({ at: match.index, text: match[0] }))
    const uses = references.flatMap(({ at: start, text }) => {
      const reference = text.toLowerCase()
      const binding = this.#bindings.find(
        (candidate) => candidate.reference.toLowerCase() === reference && candidate.named === isHighlight,
      )
      return binding === undefined ? [] : [{ at: start, text, binding }]
    })
    if (uses.length === 0) return [token]
    const result: Token[] = []
    let from = 0
    const segment = (end: number) => {
      const part = raw.slice(from, end)
      if (result.length > 0 || token.kind === 'text')
        result.push({ kind: 'text', raw: part, offset, markup: true })
      else result.push({ ...token, kind: 'open', raw: part } as Token)
      from = end
    }
    for (const { at: start, text, binding } of uses) {
      segment(start)
      from = start + text.length
      const compute = (scope: RenderScope) => scope.get(binding.key) ?? text
      result.push({ kind: 'computed', offset, hidden: true, compute })
    }
    if (token.kind === 'void') {
      segment(raw.length - 2)
      result.push({ kind: 'close', name: token.name, raw: '/>', offset })
    } else segment(raw.length)
    return result
  }
}

/** Converts a value to the notation of the reference. Undefined if it is not a colour; the reference is then kept. */
function colorOf(value: unknown, { format, named }: ColorBinding): string | undefined {
  if (named) return typeof value === 'string' ? wordHighlight(value) : undefined
  if (format === '#hexa' || format === 'hexa') {
    return typeof value === 'string' ? /^\s*#?([\da-f]{6})\s*$/i.exec(value)?.[1]?.toUpperCase() : undefined
  }
  if (format === 'color') return typeof value === 'string' ? cssColor(value) : undefined
  if (typeof value !== 'object' || value === null) return undefined
  const part = (name: string): number => Number(entryOf(value as Record<string, unknown>, name))
  const channels = format === 'rgb' ? ['r', 'g', 'b'].map(part) : fromHsl(part('h'), part('s'), part('l'))
  return channels.every((channel) => channel >= 0 && channel <= 255)
    ? channels
        .map((channel) => Math.round(channel).toString(16).padStart(2, '0'))
        .join('')
        .toUpperCase()
    : undefined
}

/** Hue in degrees; saturation and lightness in percent or as fractions of 1. Source: CSS Color 4, clause 7. */
function fromHsl(h: number, s: number, l: number): number[] {
  const part = (value: number) => (value > 1 ? value / 100 : value)
  const [saturation, lightness] = [part(s), part(l)]
  const chroma = saturation * Math.min(lightness, 1 - lightness)
  const channel = (n: number) => {
    const k = (n + (((h % 360) + 360) % 360) / 30) % 12
    return 255 * (lightness - chroma * Math.max(-1, Math.min(k - 3, 9 - k, 1)))
  }
  return [channel(0), channel(8), channel(4)]
}

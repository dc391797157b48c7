import { entryOf } from '../../../../../shared/entry-of.ts'
import { namedColors } from '../../../../../shared/template/html/colors.ts'
import type { SvgElement } from './element.ts'

/** Properties of an element as written: attributes, rules of <style>, the `style` attribute, in ascending precedence. */
export type SvgProperties = ReadonlyMap<string, string>

/** Source: SVG 2, clause 6.6: inherited properties. */
const inherited: ReadonlySet<string> = new Set(
  (
    'color fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-dasharray stroke-dashoffset ' +
    'marker marker-start marker-mid marker-end ' +
    'stroke-linecap stroke-linejoin font-family font-size font-weight font-style letter-spacing text-anchor ' +
    'dominant-baseline visibility clip-rule direction'
  ).split(' '),
)

export interface SvgStylesheet {
  properties(element: SvgElement, parent: SvgProperties): SvgProperties
}

interface SvgRule {
  readonly selector: RegExp // over 'name#id.class.class '
  readonly weight: number
  readonly declarations: readonly (readonly [string, string])[]
}

const maxRules = 2_000

/** Rules with simple selectors: elements, classes, ids and their combinations. Others are ignored. */
export function sheetOf(root: SvgElement): SvgStylesheet {
  const rules = readRules(styleTexts(root).join('\n'))
  return {
    properties(element, parent) {
      const computed = new Map<string, string>()
      for (const [name, value] of parent) if (inherited.has(name)) computed.set(name, value)
      const set = (name: string, value: string) => {
        const trimmed = value.trim()
        if (trimmed === 'inherit') {
          const from = parent.get(name)
          if (from === undefined) computed.delete(name)
          else computed.set(name, from)
        } else computed.set(name, trimmed)
      }
      for (const [name, value] of element.attributes) if (name !== 'style') set(name, value)
      const identity = identityOf(element)
      for (const rule of rules) {
        if (rule.selector.test(identity)) for (const [name, value] of rule.declarations) set(name, value)
      }
      for (const [name, value] of declarations(element.attributes.get('style') ?? '')) set(name, value)
      return computed
    },
  }
}

const identityOf = ({ name, attributes }: SvgElement): string => {
  const id = attributes.get('id')
  const classes = (attributes.get('class') ?? '').split(/\s+/).filter((className) => className !== '')
  return `${name}${id === undefined ? '' : `#${id}`}${classes.map((className) => `.${className}`).join('')} `
}

function styleTexts(element: SvgElement): string[] {
  if (element.name === 'style')
    return [element.children.filter((child) => typeof child === 'string').join('')]
  return element.children.flatMap((child) => (typeof child === 'string' ? [] : styleTexts(child)))
}

function readRules(text: string): SvgRule[] {
  const rules: SvgRule[] = []
  const withoutComments = text.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, '')
  // The text after the last brace is not a rule.
  for (const segment of withoutComments.split('}').slice(0, -1)) {
    const opens = segment.lastIndexOf('{')
    if (opens < 0) continue
    const body = segment.slice(opens + 1)
    const selectors = segment.slice(segment.lastIndexOf('{', Math.max(0, opens - 1)) + 1, opens)
    for (const selector of selectors.split(',')) {
      const parsed = selectorOf(selector.trim())
      if (parsed !== undefined && rules.length < maxRules)
        rules.push({ ...parsed, declarations: declarations(body) })
    }
  }
  // A stable sort: of equal specificity the later one wins.
  return rules.sort((a, b) => a.weight - b.weight)
}

function selectorOf(text: string): Pick<SvgRule, 'selector' | 'weight'> | undefined {
  const match = /^(\*|[\w-]+)?((?:[.#][\w-]+)*)$/.exec(text)
  if (match === null || text === '') return undefined
  const parts = (match[2] ?? '').match(/[.#][\w-]+/g) ?? []
  const name = match[1] === undefined || match[1] === '*' ? '[\\w-]+' : match[1]
  const needs = parts.map((part) => `(?=.*\\${part[0]}${part.slice(1)}[ .#])`).join('')
  const weight = parts.reduce(
    (sum, part) => sum + (part[0] === '#' ? 100 : 10),
    match[1] === undefined ? 0 : 1,
  )
  return { selector: new RegExp(`^${needs}${name}[ .#]`), weight }
}

function declarations(text: string): [string, string][] {
  return text.split(';').flatMap((declaration): [string, string][] => {
    const at = declaration.indexOf(':')
    if (at < 0) return []
    return [
      [
        declaration.slice(0, at).trim().toLowerCase(),
        declaration.slice(at + 1).replace(/!important\s*$/, ''),
      ],
    ]
  })
}

export interface SvgPaint {
  readonly colour: number
  readonly opacity: number
}

/** A colour value; undefined for `none` and anything that is not a colour. Source: CSS Color 4. */
export function svgPaint(text: string | undefined, current: string | undefined): SvgPaint | undefined {
  const value = (text ?? '').trim().toLowerCase()
  if (value === 'currentcolor') return svgPaint(current ?? 'black', undefined)
  if (value === 'transparent') return { colour: 0, opacity: 0 }
  const hex = /^#([\da-f]{3,8})$/.exec(value)?.[1]
  if (hex !== undefined) return fromHex(hex)
  const named = entryOf(namedColors, value)
  if (named !== undefined) return { colour: Number.parseInt(named, 16), opacity: 1 }
  const call = /^(rgb|hsl)a?\(([^)]*)\)$/.exec(value)
  if (call === null) return undefined
  const parts = (call[2] ?? '').split(/[\s,/]+/).filter((part) => part !== '')
  return call[1] === 'rgb' ? fromRgb(parts) : fromHsl(parts)
}

function fromHex(hex: string): SvgPaint | undefined {
  const wide = hex.length <= 4 ? [...hex].map((digit) => digit + digit).join('') : hex
  if (wide.length !== 6 && wide.length !== 8) return undefined
  const opacity = wide.length === 8 ? Number.parseInt(wide.slice(6), 16) / 255 : 1
  return { colour: Number.parseInt(wide.slice(0, 6), 16), opacity }
}

const numberOrPercentage = (part: string | undefined, reference: number): number => {
  const value = Number.parseFloat(part ?? '')
  if (Number.isNaN(value)) return 0
  return part!.endsWith('%') ? (value / 100) * reference : value
}
const byte = (value: number): number => Math.round(Math.min(255, Math.max(0, value)))
const opacityOf = (part: string | undefined): number =>
  part === undefined ? 1 : Math.min(1, Math.max(0, numberOrPercentage(part, 1)))

function fromRgb([r, g, b, a]: readonly string[]): SvgPaint | undefined {
  if (b === undefined) return undefined
  const [red, green, blue] = [r, g, b].map((part) => byte(numberOrPercentage(part, 255)))
  return { colour: (red! << 16) | (green! << 8) | blue!, opacity: opacityOf(a) }
}

function fromHsl([h, s, l, a]: readonly string[]): SvgPaint | undefined {
  if (l === undefined) return undefined
  const hue = (((Number.parseFloat(h!) % 360) + 360) % 360) / 30
  const [saturation, light] = [numberOrPercentage(s, 1), numberOrPercentage(l, 1)]
  const reach = saturation * Math.min(light, 1 - light)
  const channel = (n: number) => {
    const k = (n + hue) % 12
    return byte(255 * (light - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  }
  return { colour: (channel(0) << 16) | (channel(8) << 8) | channel(4), opacity: opacityOf(a) }
}

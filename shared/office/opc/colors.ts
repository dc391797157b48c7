/**
 * Colours from data in Word documents and slides: a colour tag sets properties of runs, paragraphs, cells and shapes,
 * and all others stay unchanged. Source: template language 22.4; ECMA-376-1, clauses 17.3, 17.4, 20.1.8 and 21.1.3.
 */

import {
  type ColorBindings,
  type ColorSource,
  type ColorTarget,
  chosen,
  Edits,
  endOfStart,
  findColors,
  withAttributes,
} from '../../template/media/colors.ts'
import type { ElementToken, Token } from '../../template/scan/tokens.ts'
import type { RenderScope, ScopeKey } from '../../template/scope.ts'
import { elementIn, elementsIn } from '../../xml/elements.ts'

/** One property that takes a colour. */
interface ColorWriter {
  readonly element: string
  readonly wants: (source: ColorSource) => boolean
  /** The child that contains the properties; absent: the element itself. */
  readonly properties?: { readonly name: string; readonly where: 'first' | 'last' }
  /** The element names of the property: any of them is removed when a new value is set. */
  readonly child: readonly string[]
  /** The elements that must precede it. */
  readonly behind: readonly string[]
  readonly write: (hex: string, before: string) => string
}
interface ColorAttribute {
  readonly element: string
  readonly wants: (source: ColorSource) => boolean
  readonly attribute: string
}
/**
 * How a format writes colours: the elements that each target refers to, and the elements and attributes that contain
 * a colour.
 */
export interface ColorMarkup {
  readonly targets: Readonly<Record<ColorTarget, readonly string[]>>
  readonly writers: readonly ColorWriter[]
  readonly attributes: readonly ColorAttribute[]
}

const names = (text: string): readonly string[] => text.split(' ')
const fills = names('a:noFill a:solidFill a:gradFill a:blipFill a:pattFill a:grpFill')
const solid = (hex: string): string => `<a:solidFill><a:srgbClr val="${hex}"/></a:solidFill>`
const is =
  (type: ColorSource['type'], ...targets: readonly ColorTarget[]) =>
  (source: ColorSource): boolean =>
    source.type === type && (targets.length === 0 || targets.includes(source.target))

/** The content of a shape's line after its fill is kept. */
function line(hex: string, before: string): string {
  const line = elementIn(before, 'a:ln')
  if (line === undefined) return `<a:ln w="12700">${solid(hex)}</a:ln>`
  const content = line.content ?? ''
  const [first] = elementsIn(content)
  const following = first !== undefined && fills.includes(first.name) ? content.slice(first.end) : content
  return `<a:ln${line.attributes.trimEnd()}>${solid(hex)}${following}</a:ln>`
}
const shapeFill = (element: string): ColorWriter => ({
  element,
  wants: is('background', 'shape'),
  child: fills,
  behind: names('a:xfrm a:custGeom a:prstGeom'),
  write: solid,
})
const shapeLine = (element: string): ColorWriter => ({
  element,
  wants: is('border', 'shape'),
  child: ['a:ln'],
  behind: [...names('a:xfrm a:custGeom a:prstGeom'), ...fills],
  write: line,
})

const beforeColor = names(
  'w:rStyle w:rFonts w:b w:bCs w:i w:iCs w:caps w:smallCaps w:strike w:dstrike w:outline w:shadow w:emboss w:imprint w:noProof w:snapToGrid w:vanish w:webHidden',
)
const beforeRunShade = [
  ...beforeColor,
  ...names('w:color w:spacing w:w w:kern w:position w:sz w:szCs w:highlight w:u w:effect w:bdr'),
]
const beforeParagraphShade = names(
  'w:pStyle w:keepNext w:keepLines w:pageBreakBefore w:framePr w:widowControl w:numPr w:suppressLineNumbers w:pBdr',
)
const beforeCellShade = names('w:cnfStyle w:tcW w:gridSpan w:hMerge w:vMerge w:tcBorders')
const shade = (hex: string): string => `<w:shd w:val="clear" w:color="auto" w:fill="${hex}"/>`

/** The colours of WordprocessingML (ECMA-376-1, 17). */
export const wordColors: ColorMarkup = {
  targets: {
    p: ['w:p'],
    cell: ['w:tc'],
    row: ['w:tr'],
    shape: ['wps:wsp', 'v:shape', 'v:rect', 'v:roundrect', 'v:oval'],
    part: ['w:r'],
    page: ['w:document'],
  },
  writers: [
    {
      element: 'w:r',
      wants: (source) => source.type === 'text',
      properties: { name: 'w:rPr', where: 'first' },
      child: ['w:color'],
      behind: beforeColor,
      write: (hex) => `<w:color w:val="${hex}"/>`,
    },
    {
      // Highlighting supports only 17 colours, shading any colour.
      element: 'w:r',
      wants: (source) => source.type === 'highlight' || is('background', 'part')(source),
      properties: { name: 'w:rPr', where: 'first' },
      child: ['w:shd'],
      behind: beforeRunShade,
      write: shade,
    },
    {
      element: 'w:p',
      wants: is('background', 'p'),
      properties: { name: 'w:pPr', where: 'first' },
      child: ['w:shd'],
      behind: beforeParagraphShade,
      write: shade,
    },
    {
      element: 'w:tc',
      wants: is('background', 'cell', 'row'),
      properties: { name: 'w:tcPr', where: 'first' },
      child: ['w:shd'],
      behind: beforeCellShade,
      write: shade,
    },
    {
      element: 'w:document',
      wants: is('background', 'page'),
      child: ['w:background'],
      behind: [],
      write: (hex) => `<w:background w:color="${hex}"/>`,
    },
    shapeFill('wps:spPr'),
    shapeLine('wps:spPr'),
  ],
  attributes: ['v:shape', 'v:rect', 'v:roundrect', 'v:oval'].flatMap((element) => [
    { element, wants: is('background', 'shape'), attribute: 'fillcolor' },
    { element, wants: is('border', 'shape'), attribute: 'strokecolor' },
  ]),
}

const slideHighlight = (source: ColorSource): boolean =>
  source.type === 'highlight' || is('background', 'p', 'part')(source)
const slideRuns = ['a:r', 'a:fld'].flatMap((element): ColorWriter[] => [
  {
    element,
    wants: (source) => source.type === 'text',
    properties: { name: 'a:rPr', where: 'first' },
    child: fills,
    behind: ['a:ln'],
    write: solid,
  },
  {
    element,
    wants: slideHighlight,
    properties: { name: 'a:rPr', where: 'first' },
    child: ['a:highlight'],
    behind: ['a:ln', ...fills, 'a:effectLst', 'a:effectDag'],
    write: (hex) => `<a:highlight><a:srgbClr val="${hex}"/></a:highlight>`,
  },
])

/** The colours of PresentationML and DrawingML (ECMA-376-1, 19 and 20). */
export const slideColors: ColorMarkup = {
  targets: {
    p: ['a:p'],
    cell: ['a:tc'],
    row: ['a:tr'],
    shape: ['p:sp', 'p:cxnSp', 'p:pic'],
    part: ['a:r'],
    page: ['p:cSld'],
  },
  writers: [
    ...slideRuns,
    {
      element: 'a:tc',
      wants: is('background', 'cell', 'row'),
      properties: { name: 'a:tcPr', where: 'last' },
      child: fills,
      behind: names('a:lnL a:lnR a:lnT a:lnB a:lnTlToBr a:lnBlToTr a:cell3D'),
      write: solid,
    },
    {
      element: 'p:cSld',
      wants: is('background', 'page'),
      child: ['p:bg'],
      behind: [],
      write: (hex) => `<p:bg><p:bgPr>${solid(hex)}<a:effectLst/></p:bgPr></p:bg>`,
    },
    shapeFill('p:spPr'),
    shapeLine('p:spPr'),
  ],
  attributes: [],
}

/** Binds `:color` tags of a part. Returns the same tokens when there are none. */
export function bindColors(tokens: readonly Token[], markup: ColorMarkup): readonly Token[] {
  const edits = new Edits()
  const colors = findColors(tokens, markup.targets, edits, { boundaries: ['w:txbxContent'] })
  if (colors === undefined) return tokens
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'open') continue
    const requested = markup.attributes.flatMap(({ element, wants, attribute }) => {
      const keys = element === token.name ? colors.enclosing(index, wants) : []
      const write = (scope: RenderScope, before: string | undefined) =>
        colorAttribute(attribute, chosen(scope, keys), before)
      return keys.length === 0 ? [] : [{ attribute, write }]
    })
    if (requested.length > 0)
      edits.replace(index, index + 1, withAttributes(token, colors.lead(index), requested))
  }
  colors.settle()
  tokens.forEach((token, index) => {
    if (token.kind !== 'open' && token.kind !== 'void') return
    const requested = markup.writers.flatMap((writer) => {
      const keys = writer.element === token.name ? colors.enclosing(index, writer.wants) : []
      return keys.length > 0 ? [{ writer, keys }] : []
    })
    if (requested.length === 0) return
    if (token.kind === 'void') edits.replace(index, index + 1, [filled(token, token.name, requested)])
    else new ColorProperties(tokens, colors, edits).set(index, requested)
  })
  return edits.apply(tokens)
}

function colorAttribute(attribute: string, hex: string | undefined, before: string | undefined): string {
  const value = hex === undefined ? before : `#${hex}`
  return value === undefined ? '' : ` ${attribute}="${value}"`
}

interface RequestedColors {
  readonly writer: ColorWriter
  readonly keys: readonly ScopeKey<string>[]
}

/** The content of an element that was empty or missing, with the chosen properties. */
function filled(
  before: ElementToken | undefined,
  name: string,
  requested: readonly RequestedColors[],
): Token {
  const head = before === undefined ? `<${name}` : before.raw.replace(/\s*\/>$/, '')
  return {
    kind: 'computed',
    offset: before?.offset ?? 0,
    hidden: true,
    compute(scope) {
      const innerRequests = requested
        .map(({ writer, keys }) => {
          const hex = chosen(scope, keys)
          return hex === undefined ? '' : writer.write(hex, '')
        })
        .join('')
      return innerRequests === '' ? (before?.raw ?? '') : `${head}>${innerRequests}</${name}>`
    },
  }
}

class ColorProperties {
  readonly #tokens: readonly Token[]
  readonly #colors: ColorBindings
  readonly #edits: Edits

  constructor(tokens: readonly Token[], colors: ColorBindings, edits: Edits) {
    this.#tokens = tokens
    this.#colors = colors
    this.#edits = edits
  }

  /**
   * Sets all properties of one element. Properties with the same holder are written together if the holder is
   * missing.
   */
  set(element: number, requested: readonly RequestedColors[]): void {
    const holders = new Map<string, RequestedColors[]>()
    for (const request of requested) {
      const name = request.writer.properties?.name ?? ''
      holders.set(name, [...(holders.get(name) ?? []), request])
    }
    for (const [name, holderRequests] of holders) {
      if (name === '') this.#inside(element, holderRequests)
      else this.#holder(element, name, holderRequests)
    }
  }

  #holder(element: number, name: string, requested: readonly RequestedColors[]): void {
    const tokens = this.#tokens
    const holder = this.#children(element).find((child) => (tokens[child] as ElementToken).name === name)
    if (holder !== undefined && tokens[holder]!.kind === 'open') {
      this.#inside(holder, requested)
      return
    }
    const before = holder === undefined ? undefined : (tokens[holder] as ElementToken)
    const computed = filled(before, name, requested)
    if (holder !== undefined) this.#edits.replace(holder, holder + 1, [computed])
    else if (requested[0]!.writer.properties?.where === 'last')
      this.#edits.insert(this.#colors.match[element] ?? 0, [computed])
    else this.#edits.insert(endOfStart(tokens, element), [computed])
  }

  #inside(holder: number, requested: readonly RequestedColors[]): void {
    const tokens = this.#tokens
    for (const { writer, keys } of requested) {
      const children = this.#children(holder)
      const nameOf = (child: number) => (tokens[child] as ElementToken).name
      const existing = children.find((child) => writer.child.includes(nameOf(child)))
      const stop = existing === undefined ? -1 : Math.max(existing, this.#colors.match[existing] ?? 0) + 1
      const replaced = existing === undefined ? [] : tokens.slice(existing, stop)
      // A property that contains a tag of its own is kept.
      if (replaced.some((token) => !('raw' in token))) continue
      const before = replaced.map((token) => (token as ElementToken).raw).join('')
      const computed: Token = {
        kind: 'computed',
        offset: tokens[holder]!.offset,
        hidden: true,
        compute(scope) {
          const hex = chosen(scope, keys)
          return hex === undefined ? before : writer.write(hex, before)
        },
      }
      if (existing !== undefined) this.#edits.replace(existing, stop, [computed])
      else {
        const following = children.find((child) => !writer.behind.includes(nameOf(child)))
        this.#edits.insert(following ?? this.#colors.match[holder] ?? 0, [computed])
      }
    }
  }

  /** The child elements of an element. */
  #children(element: number): number[] {
    const children: number[] = []
    const close = this.#colors.match[element] ?? 0
    for (
      let child = element + 1;
      child < close;
      child = Math.max(child, this.#colors.match[child] ?? 0) + 1
    ) {
      const { kind } = this.#tokens[child]!
      if (kind === 'open' || kind === 'void') children.push(child)
    }
    return children
  }
}

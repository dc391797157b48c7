/**
 * Writes the lists of a page. Bullets and numbers follow the style sheet; each kind and depth has one list
 * style.
 */

import type { StyledElement } from '../../../../shared/css/cascade.ts'
import { attributeOf } from '../../../../shared/css/selector.ts'
import type { ComputedStyle } from '../../../../shared/css/style.ts'
import { entryOf } from '../../../../shared/entry-of.ts'
import { xml } from '../../../../shared/flow/write-odf.ts'
import type { BlockContext, Blocks } from './block-tools.ts'
import { boxOf } from './odf/attributes.ts'
import type { OdfListItem, OdfNode } from './odf/nodes.ts'
import { pt } from './odf/nodes.ts'
import { isBlank, isText } from './tree.ts'

const maxLevel = 9
const label = 18
const bullets: Readonly<Record<string, string>> = { disc: '\u2022', circle: '\u25e6', square: '\u25aa' }
const formats: Readonly<Record<string, string>> = {
  decimal: '1',
  'decimal-leading-zero': '1',
  'lower-alpha': 'a',
  'lower-latin': 'a',
  'upper-alpha': 'A',
  'upper-latin': 'A',
  'lower-roman': 'i',
  'upper-roman': 'I',
}

export function listOf(blocks: Blocks, styled: StyledElement, context: BlockContext): void {
  const { style, element } = styled
  const margins = blocks.margins(style, context)
  const padding = Math.max(0, style.length('padding-left', context.width) ?? 0)
  const box = boxOf(style, context.width)
  const left = margins.left + padding
  const children = blocks.tree.children(styled)
  const items = children.filter(
    (child): child is StyledElement => !isText(child) && child.style.display === 'list-item',
  )
  const depth = context.lists + 1
  const inner: BlockContext = {
    ...context,
    ...margins,
    left,
    right: margins.right + box.padding.right,
    base: 'List_20_Contents',
  }
  const writer = new ListWriter(blocks, style, { ...inner, lists: depth })
  const reversed = element.properties['reversed'] === true
  let number = startOf(attributeOf(element, 'start')) ?? (reversed ? items.length : 1)
  let restart = number !== 1
  for (const child of children) {
    if (isBlank(child)) continue
    if (isText(child) || child.style.display !== 'list-item') {
      // Content between two items belongs to the first of them.
      writer.more(() => blocks.children(styled, [child], { ...inner, lists: depth }))
      continue
    }
    const declaredNumber = startOf(attributeOf(child.element, 'value'))
    if (declaredNumber !== undefined) {
      number = declaredNumber
      restart = true
    }
    const kind = kindOf(child.style, element.tagName)
    if (kind === undefined || depth > maxLevel) {
      writer.end()
      blocks.block(child, { ...inner, lists: 0 })
    } else writer.item(child, kind, restart ? number : undefined)
    restart = reversed
    number += reversed ? -1 : 1
  }
  writer.end()
}

type LabelKind = { readonly number: string; readonly suffix: string } | { readonly bullet: string }

function kindOf(style: ComputedStyle, tag: string): LabelKind | undefined {
  const type = style.get('list-style-type')?.trim() ?? (tag === 'ol' ? 'decimal' : 'disc')
  if (/^none$/i.test(type)) return undefined
  const quoted = /^["'](.*)["']$/s.exec(type)?.[1]
  if (quoted !== undefined)
    return quoted.trim() === '' ? undefined : { bullet: [...quoted.trim()][0] as string }
  const bullet = entryOf(bullets, type.toLowerCase())
  if (bullet !== undefined) return { bullet }
  return { number: entryOf(formats, type.toLowerCase()) ?? '1', suffix: '.' }
}

class ListWriter {
  readonly #blocks: Blocks
  readonly #context: BlockContext
  readonly #list: ComputedStyle
  #items: OdfListItem[] = []
  #style = ''
  /** After a table has ended the list, the next item must specify its number. */
  #number = 0
  #parted = false

  constructor(blocks: Blocks, list: ComputedStyle, context: BlockContext) {
    this.#blocks = blocks
    this.#list = list
    this.#context = context
  }

  item(item: StyledElement, kind: LabelKind, start: number | undefined): void {
    const style = this.#styleOf(kind)
    if (style !== this.#style) this.end()
    this.#style = style
    const nodes = this.#blocks.collect(() => this.#blocks.block(item, this.#context))
    this.#number = start ?? this.#number + 1
    if (nodes.length === 0)
      nodes.push({ ...this.#blocks.empty(item.style, this.#context), layout: new Map() })
    const at = start ?? (this.#parted ? this.#number : undefined)
    this.#parted = false
    this.#add(nodes, at === undefined ? {} : { start: at })
  }

  more(work: () => void): void {
    const nodes = this.#blocks.collect(work)
    if (nodes.length > 0) this.#add(nodes, { continued: true })
  }

  /** Lists cannot contain tables, which therefore split them. */
  #add(nodes: readonly OdfNode[], itemProperties: Omit<OdfListItem, 'nodes'>): void {
    let flat: OdfNode[] = []
    let first = true
    const flush = () => {
      if (flat.length > 0 || first) {
        const empty = { ...this.#blocks.empty(this.#list, this.#context), layout: new Map() }
        this.#items.push({
          ...(first ? itemProperties : { continued: true }),
          nodes: flat.length > 0 ? flat : [empty],
        })
      }
      first = false
      flat = []
    }
    for (const node of nodes) {
      if (node.kind === 'paragraph' || node.kind === 'list') {
        flat.push(node)
        continue
      }
      flush()
      this.end()
      this.#blocks.emit(node)
      this.#parted = true
    }
    if (flat.length > 0 || first) flush()
  }

  end(): void {
    if (this.#items.length > 0) this.#blocks.emit({ kind: 'list', style: this.#style, items: this.#items })
    this.#items = []
  }

  #styleOf(kind: LabelKind): string {
    const { left, lists } = this.#context
    const levels = Array.from({ length: maxLevel }, (_, at) => {
      const indent = Math.max(left + (at + 1 - lists) * label, label)
      const align = `<style:list-level-properties text:list-level-position-and-space-mode="label-alignment"><style:list-level-label-alignment text:label-followed-by="listtab" text:list-tab-stop-position="${pt(indent)}" fo:text-indent="${pt(-label)}" fo:margin-left="${pt(indent)}"/></style:list-level-properties>`
      return 'bullet' in kind
        ? `<text:list-level-style-bullet text:level="${at + 1}" text:bullet-char="${xml(kind.bullet)}">${align}</text:list-level-style-bullet>`
        : `<text:list-level-style-number text:level="${at + 1}" style:num-format="${kind.number}" style:num-suffix="${kind.suffix}">${align}</text:list-level-style-number>`
    })
    return this.#blocks.styles.name('list', undefined, levels.join(''))
  }
}

function startOf(value: string | undefined): number | undefined {
  const number = Number(value ?? Number.NaN)
  return Number.isSafeInteger(number) && number >= 0 && number < 32_768 ? number : undefined
}

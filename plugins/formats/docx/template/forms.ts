/**
 * Check boxes of Word forms whose title, tag or help text contains a template tag: content controls, and the form
 * fields of older documents. Source: template language 22.7; ECMA-376-1, 17.5.2 and 17.16.5; [MS-DOCX] 2.6.1.
 */

import { entryOf } from '../../../../shared/entry-of.ts'
import { pushAll } from '../../../../shared/push-all.ts'
import { type TickSlot, tickSlot } from '../../../../shared/template/media/checkboxes.ts'
import { closeOf, isValueTag } from '../../../../shared/template/media/tokens.ts'
import type { ElementToken, TagToken, Token } from '../../../../shared/template/scan/tokens.ts'
import { attributeOf } from '../../../../shared/xml/elements.ts'

/** Binds check boxes whose tag is in their title, tag or help text. Returns the same tokens when there are none. */
export function bindCheckBoxes(tokens: readonly Token[]): readonly Token[] {
  const out: Token[] = []
  let changed = false
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token === undefined) break
    const bind = token.kind === 'open' ? entryOf(binders, token.name) : undefined
    const close = bind === undefined ? at : closeOf(tokens, at)
    const bound = bind?.(tokens.slice(at, close + 1))
    if (bound === undefined) out.push(token)
    else {
      pushAll(out, bound)
      at = close
      changed = true
    }
  }
  return changed ? out : tokens
}

const binders: Readonly<Record<string, (element: readonly Token[]) => Token[] | undefined>> = {
  'w:sdt': bindControl,
  'w:ffData': bindField,
}

const named = (token: Token | undefined, name: string): token is ElementToken =>
  token !== undefined && (token.kind === 'open' || token.kind === 'void') && token.name === name

/** The first tag in an attribute of one of these elements. */
function tagIn(element: readonly Token[], names: readonly string[]): TagToken | undefined {
  for (let at = 0; at < element.length; at += 1) {
    if (!names.some((name) => named(element[at], name))) continue
    for (let n = at + 1; element[n]?.kind === 'tag' || element[n]?.kind === 'text'; n += 1) {
      const token = element[n]
      if (token === undefined) break
      if (token.kind === 'tag' && isValueTag(token)) return token
    }
  }
  return undefined
}

/** The character that a state of a control shows. */
function stateOf(element: readonly Token[], name: string, otherwise: number): string {
  const state = element.find((token) => named(token, name)) as ElementToken | undefined
  const code = Number.parseInt(attributeOf(state?.raw ?? '', 'w14:val') ?? '', 16)
  return String.fromCodePoint(Number.isNaN(code) ? otherwise : code)
}

function bindControl(element: readonly Token[]): Token[] | undefined {
  const content = element.findIndex((token) => named(token, 'w:sdtContent'))
  const properties = element.slice(0, content < 0 ? element.length : content)
  if (!properties.some((token) => named(token, 'w14:checkbox'))) return undefined
  const tag = tagIn(properties, ['w:alias', 'w:tag'])
  if (tag === undefined) return undefined
  const slot = tickSlot(tag)
  const checked = stateOf(properties, 'w14:checkedState', 0x2612)
  const unchecked = stateOf(properties, 'w14:uncheckedState', 0x2610)
  const out: Token[] = [element[0]!, ...slot.lead]
  let isWritten = false
  let inText = false
  for (let at = 1; at < element.length; at += 1) {
    const token = element[at]
    if (token === undefined) break
    if (token === tag) continue
    if (named(token, 'w14:checked')) out.push(state(token, slot))
    else if (inText && at > content && token.kind === 'text') {
      // The box replaces the first text. If the control contains more text, no second box is written.
      const { offset } = token
      if (!isWritten)
        out.push({ kind: 'computed', offset, compute: (scope) => (slot.ticked(scope) ? checked : unchecked) })
      isWritten = true
    } else out.push(token)
    inText = named(token, 'w:t')
  }
  return out
}

const state = ({ offset }: ElementToken, slot: TickSlot): Token => ({
  kind: 'computed',
  offset,
  compute: (scope) => `<w14:checked w14:val="${slot.ticked(scope) ? 1 : 0}"/>`,
})

function bindField(element: readonly Token[]): Token[] | undefined {
  const box = element.findIndex((token) => named(token, 'w:checkBox'))
  const tag = box < 0 ? undefined : tagIn(element, ['w:name', 'w:helpText', 'w:statusText'])
  if (tag === undefined || element[box]!.kind !== 'open') return undefined
  const slot = tickSlot(tag)
  const end = closeOf(element, box)
  const { offset } = element[0]!
  const out: Token[] = [element[0]!, ...slot.lead]
  element.forEach((token, at) => {
    if (at === 0 || token === tag || (at > box && named(token, 'w:checked'))) return
    if (at === end)
      out.push({
        kind: 'computed',
        offset,
        compute: (scope) => `<w:checked w:val="${slot.ticked(scope) ? 1 : 0}"/>`,
      })
    out.push(token)
  })
  return out
}

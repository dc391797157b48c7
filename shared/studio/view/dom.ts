export type Child = Node | string | undefined | false | null

interface Props {
  readonly on?: { readonly [Type in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Type]) => void }
  readonly [attribute: string]: unknown
}

/** An element with attributes (`true`: there, without a value; `false` and `undefined`: not there), handlers and children. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  props: Props = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  const { on = {}, ...attributes } = props
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false)
      element.setAttribute(name, value === true ? '' : String(value))
  for (const [type, handler] of Object.entries(on)) element.addEventListener(type, handler as EventListener)
  fill(element, ...children)
  return element
}

/** Takes away what was in an element and puts these in. */
export function fill(element: Element, ...children: readonly Child[]): void {
  element.replaceChildren(
    ...children.filter((child): child is Node | string => child instanceof Node || !!child),
  )
}

export function show(element: HTMLElement, visible: boolean): void {
  element.hidden = !visible
}

let last = 0
/** For labels and what they stand for. Ids are apart in every shadow tree, and so are these in ours. */
export function freshId(): string {
  return `id${++last}`
}

/** A control below its name. */
export function field(label: string, control: HTMLElement, hint?: string): HTMLElement {
  const id = freshId()
  control.id = id
  if (hint !== undefined) control.setAttribute('aria-describedby', `${id}-hint`)
  return h(
    'div',
    { class: 'field' },
    h('label', { for: id }, label),
    control,
    hint !== undefined && h('small', { id: `${id}-hint` }, hint),
  )
}

/** A box to tick before its name. */
export function tick(label: string, checked: boolean, hint?: string) {
  const box = h('input', { type: 'checkbox', checked })
  const node = h(
    'label',
    { class: 'tick' },
    box,
    h('span', {}, label, hint !== undefined && h('small', {}, hint)),
  )
  return { box, node }
}

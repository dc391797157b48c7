export type DomChild = Node | string | undefined | false | null

interface Props {
  readonly on?: { readonly [Type in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Type]) => void }
  readonly [attribute: string]: unknown
}

/**
 * Creates an element with attributes (`true` sets one without a value; `false` and `undefined` omit it),
 * handlers and children.
 */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  props: Props = {},
  ...children: readonly DomChild[]
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

/** The focused elements of lists whose rows were removed, until they are added again. */
const focusedBefore = new WeakMap<Element, readonly (string | undefined)[]>()

/**
 * Replaces the rows of a list. The focus stays on the control with the same `data-key`, or moves to the
 * `data-instead` of a removed one. If that does not exist either, the focus returns when the row does, unless another
 * element has it by then.
 */
export function fillList(list: Element, ...children: readonly DomChild[]): void {
  const active = (list.getRootNode() as Document | ShadowRoot).activeElement
  const { key, instead } = active instanceof HTMLElement && list.contains(active) ? active.dataset : {}
  const keys = active === null ? focusedBefore.get(list) : [key, instead]
  fill(list, ...children)
  const target = (keys ?? [])
    .filter((name) => name !== undefined)
    .map((name) => list.querySelector<HTMLElement>(`[data-key="${CSS.escape(name)}"]`))
    .find((control) => control !== null)
  target?.focus({ preventScroll: true })
  if (target === undefined && keys !== undefined) focusedBefore.set(list, keys)
  else focusedBefore.delete(list)
}

/** Replaces the children of an element. */
export function fill(element: Element, ...children: readonly DomChild[]): void {
  element.replaceChildren(
    ...children.filter((child): child is Node | string => child instanceof Node || !!child),
  )
}

export function show(element: HTMLElement, visible: boolean): void {
  element.hidden = !visible
}

let last = 0
/**
 * Returns an id that connects a label with its control. Ids are local to a shadow tree, so those of the page
 * do not matter.
 */
export function freshId(): string {
  return `id${++last}`
}

/** A control below its label. */
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

/** A check box before its label. */
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

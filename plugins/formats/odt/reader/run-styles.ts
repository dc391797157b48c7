import type { RunProperties } from '../../../../shared/document/properties.ts'
import type { Story } from './story.ts'

interface Known {
  readonly byStyle: Map<string, RunProperties>
  readonly nested: WeakMap<RunProperties, Map<string, RunProperties>>
}

const documents = new WeakMap<object, Known>()

function knownOf(story: Story): Known {
  let known = documents.get(story.shared)
  if (known === undefined) {
    known = { byStyle: new Map(), nested: new WeakMap() }
    documents.set(story.shared, known)
  }
  return known
}

/** The run of a named text style; the same object each time, so that equal looks are resolved once. */
export function runOf(story: Story, style: string | undefined): RunProperties {
  const known = knownOf(story)
  const id = story.styles.id(story.scope, 'text', style) ?? ''
  let run = known.byStyle.get(id)
  if (run === undefined) known.byStyle.set(id, (run = id === '' ? {} : { style: id }))
  return run
}

/** The run of a text style inside another run, which keeps what the style does not say. */
export function nestedRun(story: Story, outer: RunProperties, style: string | undefined): RunProperties {
  const inner = runOf(story, style)
  if (outer.style === undefined && Object.keys(outer).length === 0) return inner
  if (inner.style === undefined) return outer
  const known = knownOf(story)
  let within = known.nested.get(outer)
  if (within === undefined) known.nested.set(outer, (within = new Map()))
  let run = within.get(inner.style)
  if (run === undefined) {
    run = over(flat(story, outer), story.styles.flatRun(inner.style))
    within.set(inner.style, run)
  }
  return run
}

function flat({ styles }: Story, { style, ...direct }: RunProperties): RunProperties {
  return style === undefined ? direct : over(styles.flatRun(style), direct)
}

function over(base: RunProperties, top: RunProperties): RunProperties {
  const fonts =
    base.fonts !== undefined && top.fonts !== undefined ? { ...base.fonts, ...top.fonts } : undefined
  return { ...base, ...top, ...(fonts !== undefined && { fonts }) }
}

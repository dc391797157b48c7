import type { RunProperties } from '../../../../shared/document/properties.ts'
import type { Story } from './story.ts'

/** Runs by style, and runs of nested spans by outer run and inner style. */
interface Known {
  readonly byStyle: Map<string, RunProperties>
  readonly nested: WeakMap<RunProperties, Map<string, RunProperties>>
}

/** Caches by document, so that equal formatting is the same object and is resolved only once. */
const documents = new WeakMap<object, Known>()

function knownOf(story: Story): Known {
  let known = documents.get(story.shared)
  if (known === undefined) {
    known = { byStyle: new Map(), nested: new WeakMap() }
    documents.set(story.shared, known)
  }
  return known
}

/** Returns the run of a text style; the same object each time. */
export function runOf(story: Story, style: string | undefined): RunProperties {
  const known = knownOf(story)
  const id = story.styles.id(story.scope, 'text', style) ?? ''
  let run = known.byStyle.get(id)
  if (run === undefined) known.byStyle.set(id, (run = id === '' ? {} : { style: id }))
  return run
}

/**
 * Returns the run of a text style inside another run: properties that the inner style does not set are kept.
 */
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

/** The properties of a run including those of its style. */
function flat({ styles }: Story, { style, ...direct }: RunProperties): RunProperties {
  return style === undefined ? direct : over(styles.flatRun(style), direct)
}

/** `top` over `base`, with font names merged by script. */
function over(base: RunProperties, top: RunProperties): RunProperties {
  const fonts =
    base.fonts !== undefined && top.fonts !== undefined ? { ...base.fonts, ...top.fonts } : undefined
  return { ...base, ...top, ...(fonts !== undefined && { fonts }) }
}

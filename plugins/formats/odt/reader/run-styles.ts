import type { RunProperties } from '../../../../shared/document/properties.ts'
import type { Story } from './story.ts'

/** What spans around a text say: named styles apart from direct formatting, which wins over them at any depth. */
interface Layers {
  readonly named: RunProperties
  readonly direct: RunProperties
}

interface Known {
  readonly byStyle: Map<string, RunProperties>
  readonly nested: WeakMap<RunProperties, Map<string, RunProperties>>
  readonly layers: WeakMap<RunProperties, Layers>
}

const documents = new WeakMap<object, Known>()

function knownOf(story: Story): Known {
  let known = documents.get(story.shared)
  if (known === undefined) {
    known = { byStyle: new Map(), nested: new WeakMap(), layers: new WeakMap() }
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
    const [around, own] = [layersOf(story, known, outer), layersOf(story, known, inner)]
    const layers: Layers = { named: over(around.named, own.named), direct: over(around.direct, own.direct) }
    run = over(layers.named, layers.direct)
    known.layers.set(run, layers)
    within.set(inner.style, run)
  }
  return run
}

function layersOf({ styles }: Story, known: Known, run: RunProperties): Layers {
  const layers = known.layers.get(run)
  if (layers !== undefined) return layers
  const { style: id, ...direct } = run
  const style = id === undefined ? undefined : styles.styles.get(id)
  let named: RunProperties = {}
  let automatic: RunProperties = {}
  for (const one of styles.chain(style).reverse()) {
    if (one.automatic) automatic = over(automatic, one.run)
    else named = over(named, one.run)
  }
  return { named, direct: over(automatic, direct) }
}

function over(base: RunProperties, top: RunProperties): RunProperties {
  const fonts =
    base.fonts !== undefined && top.fonts !== undefined ? { ...base.fonts, ...top.fonts } : undefined
  return { ...base, ...top, ...(fonts !== undefined && { fonts }) }
}

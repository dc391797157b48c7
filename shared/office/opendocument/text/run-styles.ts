import type { RunProperties } from '../../../document/properties.ts'
import type { OdfPartContext } from './part-context.ts'

/** Runs by style, and runs of nested spans by outer run and inner style. */
interface RunCache {
  readonly byStyle: Map<string, RunProperties>
  readonly nested: WeakMap<RunProperties, Map<string, RunProperties>>
}

/** Caches by document, so that equal formatting is the same object and is resolved only once. */
const documents = new WeakMap<object, RunCache>()

function cacheOf(part: OdfPartContext): RunCache {
  let cache = documents.get(part.shared)
  if (cache === undefined) {
    cache = { byStyle: new Map(), nested: new WeakMap() }
    documents.set(part.shared, cache)
  }
  return cache
}

/** Returns the run of a text style; the same object each time. */
export function runOf(part: OdfPartContext, style: string | undefined): RunProperties {
  const cache = cacheOf(part)
  const id = part.styles.id(part.scope, 'text', style) ?? ''
  let run = cache.byStyle.get(id)
  if (run === undefined) cache.byStyle.set(id, (run = id === '' ? {} : { style: id }))
  return run
}

/**
 * Returns the run of a text style inside another run: properties that the inner style does not set are kept.
 */
export function nestedRun(
  part: OdfPartContext,
  outer: RunProperties,
  style: string | undefined,
): RunProperties {
  const inner = runOf(part, style)
  if (outer.style === undefined && Object.keys(outer).length === 0) return inner
  if (inner.style === undefined) return outer
  const cache = cacheOf(part)
  let within = cache.nested.get(outer)
  if (within === undefined) cache.nested.set(outer, (within = new Map()))
  let run = within.get(inner.style)
  if (run === undefined) {
    run = over(flat(part, outer), part.styles.flatRun(inner.style))
    within.set(inner.style, run)
  }
  return run
}

/** The properties of a run including those of its style. */
function flat({ styles }: OdfPartContext, { style, ...direct }: RunProperties): RunProperties {
  return style === undefined ? direct : over(styles.flatRun(style), direct)
}

/** `top` over `base`, with font names merged by script. */
function over(base: RunProperties, top: RunProperties): RunProperties {
  const fonts =
    base.fonts !== undefined && top.fonts !== undefined ? { ...base.fonts, ...top.fonts } : undefined
  return { ...base, ...top, ...(fonts !== undefined && { fonts }) }
}

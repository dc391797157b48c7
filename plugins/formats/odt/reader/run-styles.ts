import type { RunProperties } from '../../../../shared/document/properties.ts'
import type { Story } from './story.ts'

const runs = new WeakMap<object, Map<string, RunProperties>>()

/** The run of a named text style; the same object each time, so that equal looks are resolved once. */
export function runOf(story: Story, style: string | undefined): RunProperties {
  let known = runs.get(story.shared)
  if (known === undefined) runs.set(story.shared, (known = new Map()))
  const id = story.styles.id(story.scope, 'text', style) ?? ''
  let run = known.get(id)
  if (run === undefined) known.set(id, (run = id === '' ? {} : { style: id }))
  return run
}

/** Warnings that a render gives while it writes: what depends on its data, so that compiling the template cannot know it. */
import type { Warning } from '../plugin/values.ts'
import { type RenderScope, scopeKey } from './scope.ts'

const key = scopeKey<Map<string, Warning>>('warnings of this render')

/** Reports a warning. The same text is reported once, however often the render meets it. */
export function warnOnce(scope: RenderScope, warning: Warning): void {
  scope.obtain(key, () => new Map()).set(`${warning.code} ${warning.message}`, warning)
}

/** All warnings of a render, in the order of their first report. */
export const warningsOf = (scope: RenderScope): readonly Warning[] => [...(scope.get(key)?.values() ?? [])]

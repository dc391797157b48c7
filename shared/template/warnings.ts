/** Warnings about the data of a render, which compiling the template cannot detect. */
import type { Warning } from '../plugin/values.ts'
import { type RenderScope, scopeKey } from './scope.ts'

const key = scopeKey<Map<string, Warning>>('warnings of this render')

/** Reports a warning. The same text is reported only once for each render. */
export function warnOnce(scope: RenderScope, warning: Warning): void {
  scope.obtain(key, () => new Map()).set(`${warning.code} ${warning.message}`, warning)
}

/** All warnings of a render, in the order of their first report. */
export const warningsOf = (scope: RenderScope): readonly Warning[] => [...(scope.get(key)?.values() ?? [])]

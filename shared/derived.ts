/**
 * Results that are computed from bytes which many documents contain unchanged, such as the styles of a template. They are
 * kept as long as the bytes, which `createPartCache` bounds, and each depends on nothing but those bytes and the given inputs.
 */

interface Derived {
  readonly inputs: readonly unknown[]
  readonly value: unknown
}

/** The results of each array that `keepDerived` was called for, by kind. */
const derivedResults = new WeakMap<Uint8Array, Map<string, Derived>>()

let watch: ((value: unknown) => void) | undefined

/** Calls `watcher` with each result before it is kept. Tests freeze them, so that a write to what others read is an error. */
export function watchDerived(watcher: ((value: unknown) => void) | undefined): void {
  watch = watcher
}

/** From now on, `derived` keeps its results for these bytes, which must never change. */
export function keepDerived(bytes: Uint8Array): void {
  derivedResults.set(bytes, new Map())
}

/**
 * The result of `compute` for these bytes. It is kept for the next call with the same kind and inputs, if results of these bytes
 * are kept; so the value must never change. Inputs are compared by identity, and only the last result of a kind is kept.
 */
export function derived<T>(bytes: Uint8Array, kind: string, inputs: readonly unknown[], compute: () => T): T {
  const results = derivedResults.get(bytes)
  if (results === undefined) return compute()
  const kept = results.get(kind)
  const isSame = kept?.inputs.every((input, index) => input === inputs[index]) === true
  if (isSame) return kept?.value as T // the kind names the type
  const value = compute()
  watch?.(value)
  results.set(kind, { inputs, value })
  return value
}

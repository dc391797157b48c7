/**
 * Largest and smallest of any number of values. `Math.max(...values)` passes each value as an argument of its own, and V8
 * refuses some 120,000 of them with a RangeError. As with `Math.max`, one NaN among the values makes the result NaN.
 */

/** The largest of the values; -Infinity for none. */
export function maxOf(values: Iterable<number>): number {
  let result = Number.NEGATIVE_INFINITY
  for (const value of values) result = Math.max(result, value)
  return result
}

/** The smallest of the values; Infinity for none. */
export function minOf(values: Iterable<number>): number {
  let result = Number.POSITIVE_INFINITY
  for (const value of values) result = Math.min(result, value)
  return result
}

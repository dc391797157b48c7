/**
 * The minimum and maximum of any number of values. Passing all values as arguments of one call fails above
 * some ten thousand.
 */
export const smallestOf = (values: readonly number[]): number =>
  values.reduce((all, value) => Math.min(all, value), Number.POSITIVE_INFINITY)

export const largestOf = (values: readonly number[]): number =>
  values.reduce((all, value) => Math.max(all, value), Number.NEGATIVE_INFINITY)

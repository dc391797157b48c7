/** The least and the largest of any number of values; a call with all of them as arguments takes some ten thousand. */
export const leastOf = (values: readonly number[]): number =>
  values.reduce((all, one) => Math.min(all, one), Number.POSITIVE_INFINITY)

export const mostOf = (values: readonly number[]): number =>
  values.reduce((all, one) => Math.max(all, one), Number.NEGATIVE_INFINITY)

const rightToLeft = '\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc'
const runs = new RegExp(`[${rightToLeft}](?:[${rightToLeft}\\s\\p{M}\\p{P}]*[${rightToLeft}])?`, 'gu')

/** Converts right-to-left runs of a line from visual order, in which files store them, to logical order. */
export function joinVisual(line: string): string {
  return line.replace(runs, (run) => [...run].reverse().join(''))
}

const rightToLeft = '\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc'
const runs = new RegExp(`[${rightToLeft}](?:[${rightToLeft}\\s\\p{M}\\p{P}]*[${rightToLeft}])?`, 'gu')

/** Turns the runs of right-to-left letters of a line, which files hold in the order on paper, into reading order. */
export function joinVisual(line: string): string {
  return line.replace(runs, (run) => [...run].reverse().join(''))
}

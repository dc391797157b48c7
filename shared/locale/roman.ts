const numerals = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
] as const

/**
 * A Roman numeral in upper case, with one M for each thousand; '' for numbers below 1. The callers bound the numbers, each by the
 * rules of its format.
 */
export function romanNumeral(value: number): string {
  let text = ''
  let rest = value
  for (const [amount, letters] of numerals) for (; rest >= amount; rest -= amount) text += letters
  return text
}

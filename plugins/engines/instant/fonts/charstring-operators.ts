/** Operators of Type 2 charstrings (Adobe TN 5177, appendix A), and the bytes that precede more bytes. */
export const operator = {
  hstem: 1,
  vstem: 3,
  callSubr: 10,
  return: 11,
  escape: 12, // another byte follows
  endChar: 14,
  hstemhm: 18,
  hintMask: 19,
  counterMask: 20,
  vstemhm: 23,
  shortInt: 28, // two bytes of a number follow
  callGSubr: 29,
} as const

/** Operators that declare the stems on the stack; masks declare vertical ones. */
export const stemHints: ReadonlySet<number> = new Set([
  operator.hstem,
  operator.vstem,
  operator.hstemhm,
  operator.vstemhm,
  operator.hintMask,
  operator.counterMask,
])

/** Bytes from here on begin numbers. */
export const firstNumber = 32

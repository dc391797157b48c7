/** Replaces fonts of typesetting programs by fonts of office programs that have about the same widths. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/^(?:nimbusrom|timesnewroman|times\b|tinos|txr|ptmr|ptmb)/i, 'Times New Roman'],
  [/^(?:nimbussan|helvetica\b|arial\b|phvr|phvb|cmss|sfss|lmsans|ecss)/i, 'Arial'],
  [/^(?:nimbusmon|courier|pcrr|pcrb|cmtt|sftt|lmmono|ectt|cmsltt)/i, 'Courier New'],
  [/^(?:urwpalladio|palatino|pplr|pplb|pxr|texgyrepagella)/i, 'Palatino Linotype'],
  [/^(?:urwbookman|bookman)/i, 'Bookman Old Style'],
  [/^(?:centuryschl|newcentury|c059)/i, 'Century Schoolbook'],
  [/^(?:urwgothic|avantgarde)/i, 'Century Gothic'],
  // Computer Modern and its derivatives: letters for the style and a size.
  [/^(?:cm|sf|lm|ec)(?:r|bx|b|ti|sl|bxti|csc|roman)\w*\d*/i, 'Times New Roman'],
]

/** 'NimbusRomNo9L-Regu' becomes Times New Roman. Other names are kept and split into words. */
export function fontNamed(name: string): string {
  const match = patterns.find(([like]) => like.test(name))
  if (match !== undefined) return match[1]
  return name
    .replace(/[-,]?(bold|italic|oblique|regular|roman|black|heavy|semi|demi|light|medium|mt|ps)+$/gi, '')
    .replace(/[-,].*$/, '')
    .replace(/(?:PS)?MT$/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .trim()
}

/** What browsers add to the styles of the HTML Standard when they print. Source: HTML Standard, 15.3. */
export const browserStyles = `
body { margin: 8px }
tt, code, kbd, samp, pre, listing, xmp { font-size: .8125em }
pre tt, pre code, pre kbd, pre samp, code code { font-size: inherit }
pre, listing, xmp { white-space: pre }
hr { border-top: 1px solid #9a9a9a; border-bottom: 1px solid #eeeeee; border-left: 1px solid #9a9a9a; border-right: 1px solid #eeeeee }
h1, h2, h3, h4, h5, h6 { break-after: auto }
summary { font-weight: inherit; list-style-type: none }
details:not([open]) > :not(summary) { display: none }
details > summary::before { content: "\\25b8\\20"; margin-right: .28em }
details[open] > summary::before { content: "\\25be\\20" }
table { border-spacing: 2px; border-collapse: separate }
`

const spaced = 'blockquote dir dl h1 h2 h3 h4 h5 h6 listing menu ol p pre ul xmp'.split(' ')
const each = (parent: string, place: string): string =>
  spaced.map((tag) => `${parent} > ${tag}:${place}`).join(', ')

/**
 * Pages without a document type: the usual margins vanish at the edges of the page and of cells (15.3.10), also where
 * they pass through boxes around them.
 */
export const browserQuirks = `
${['body', 'body > :first-child', 'body > :first-child > :first-child', 'td', 'th'].map((parent) => each(parent, 'first-child')).join(', ')} { margin-top: 0 }
${['td', 'th'].map((parent) => each(parent, 'last-child')).join(', ')} { margin-bottom: 0 }
`

/** The paper of generated pages. The comment distinguishes it from a rule of an author, which beats the options of a request. */
import { entryOf } from '../entry-of.ts'

const defaultPage = '@page { size: A4; margin: 2cm } /* default */'
/** Where the rule stands at the latest. */
const maxHead = 10_000

/** A generated page without declarations for what the options of a request decide (`pageOptionRules`). Other pages stay as they are. */
export function withRequestedPage(html: string, options: Readonly<Record<string, unknown>>): string {
  const isSized = options['PaperSize'] !== undefined || options['Landscape'] !== undefined
  const sides = ['Top', 'Right', 'Bottom', 'Left'].filter(
    (side) => entryOf(options, `Margin${side}`) === undefined,
  )
  const at = html.slice(0, maxHead).indexOf(defaultPage)
  if (at < 0 || (!isSized && sides.length === 4)) return html
  const declarations = [
    ...(isSized ? [] : ['size: A4']),
    ...sides.map((side) => `margin-${side.toLowerCase()}: 2cm`),
  ]
  return `${html.slice(0, at)}@page { ${declarations.join('; ')} }${html.slice(at + defaultPage.length)}`
}

/** Style sheet of generated HTML pages, for screen and print. */
export const pageStyle = `${defaultPage}
body { font: 11pt/1.5 Carlito, Calibri, "Helvetica Neue", Arial, sans-serif; color: #111827; max-width: 48em; margin: 2em auto; padding: 0 1em }
@media print { body { max-width: none; margin: 0; padding: 0 } }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 1.4em 0 .5em; break-after: avoid }
h1 { font-size: 1.9em } h2 { font-size: 1.5em } h3 { font-size: 1.25em } h4, h5, h6 { font-size: 1.05em }
body > :first-child { margin-top: 0 }
p, ul, ol, table, pre, blockquote { margin: 0 0 .8em }
li > ul, li > ol, li > p { margin: 0 }
li:has(> input), li:has(> p > input) { list-style: none }
li > input, li > p > input { margin: 0 .4em 0 -1.4em }
a { color: #0563c1 }
img { max-width: 100% }
table { border-collapse: collapse }
th, td { border: 1px solid #9ca3af; padding: .25em .6em; text-align: left; vertical-align: top }
th { background: #e5e7eb }
th[align=center], td[align=center] { text-align: center } th[align=right], td[align=right] { text-align: right }
tr, img, pre { break-inside: avoid }
code, pre { font-family: "Liberation Mono", "DejaVu Sans Mono", Consolas, monospace; font-size: .88em; background: #f3f4f6 }
code { padding: .1em .25em; border-radius: 3px }
pre { padding: .7em .9em; border: 1px solid #d1d5db; border-radius: 4px; white-space: pre-wrap }
pre code { padding: 0; background: none; font-size: 1em }
blockquote { margin-left: 0; padding-left: 1em; border-left: 3px solid #9ca3af; color: #4b5563 }
.markdown-alert { color: inherit; border-color: #0969da } .markdown-alert-title { color: #0969da }
.markdown-alert-tip { border-color: #1a7f37 } .markdown-alert-tip .markdown-alert-title { color: #1a7f37 }
.markdown-alert-important { border-color: #8250df } .markdown-alert-important .markdown-alert-title { color: #8250df }
.markdown-alert-warning { border-color: #9a6700 } .markdown-alert-warning .markdown-alert-title { color: #9a6700 }
.markdown-alert-caution { border-color: #cf222e } .markdown-alert-caution .markdown-alert-title { color: #cf222e }
hr { border: 0; border-top: 1px solid #9ca3af; margin: 1.5em 0 }
section[data-footnotes] { font-size: .9em; border-top: 1px solid #9ca3af; margin-top: 2em; padding-top: .6em }
.sr-only { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
`

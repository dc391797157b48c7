const lists = ['dir', 'dl', 'menu', 'ol', 'ul']
/** Lists in lists, which have no margins of their own. */
const nestedLists = lists.flatMap((outer) => lists.map((inner) => `${outer} ${inner}`)).join(', ')

/**
 * The user-agent stylesheet: styles of elements without any declaration. Source: HTML Standard, 15.3
 * (rendering of non-replaced elements).
 */
export const userAgentStyles = `
html, address, article, aside, blockquote, body, center, dd, details, dialog, dir, div, dl, dt, fieldset, figcaption, figure,
footer, form, h1, h2, h3, h4, h5, h6, header, hgroup, hr, legend, main, menu, nav, ol, optgroup, option, p, pre, search,
section, summary, ul { display: block }
head, script, style, template, link, meta, title, base, area, datalist, param, source, track, audio, iframe,
object, embed, dialog:not([open]), noembed, noframes, rp, [hidden] { display: none }
li { display: list-item }
table { display: table; text-indent: 0 }
caption { display: table-caption; text-align: center }
colgroup { display: table-column-group }
col { display: table-column }
thead { display: table-header-group; vertical-align: middle }
tbody { display: table-row-group; vertical-align: middle }
tfoot { display: table-footer-group; vertical-align: middle }
tr { display: table-row; vertical-align: inherit }
td, th { display: table-cell; vertical-align: inherit; padding: 1px }
th { font-weight: bold; text-align: center }
html { font-family: serif; font-size: 16px; color: #000000 }
p, dl, pre, ul, ol, dir, menu { margin-top: 1em; margin-bottom: 1em }
blockquote, figure { margin: 1em 40px }
dd { margin-inline-start: 40px }
ul, ol, dir, menu { padding-inline-start: 40px }
ul { list-style-type: disc } ol { list-style-type: decimal }
ul ul, ol ul { list-style-type: circle } ul ul ul, ul ol ul, ol ul ul, ol ol ul { list-style-type: square }
${nestedLists} { margin-top: 0; margin-bottom: 0 }
h1 { font-size: 2em; margin: .67em 0 } h2 { font-size: 1.5em; margin: .83em 0 } h3 { font-size: 1.17em; margin: 1em 0 }
h4 { margin: 1.33em 0 } h5 { font-size: .83em; margin: 1.67em 0 } h6 { font-size: .67em; margin: 2.33em 0 }
h1, h2, h3, h4, h5, h6 { font-weight: bold; break-after: avoid }
b, strong { font-weight: bolder } i, cite, em, var, dfn, address { font-style: italic }
u, ins { text-decoration: underline } s, strike, del { text-decoration: line-through }
tt, code, kbd, samp, pre, listing, xmp { font-family: monospace }
pre, listing, xmp, textarea { white-space: pre-wrap }
sub { vertical-align: sub; font-size: smaller } sup { vertical-align: super; font-size: smaller }
small { font-size: smaller } big { font-size: larger }
mark { background-color: #ffff00; color: #000000 }
a[href] { color: #0000ee; text-decoration: underline }
center { text-align: center; -block-align: center }
hr { margin: .5em auto; border-top: 1px solid #808080; color: #808080 }
fieldset { border: 1px solid #808080; padding: .35em .75em .625em; margin: 0 2px } legend { padding: 0 2px }
q::before { content: "\\201c" } q::after { content: "\\201d" }
summary { font-weight: bold }
ruby > rt::before { content: " (" } ruby > rt::after { content: ")" }
nobr, [nowrap] { white-space: nowrap }
`

/**
 * Additional rules for pages without a document type, where tables do not inherit (HTML Standard, 15.3.8).
 */
export const quirkStyles = `
table { font-weight: normal; font-style: normal; font-size: medium; line-height: normal; white-space: normal; text-align: start; -block-align: left }
`

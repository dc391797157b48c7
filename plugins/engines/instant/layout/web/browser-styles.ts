/** Rules that browsers apply in print in addition to the suggested rendering of the HTML Standard, section 15.3. */
export const browserStyles = `
html { font-size: medium; -monospace-scale: .8125 }
body { margin: 8px }
pre, listing, xmp { white-space: pre }
hr { border-top: 1px solid #9a9a9a; border-bottom: 1px solid #eeeeee; border-left: 1px solid #9a9a9a; border-right: 1px solid #eeeeee }
h1, h2, h3, h4, h5, h6 { break-after: auto }
bdo[dir] { unicode-bidi: bidi-override }
summary { font-weight: inherit }
details > summary:first-of-type { display: list-item; list-style: disclosure-closed inside }
details[open] > summary:first-of-type { list-style-type: disclosure-open }
details:not([open]) > :not(summary) { display: none }
iframe { display: inline-block; width: 300px; height: 150px; border: 2px solid; border-color: #9a9a9a #eeeeee #eeeeee #9a9a9a; overflow: hidden }
iframe[frameborder="0"], iframe[frameborder=no] { border: 0 }
table { border-spacing: 2px; border-collapse: separate }
input, select, textarea, button { display: inline-block; font: 13.3333px Arial; color: #000000; text-align: start; text-indent: 0; text-transform: none; letter-spacing: normal; word-spacing: normal; margin: 0 }
input { padding: 2px 3px; border: 1px solid #767676; border-radius: 2px; background-color: #ffffff; overflow: hidden; white-space: pre }
[type=checkbox] { margin: 3px 3px 3px 4px } [type=radio] { margin: 3px 3px 0 5px }
[type=checkbox], [type=radio] { padding: 0; border: 0; background-color: transparent; box-sizing: border-box }
[type=submit], [type=reset], [type=button], button { padding: 2px 7px; border: 1px solid #767676; border-radius: 3px; background-color: #efefef; text-align: center; box-sizing: border-box }
input[type=hidden], input[type=image], datalist { display: none }
select { padding: 1px 0 1px 4px; border: 1px solid #767676; background-color: #efefef; white-space: pre; box-sizing: border-box }
textarea { padding: 2px; border: 1px solid #767676; background-color: #ffffff; font-family: monospace; overflow: hidden }
fieldset { border: 2px solid #c0c0c0 }
fieldset > legend { margin-top: calc(-.35em - 2px); margin-bottom: .35em; width: fit-content }
`

const spaced = 'blockquote dir dl h1 h2 h3 h4 h5 h6 listing menu ol p pre ul xmp'.split(' ')
const each = (parent: string, place: string): string =>
  spaced.map((tag) => `${parent} > ${tag}:${place}`).join(', ')

/**
 * Rules for quirks mode: the default margins of the first and last elements vanish at the edges of the page and of cells
 * (HTML Standard, 15.3.10), also through enclosing boxes.
 */
export const browserQuirks = `
${['body', 'body > :first-child', 'body > :first-child > :first-child', 'td', 'th'].map((parent) => each(parent, 'first-child')).join(', ')} { margin-top: 0 }
${['td', 'th'].map((parent) => each(parent, 'last-child')).join(', ')} { margin-bottom: 0 }
td, th { -cell-height: outer }
`

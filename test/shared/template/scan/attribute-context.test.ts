import { runInNewContext } from 'node:vm'
import { fromHtml } from 'hast-util-from-html'
import { describe, expect, it } from 'vitest'
import { mergeText } from '../../../helpers/merge.ts'

/** Values in pages: what is written where, and that no value leaves its place. */

const data = {
  name: `O'Hara "<b>" & \`\${x}\``,
  n: -5,
  list: [1, 'a<b'],
  object: { a: '</script>' },
  color: '#f00',
  size: '12pt',
  font: '"Open Sans", serif',
  rule: 'p > b { color: red }',
  own: 'color:red;margin:0',
  bad: 'red;} body{background:url(//evil.example/x)}',
  js: 'javascript:alert(1)',
  scheme: 'javascript',
  page: 'data:text/html,<script>alert(1)</script>',
  html: '<b>x</b>',
  on: 'onclick=alert(1) title="t"',
  word: 'checked',
  level: '2',
  script: 'script',
  rest: ':alert(1)',
}

const written: readonly (readonly [format: string, template: string, expected: string])[] = [
  // Scripts
  [
    'html',
    `<script>let x = '{d.name}'</script>`,
    `<script>let x = 'O\\u0027Hara \\u0022\\u003cb\\u003e\\u0022 \\u0026 \\u0060\\u0024{x}\\u0060'</script>`,
  ],
  [
    'html',
    '<script>let x = {d.n}, y = {d.color}, z = f({d.missing})</script>',
    '<script>let x = -5, y = "#f00", z = f()</script>',
  ],
  [
    'html',
    '<script>let x = {d.object:printJSON}</script>',
    '<script>let x = {\n  "a": "\\u003c/script\\u003e"\n}</script>',
  ],
  [
    'html',
    "<script>let x_{d.level} = [1{d.n:ifLT(0):show(',')}2]</script>",
    '<script>let x_2 = [1,2]</script>',
  ],
  [
    'html',
    '<script>// {d.name}\nlet x = /a{d.color}/ // b</script>',
    `<script>// O\\u0027Hara \\u0022\\u003cb\\u003e\\u0022 \\u0026 \\u0060\\u0024{x}\\u0060\nlet x = /a#f00/ // b</script>`,
  ],
  [
    'html',
    '<script>x = `$' + '{f({d.color})} {d.color}`</script>',
    '<script>x = `$' + '{f("#f00")} #f00`</script>',
  ],
  ['html', '<script>x = "a</{d.word}"</script>', '<script>x = "a\\u003c/checked"</script>'],
  [
    'html',
    '<script type="application/ld+json">{"n":"{d.color}","v":{d.n}}</script>',
    '<script type="application/ld+json">{"n":"#f00","v":-5}</script>',
  ],
  [
    'html',
    '<script type="text/x-template"><i>{d.html}</i></script>',
    '<script type="text/x-template"><i>&lt;b&gt;x&lt;/b&gt;</i></script>',
  ],
  ['html', '<script>{d.html:html}</script>', '<script><b>x</b></script>'],
  [
    'html',
    `<b onclick="f('{d.name}', {d.color})">`,
    `<b onclick="f('O\\u0027Hara \\u0022\\u003cb\\u003e\\u0022 \\u0026 \\u0060\\u0024{x}\\u0060', &quot;#f00&quot;)">`,
  ],
  ['html', `<a href="javascript:f('{d.size}%', {d.n})">`, `<a href="javascript:f('12pt%', -5)">`],
  [
    'svg',
    '<svg xmlns="x"><script><![CDATA[x = "{d.html}"]]></script></svg>',
    '<svg xmlns="x"><script><![CDATA[x = "\\u003cb\\u003ex\\u003c\\/b\\u003e"]]></script></svg>',
  ],
  // Style sheets
  [
    'html',
    '<p style="color:{d.color};width:{d.level}cm;font-family:{d.font}">',
    '<p style="color:#f00;width:2cm;font-family:&quot;Open Sans&quot;, serif">',
  ],
  ['html', '<p style="{d.own}">', '<p style="color:red;margin:0">'],
  ['html', '<style>{d.rule}</style>', '<style>p > b { color: red }</style>'],
  ['html', '<style>p { color: {d.color} }</style>', '<style>p { color: #f00 }</style>'],
  [
    'html',
    '<style>p { color: {d.bad} }</style>',
    '<style>p { color: red\\3b \\7d  body\\7b background\\3a url\\28 //evil.example/x\\29 \\7d  }</style>',
  ],
  [
    'html',
    `<style>p::before { content: '{d.name}' }</style>`,
    `<style>p::before { content: 'O\\27 Hara \\22 \\3c b\\3e \\22  \\26  \`\${x}\`' }</style>`,
  ],
  [
    'html',
    '<p style="background:url({d.bad})">',
    '<p style="background:url(red;}%20body{background:url%28//evil.example/x%29})">',
  ],
  ['html', `<p style="background:url('{d.js}')">`, `<p style="background:url('')">`],
  [
    'svg',
    '<svg xmlns="x"><style>a{fill:{d.color}}</style></svg>',
    '<svg xmlns="x"><style>a{fill:#f00}</style></svg>',
  ],
  // Addresses
  ...['href', 'src', 'action', 'formaction', 'poster', 'data', 'background', 'xlink:href'].map(
    (name) => ['html', `<x ${name}="{d.js}">`, `<x ${name}="">`] as const,
  ),
  ['html', '<a href="java{d.script}{d.rest}">', '<a href="javascript#">'],
  ['html', '<a href="{d.scheme}:{d.word}">', '<a href=":checked">'],
  ['html', '<a href="{d.scheme}{d.colon}:alert(1)">', '<a href="javascript#:alert(1)">'],
  ['html', '<iframe src="{d.page}"></iframe>', '<iframe src=""></iframe>'],
  [
    'html',
    '<iframe srcdoc="{d.html}"></iframe>',
    '<iframe srcdoc="&amp;lt;b&amp;gt;x&amp;lt;/b&amp;gt;"></iframe>',
  ],
  ['html', '<iframe srcdoc="{d.html:html}"></iframe>', '<iframe srcdoc="&lt;b&gt;x&lt;/b&gt;"></iframe>'],
  [
    'svg',
    '<svg xmlns="x"><set attributeName="href" to="{d.js}"/></svg>',
    '<svg xmlns="x"><set attributeName="href" to=""/></svg>',
  ],
  // Attributes without quotes, names and whole attributes
  ['html', `<p title={d.name}>`, `<p title="O&#39;Hara &quot;&lt;b&gt;&quot; &amp; \`\${x}\`">`],
  ['html', `<p title=it's{d.color} {d.word}>`, `<p title="it's#f00" checked>`],
  ['html', `<p title=it's {d.word}>`, `<p title=it's checked>`],
  ['html', '<b {d.on}>', '<b  title="t">'],
  ['html', '<b x-{d.on}="1">', '<b x-data-onclickalert1titlet="1">'],
  ['html', '<h{d.level} {d.word}>a', '<h2 checked>a'],
  ['html', "<input{d.word:prepend(' ')}>", '<input checked>'],
  [
    'html',
    '<a title = "a > {d.name}">',
    `<a title = "a > O&#39;Hara &quot;&lt;b&gt;&quot; &amp; \`\${x}\`">`,
  ],
  ['html', '<!--{d.end}-->', '<!--&gt;x-->'],
  // Markdown
  [
    'md',
    'a <a href="{d.js}" title="{d.html}">b</a> {d.html}',
    'a <a href="" title="&lt;b&gt;x&lt;/b&gt;">b</a> <b>x</b>',
  ],
  ['md', 'a <b onclick="f({d.color})">', 'a <b onclick="f(&quot;#f00&quot;)">'],
  [
    'md',
    '<script>\nx = "{d.html}"\n\ny = {d.color}\n</script>\n\n{d.color}',
    '<script>\nx = "\\u003cb\\u003ex\\u003c\\/b\\u003e"\n\ny = "#f00"\n</script>\n\n#f00',
  ],
  [
    'md',
    'if a <b then {d.name}, `<b title="{d.html}">`',
    `if a <b then O'Hara "<b>" & \`\${x}\`, \`<b title="<b>x</b>">\``,
  ],
  ['md', '<div><img src="{d.html}"></div>', '<div><img src="%3Cb%3Ex%3C/b%3E"></div>'],
]

it.each(written)('%s %s', async (format, template, expected) => {
  expect(await mergeText(template, { ...data, end: '>x' }, { format })).toBe(expected)
})

/** Values that leave many places where they are written as they are. */
const hostile = [
  `"><img src=x onerror=alert(1)>`,
  `'><svg onload=alert(1)>`,
  `</script><script>alert(1)</script>`,
  `</style><script>alert(1)</script>`,
  `</textarea></title><script>alert(1)</script>`,
  `";alert(1);//`,
  `';alert(1);//`,
  '`;alert(1);//',
  `$\{alert(1)}`,
  `\\";alert(1);//`,
  `\\`,
  `*/alert(1)/*`,
  `\nalert(1)//`,
  `\u2028alert(1)//`,
  `alert(1)`,
  `);alert(1);(`,
  `javascript:alert(1)`,
  ` java\tscript:alert(1)`,
  `x onmouseover=alert(1) y`,
  ` onmouseover=alert(1) `,
  `onload`,
  `script`,
  `-->x<script>alert(1)</script>`,
  `><script>alert(1)</script>`,
  `red;}*{background:url(x)}`,
  `url(x)`,
  `/*`,
  `&#39;);alert(1);(&#39;`,
  `%27);alert(1);(%27`,
  `data:text/html,<script>alert(1)</script>`,
  `/script x`,
  `<!--<script>`,
]
const places = [
  '<p>{d.v}</p>',
  '<p title="{d.v}">x</p>',
  "<p title='{d.v}'>x</p>",
  '<p title={d.v}>x</p>',
  '<p title = "a>{d.v}">x</p>',
  '<p {d.v}>x</p>',
  '<p data-{d.v}="1">x</p>',
  '<p {d.v}="alert(1)">x</p>',
  '<h{d.v}>x</h1>',
  '<textarea>{d.v}</textarea><title>{d.v}</title>',
  '<!-- {d.v} --><!--{d.v}--><!---{d.v}-->',
  '<a href="{d.v}">x</a><form action={d.v}></form>',
  '<iframe src="{d.v}" srcdoc="<p>{d.v}</p>"></iframe>',
  `<b onclick="use('{d.v}')" onload='use("{d.v}")' onerror=use({d.v})>x</b>`,
  `<a href="javascript:use('{d.v}')">x</a>`,
  '<script>use("{d.v}")</script>',
  "<script>use('{d.v}')</script>",
  '<script>use(`{d.v}`)</script>',
  '<script>use({d.v})</script>',
  '<script>use({d.v});let a_{d.v} = 1</script>',
  '<script>// {d.v}\nuse(/* {d.v} */ 1)</script>',
  '<script>use(/[/{d.v}]/)</script>',
  '<script>use("<{d.v}")</script>',
  '<script>use("</{d.v}")</script>',
  '<style>p{color:{d.v}}</style>',
  '<style>p{content:"{d.v}"}</style>',
  '<style>p{background:url({d.v})}</style>',
  '<style>/* {d.v} */{d.v}</style>',
  '<p style="color:{d.v}">x</p>',
]

interface Node {
  readonly type: string
  readonly tagName?: string
  readonly value?: string
  readonly properties?: Readonly<Record<string, unknown>>
  readonly children?: readonly Node[]
}

const addresses = new Set(['href', 'src', 'action', 'formAction', 'data'])

/** All scripts of a page, as a browser would read them. */
function* scriptsOf(node: Node): Generator<string> {
  if (node.tagName === 'script') yield (node.children ?? []).map(({ value }) => value ?? '').join('')
  for (const [name, value] of Object.entries(node.properties ?? {})) {
    const text = String(value)
    const plain = text.replace(/[\u0000-\u0020]/g, '')
    if (/^on/i.test(name)) yield text
    else if (name === 'srcDoc') yield* scriptsOf(fromHtml(text, { fragment: true }) as Node)
    else if (!addresses.has(name)) continue
    else if (/^javascript:/i.test(plain)) yield decodeURIComponent(text.slice(text.indexOf(':') + 1))
    else if (/^data:text\/html/i.test(plain)) yield 'alert(1)'
  }
  for (const child of node.children ?? []) yield* scriptsOf(child)
}

describe.each(places)('%s', (template) => {
  it.each(hostile)('keeps %j', async (value) => {
    const text = await mergeText(template, { v: value }, { format: 'html' })
    let alerts = 0
    for (const script of scriptsOf(fromHtml(text, { fragment: true }) as Node)) {
      try {
        runInNewContext(script, { use: () => undefined, alert: () => (alerts += 1) }, { timeout: 1000 })
      } catch {
        // A script that cannot be read runs nothing.
      }
    }
    expect(alerts, text).toBe(0)
  })
})

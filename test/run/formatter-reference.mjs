/**
 * Makes shared/template/formatters/REFERENCE.md from the doc comments and the parameters of the formatters.
 * `npm run generate` writes it.
 */
import { formatters } from '../../shared/template/formatters/registry.ts'
import { formatterRows } from '../cases/language/formatters.ts'
import { readFormatterDocs } from '../helpers/formatter-docs.ts'

/** Families in the order of reading: file -> title, and what is to be known before. */
const families = {
  text: ['Text'],
  number: ['Numbers'],
  currency: ['Money'],
  date: [
    'Dates',
    `Dates are read as ISO 8601 (\`2023-03-05\`, \`20230305\`, \`2023-03-05T22:30:15Z\`, with \`+03:00\`, with a blank for the
\`T\`) or as a pattern says. A date without a time is the same day in every zone. Patterns with blanks stand in quotes.

| tokens | give |
|---|---|
| \`YY\` \`YYYY\` | year |
| \`M\` \`MM\` \`MMM\` \`MMMM\` \`Q\` | month, quarter |
| \`D\` \`DD\` \`Do\` \`d\` \`dd\` \`ddd\` \`dddd\` | day of the month, day of the week |
| \`w\` \`ww\` \`wo\` \`gggg\`; \`W\` \`WW\` \`GGGG\` | week and its year: of the language; of ISO 8601 |
| \`H\` \`HH\` \`h\` \`hh\` \`k\` \`kk\` \`m\` \`mm\` \`s\` \`ss\` \`SSS\` \`A\` \`a\` | time |
| \`Z\` \`ZZ\` \`z\` \`X\` \`x\` | offset, zone, seconds and milliseconds since 1970 |
| \`L\` \`LL\` \`LLL\` \`LLLL\` \`LT\` \`LTS\` \`l\` \`ll\` \`lll\` \`llll\` | as the language writes them |
| \`[text]\` | the text itself |

Units: millisecond (ms), second (s), minute (m), hour (h), day (d), week (w), month (M), quarter (Q), year (y), also in
the plural.`,
  ],
  interval: ['Spans of time'],
  lookup: ['Enumerations, translations, countries'],
  array: ['Lists as text'],
  aggregate: [
    'Aggregates',
    `They read a whole list. \`{d.list[].price:aggSum}\` visits all items, \`{d.list[price>10].price:aggSum}\` those that
pass. In a loop, \`{d.list[i].price:aggSum}\` is over all its items and \`{d.group[i].list[].price:aggSum}\` over those of
the current group. Formatters before an aggregate work on each item, those after it on the result.`,
  ],
  condition: [
    'Conditions',
    `A test leaves the value as it is; \`show\`, \`elseShow\`, \`showBegin\`, \`hideBegin\`, \`drop\` and \`keep\` act on what the
tests before them came to. Without a test the truth of the value decides.`,
  ],
  structure: ['Parts of the document, stored values'],
  rich: ['Pictures, colours, links, places'],
  html: ['HTML'],
  barcode: ['Barcodes'],
  chart: ['Charts'],
  files: ['Files joined and embedded'],
  sign: ['Signatures'],
  'pdf-form': ['PDF forms'],
  svg: ['SVG'],
}

export function page() {
  const docs = readFormatterDocs()
  const members = (family) => [...formatters.values()].filter(({ name }) => docs.get(name)?.family === family)
  const known = Object.keys(families)
  const strays = [...formatters.keys()].filter((name) => !known.includes(docs.get(name)?.family))
  if (strays.length > 0) throw new Error(`No family in the page: ${strays.join(', ')}`)
  const contents = known.map(
    (family) =>
      `- ${families[family][0]}: ${members(family)
        .map(({ name }) => `[${name}](#${name.toLowerCase()})`)
        .join(' · ')}`,
  )
  const sections = known.map((family) => {
    const [title, before] = families[family]
    const own = members(family).map((formatter) => section(formatter, docs.get(formatter.name)))
    return [`## ${title}`, ...(before === undefined ? [] : [before]), ...own].join('\n\n')
  })
  return `# Formatters

\`{d.name:upperCase:append('!')}\`: formatters follow a colon and work from left to right, each on what the one
before it gave. Their names are case-sensitive. Arguments in parentheses are

- text: \`prepend(Mr)\`; with blanks, commas or brackets in straight quotes: \`prepend('Mr. ')\`, a quote in it twice;
- properties: \`.x\` beside the value, \`..x\` of the parent, \`d.x\` and \`c.x\` from the root, \`.i\` the index of the loop,
  \`..clients[id=.clientId].name\` of another list;
- for \`add\`, \`sub\`, \`mul\` and \`div\` also sums: \`mul(.quantity * 2 - 1)\`.

A value that a formatter is not for flows on unchanged, nothing (null, a missing property) stays nothing.

Written from the doc comments by \`npm run generate\`; every example runs as a test. The data of an example
is the value of \`d.v\`, or the complete data when it is an object with a key \`v\` or a list is named. Unless stated otherwise
the language is \`en-us\` and the time zone \`UTC\`.

${contents.join('\n')}

${sections.join('\n\n')}
`
}

function section({ name, kind, parameters }, { says, examples }) {
  const call = parameters.map(
    ({ name, optional, rest }) => `${rest ? '...' : ''}${name}${optional && !rest ? '?' : ''}`,
  )
  const lines = [
    `### ${name}`,
    '',
    `\`:${name}${call.length > 0 ? `(${call.join(', ')})` : ''}\` (${kinds[kind]})`,
    '',
    says,
  ]
  if (parameters.length > 0) {
    lines.push('', ...parameters.map((parameter) => `- \`${parameter.name}\`: ${parameter.description}`))
  }
  const rows = examples.length > 0 ? examples.map(row) : caseRows(name)
  if (rows.length > 0) lines.push('', '| data | tags | result | options |', '|---|---|---|---|', ...rows)
  return lines.join('\n')
}

/** Of formatters that need a document around them, examples are cases of the tests. */
function caseRows(name) {
  return (formatterRows[name] ?? [])
    .filter(
      ([, data, result, options]) =>
        typeof result === 'string' && !result.startsWith('!') && isShort(data) && !options?.timezone,
    )
    .slice(0, 4)
    .map(([template, data, result]) => {
      const shown = Object.keys(data).join() === 'v' ? JSON.stringify(data.v) : JSON.stringify(data)
      return row({ shown, template: template.replaceAll('&gt;', '>'), result, options: {} })
    })
}

const isShort = (data) => typeof data === 'object' && data !== null && JSON.stringify(data).length < 160

const kinds = {
  value: 'gives a value',
  test: 'tests the value',
  condition: 'condition',
  aggregate: 'reads a whole array',
  structure: 'changes the document around the tag',
}

function row({ shown, template, result, options }) {
  const given = Object.entries(options).map(
    ([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`,
  )
  const printed = result.startsWith('!') ? `error ${result.slice(1)}` : result
  return `| ${[shown, template, printed, given.join(' ')].map(cell).join(' | ')} |`
}

const cell = (text) => (text === '' ? '' : `\`${text.replaceAll('|', '\\|').replaceAll('\n', '↵')}\``)

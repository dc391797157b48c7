/**
 * Writes shared/template/formatters/REFERENCE.md from the doc comments and the parameters of the formatters.
 *
 *     node test/run/formatter-reference.mjs           writes the page
 *     import { page } from './formatter-reference.mjs'   gives its text, for the test that it is current
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { formatters } from '../../shared/template/formatters/registry.ts'
import { formattersFolder, readFormatterDocs } from '../helpers/formatter-docs.ts'

export function page() {
  const docs = readFormatterDocs()
  const sections = [...formatters.values()].map((formatter) => section(formatter, docs.get(formatter.name)))
  return `# Formatters

Written from the doc comments by test/run/formatter-reference.mjs; every example runs as a test. The data of an example
is the value of \`d.v\`, or the whole data where it is an object with a key \`v\`. Unless told otherwise the language is
\`en-us\` and the time zone \`UTC\`.

${[...formatters.keys()].map((name) => `[${name}](#${name.toLowerCase()})`).join(' · ')}

${sections.join('\n\n')}
`
}

function section({ name, kind, parameters }, { says, examples }) {
  const call = parameters.map(
    ({ name, optional, rest }) => `${rest ? '...' : ''}${name}${optional && !rest ? '?' : ''}`,
  )
  const lines = [
    `## ${name}`,
    '',
    `\`:${name}${call.length > 0 ? `(${call.join(', ')})` : ''}\` (${kinds[kind]})`,
    '',
    says,
  ]
  if (parameters.length > 0) {
    lines.push('', ...parameters.map((parameter) => `- \`${parameter.name}\`: ${parameter.says}`))
  }
  if (examples.length > 0) {
    lines.push('', '| data | tags | result | options |', '|---|---|---|---|', ...examples.map(row))
  }
  return lines.join('\n')
}

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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('REFERENCE.md', formattersFolder), page())
}

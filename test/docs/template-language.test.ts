import { describe, expect, it } from 'vitest'
import { documentText } from '../helpers/document-text.ts'
import { docxOf, paragraph, row, table } from '../helpers/docx.ts'
import { readPage, rowsOf, textOf } from '../helpers/markdown-pages.ts'
import { failure, mergeBytes, mergeText } from '../helpers/merge.ts'
import { readCells, xlsxOf } from '../helpers/xlsx.ts'

/** Every example of docs/template-language.md is rendered: tables with the columns template, data, result. */

const page = readPage('docs/template-language.md')
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

interface Example {
  readonly template: string
  readonly data: unknown
  readonly result: string
  readonly options: Readonly<Record<string, unknown>>
}

/** The examples by section. An empty data cell repeats the data of the row above. */
function examples(): ReadonlyMap<string, readonly Example[]> {
  const found = new Map<string, Example[]>()
  let section = ''
  for (const node of page.tree.children) {
    if (node.type === 'heading') section = textOf(node)
    if (node.type !== 'table') continue
    const [head = [], ...rows] = rowsOf(node)
    if (head.slice(0, 3).join() !== 'template,data,result') continue
    let data: unknown
    for (const [template = '', given = '', result = '', options = ''] of rows) {
      if (given !== '') data = JSON.parse(given)
      const example = { template, data, result, options: options === '' ? {} : JSON.parse(options) }
      found.set(section, [...(found.get(section) ?? []), example])
    }
  }
  return found
}

/** A line is a paragraph; lines with `;` are rows of a table. */
function wordBody(lines: readonly string[]): string {
  let body = ''
  let rows: string[] = []
  const endTable = () => {
    if (rows.length > 0) body += table(...rows) + paragraph('')
    rows = []
  }
  for (const line of lines.map(escaped)) {
    if (line.includes(';') && !line.includes('&')) rows.push(row(...line.split(';')))
    else {
      endTable()
      body += paragraph(line)
    }
  }
  endTable()
  return body
}

const sheetOf = (lines: readonly string[]) =>
  xlsxOf({
    sheets: [
      {
        name: 'Sheet1',
        cells: Object.fromEntries(
          lines.flatMap((line, index) =>
            line
              .split(';')
              .map((text, column) => [`${String.fromCharCode(65 + column)}${index + 1}`, text] as const)
              .filter(([, text]) => text !== ''),
          ),
        ),
      },
    ],
  })

async function rendered({
  template,
  data,
  options: { format, complement, ...options },
}: Example): Promise<string> {
  const lines = template.split('↵')
  const terms = {
    timezone: 'UTC',
    ...options,
    ...(complement === undefined ? {} : { complement: { value: complement } }),
  }
  if (format !== 'docx' && format !== 'xlsx') {
    const text = lines.join('\n') + (lines.length > 1 ? '\n' : '')
    const kind = String(format ?? (template.startsWith('<') ? 'xml' : 'txt'))
    return (await mergeText(text, data, { format: kind, ...terms })).replaceAll('\n', '↵')
  }
  const bytes = format === 'docx' ? await docxOf(wordBody(lines)) : await sheetOf(lines)
  const { value } = await mergeBytes(bytes, format, data, terms)
  const made = new Uint8Array(await value.document.arrayBuffer())
  if (format === 'docx')
    return (await documentText(made)).trimEnd().replaceAll(' | ', ';').replaceAll('\n', '↵')
  return Object.entries(await readCells(made))
    .map(([address, cell]) => `${address}=${cell.replace(/^'(.*)'$/, '$1')}`)
    .join('↵')
}

describe.each([...examples()])('%s', (_section, list) => {
  it.each(list.map((example) => [example.template, example] as const))('%s', async (_name, example) => {
    const { result, options } = example
    const code = /^error (\S+)$/.exec(result)?.[1]
    if (code !== undefined) {
      const error = await failure(rendered(example))
      expect(error.problems[0]?.code ?? error.code).toBe(code)
      return
    }
    const trimmed = options['format'] === 'docx' ? result.replace(/[; ]+(?=↵|$)/g, '') : result
    expect(await rendered(example)).toBe(trimmed)
  })
})

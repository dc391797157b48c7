/**
 * Counts the regular expressions on markup in what reads and edits packages, file by file, and compares with
 * `markup-patterns.json`. XML is edited at positions or as a tree (shared/xml); a pattern sees `>` in a value, an element
 * in two tags or another order of attributes only when its author thought of it. The list says what remains; a number
 * in it may only fall.
 *
 *   node test/run/markup-patterns.mjs            fails where a file has more patterns than the list says
 *   node test/run/markup-patterns.mjs --write    writes the list anew; look at what it says before you commit it
 *   node test/run/markup-patterns.mjs --show     prints the patterns
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('../..', import.meta.url))
const listPath = join(root, 'test/run/markup-patterns.json')
const folders = [
  'shared/document',
  'shared/flow',
  'shared/office',
  'shared/template',
  'shared/xml',
  ...['docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'odg'].map((format) => `plugins/formats/${format}`),
]

/**
 * Patterns that look like markup and are not: file, a part of the pattern that no other one in the file has, and what it
 * matches. An entry that matches nothing is an error.
 */
const notMarkup = [
  ['plugins/formats/docx/reader/chunk-text.ts', 'boundary=', 'a parameter in the header of a MIME message'],
  ['plugins/formats/docx/reader/chunk-text.ts', 'charset=', 'a parameter in the header of a MIME message'],
  [
    'shared/template/media/web.ts',
    '\\[[^\\]\\n]*\\]',
    'a picture of Markdown, whose address may be in angle brackets',
  ],
  ['shared/template/media/web.ts', '/\\]', 'a link of Markdown, whose address may be in angle brackets'],
  [
    'shared/office/incoming/office-xml.ts',
    'nstrText',
    'words without which no element of a part can load anything: it only decides whether a part is read at all',
  ],
  [
    'shared/office/incoming/office-xml.ts',
    'formulaElement}(',
    'the same for formulas; both may match too much and must not match too little',
  ],
  [
    'shared/template/emit/escape-names.ts',
    '`]+))?/y',
    'attributes in a value of the data, with and without quotes',
  ],
  ['shared/template/scan/code.ts', 'stype', 'the type of a script in HTML, with and without quotes'],
  [
    'shared/template/scan/markdown.ts',
    'script|pre|style|textarea',
    'a line of Markdown that begins a block of HTML',
  ],
  ['shared/template/scan/markdown.ts', 'code}\\\\s', 'a line of Markdown that ends a block of HTML'],
  [
    'shared/template/scan/attribute-context.ts',
    '[a-z][^\\s',
    'an opening tag of HTML that breaks off at the place of a template tag',
  ],
  [
    'shared/template/scan/tags.ts',
    '[\\w-]*$',
    'a less-than sign of a script that the value of a tag would continue',
  ],
  ['shared/template/scan/tags.ts', '\\/?$', 'the beginning of an element whose name is a tag'],
]

/** A tag, or an attribute with its value, in the source of a pattern. */
function matchesMarkup(source) {
  const outside = source
    .replace(/\\[\\[\]]/g, '__')
    // Classes: [^<>] stops at markup and matches none; ["'] is the quote of a value.
    .replace(/\[(?:\\.|[^\]\\])*\]/g, (set) => (/^\[[^^]*["']/.test(set) ? '"' : '#'))
    .replace(/\(\?(?:<?[=!]|:|<\w+>)/g, '(') // (?=" looks ahead to a quote: it is no attribute
  return /<(?:\\?\/|[A-Za-z(${\\?!#])/.test(outside) || /=(?:\\+s[*+?])?\\?\(?["']/.test(outside)
}

const unusedExemptions = new Set(notMarkup)
function isExempt(name, text) {
  const exemption = notMarkup.find(([file, part]) => file === name && text.includes(part))
  unusedExemptions.delete(exemption)
  return exemption !== undefined
}

function patternsIn(path) {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const found = []
  const visit = (node) => {
    const text = ts.isRegularExpressionLiteral(node)
      ? node.text
      : ts.isNewExpression(node) && node.expression.getText() === 'RegExp'
        ? (node.arguments?.[0]?.getText() ?? '')
        : ''
    if (text !== '' && matchesMarkup(text) && !isExempt(relative(root, path), text)) {
      found.push({ line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1, text })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

const files = folders
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => join(root, folder, String(name))),
  )
  .filter((name) => name.endsWith('.ts'))
  .sort()
const counts = {}
for (const path of files) {
  const found = patternsIn(path)
  if (found.length === 0) continue
  const name = relative(root, path)
  counts[name] = found.length
  if (process.argv.includes('--show'))
    for (const { line, text } of found) console.log(`${name}:${line}: ${text.slice(0, 140)}`)
}

if (process.argv.includes('--write')) {
  writeFileSync(listPath, `${JSON.stringify(counts, undefined, 2)}\n`)
} else {
  const known = JSON.parse(readFileSync(listPath, 'utf8'))
  const wrong = [...new Set([...Object.keys(known), ...Object.keys(counts)])].flatMap((name) => {
    const now = counts[name] ?? 0
    const before = known[name] ?? 0
    if (now > before)
      return `${name} matches markup with ${now} regular expressions, ${before} are known. Use shared/xml (elements.ts, tree.ts) instead.`
    if (now < before) console.log(`${name} has ${now} of ${before} known patterns left: --write keeps it so.`)
    return []
  })
  for (const [file, part] of unusedExemptions) wrong.push(`${file} has no pattern with ${part} any more.`)
  for (const line of wrong) console.error(line)
  process.exitCode = wrong.length === 0 ? 0 : 1
}

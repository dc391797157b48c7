/**
 * Words and constructions that may not come back, with what to write instead. docs/glossary.md has the reasons.
 *
 *   node test/run/words.mjs [path ...]     checks these files and folders instead of all
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

export const folders = ['client/src', 'edge', 'origin', 'plugins', 'shared', 'docs', 'README.md']

/**
 * Each is matched against single lines. `code`: only in source files, since in prose the word may be an English one.
 * `except`: folders whose standard has the word for something else.
 */
export const words = [
  // Pages are not compiled, so nothing else notices a conflict that somebody left in one.
  {
    find: /^(?:<{7}|\|{7}|={7}|>{7})(?: |$)/,
    write: 'the resolved text: a conflict of a merge was committed',
  },
  { find: /\b(?:most[A-Z]\w*|\w+AtMost)\b/, write: 'max…, for instance maxRows' },
  { find: /\b(?:longest|deepest|farthest)[A-Z]\w*\b/, write: 'max…' },
  { find: /\b(?:[Tt]wins?|\w+Twins?)\b/, write: 'fallback image' },
  { find: /\b(?:told|tells?|telling)\b/, write: 'report, reported, warning' },
  // `nobody` in code quotes is the user of Unix systems.
  { find: /(?<!`)\b(?:[Nn]obody|[Ww]hoever)\b/, write: 'the caller, the request, or the passive voice' },
  { find: /\b[Ww]ish(?:es|ed)?\b/, write: 'request option' },
  { find: /(?<![.-])\bleft-?[oO]ut\b/, write: 'unsupported, omitted' },
  { find: /\b(?:learn|learns|learnt)\b/, write: 'infer, inferred' },
  // In quotes, 'stretch' is a value of ODF and of the document model; <a:stretch> is an element of DrawingML.
  { find: /(?<!['":])\b(?:stretch|stretches)\b(?!['":])/, write: 'static segment, interval, run' },
  { find: /\b(?:sealed|unsealed)\b/, write: 'encrypted, decrypted' },
  { find: /\binspiteOf\b/, write: 'force' },
  { find: /\bkids?\b/, write: 'child, children', code: true },
  { find: /\b(?:lent|lender)\b/, write: 'prepended; fallback', code: true, except: /^shared\// },
  { find: /\blying\b/, write: 'horizontal', code: true },
  { find: /\b(?:grounds?|backgrounded)\b/, write: 'background, fill', code: true },
  {
    find: /\b(?:story|stories)\b/,
    write: 'body, part',
    code: true,
    except: /^plugins\/(?:engines|formats)\/idml\//,
  },
  // 'band-1-horizontal' and the like are conditional formats of tables (ECMA-376-1 17.18.89).
  { find: /\b(?:band|bands)\b(?!-\d)/, write: 'header/footer', code: true },
  { find: /\b(?:rooms?|roomy)\b/, write: 'available width, interval', code: true },
  { find: /\b(?:shelf|shelves)\b/, write: 'cache', code: true },
  { find: /(?<!text-combine-)\bupright\b/, write: 'EXIF orientation applied', code: true },
  { find: /\bin turn\b|\btheir turn\b|\bits turn\b/, write: 'in order; slot', code: true },
  { find: /\b(?:hand|hands|handed) over\b/, write: 'return, pass, deliver', code: true },
  // A local name says what it holds, not that something was found or wanted.
  {
    find: /\b(?:const|let) (?:found|given|own|plain|said|usual|whole|looks?|place|taken|wanted|around|bare|far|near)\b/,
    write: 'what the value is: match, resolved, declaredWidth, defaultLabels',
    code: true,
  },
  {
    find: /\(one(?=[,):])|\b(?:const|let) (?:one|ones)\b/,
    write: 'what the value is: the singular of its list',
    code: true,
  },
  {
    find: /\b(?:const|let) (?:about|how|known|late|maybe|mine|most|says|such|what|which|why)\b/,
    write: 'what the value is: the singular of its list, description, reason, timeout, supported',
    code: true,
    except: /^plugins\/(?:engines\/instant|formats\/\w+\/(?:reader|slides))\//,
  },
]

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const paths = process.argv.length > 2 ? process.argv.slice(2) : folders
  const found = filesBelow(paths).flatMap(findIn)
  for (const { file, line, word, write } of found) console.log(`${file}:${line}: "${word}": write ${write}`)
  process.exit(found.length === 0 ? 0 : 1)
}

function filesBelow(paths) {
  return paths
    .flatMap((path) =>
      statSync(`${root}${path}`).isDirectory()
        ? readdirSync(`${root}${path}`, { recursive: true }).map((name) => `${path}/${name}`)
        : [path],
    )
    .filter((file) => /\.(?:ts|mjs|md)$/.test(file) && !file.includes('node_modules'))
}

/** Skips the tables of the glossary, which name the words, and the names of test cases behind `@case`. */
function findIn(file) {
  const isProse = file.endsWith('.md')
  const lines = readFileSync(`${root}${file}`, 'utf8').split('\n')
  return lines.flatMap((text, index) => {
    if ((file === 'docs/glossary.md' && text.startsWith('|')) || text.includes('* @case ')) return []
    return words
      .filter(({ code, except }) => !(code && isProse) && !except?.test(file))
      .flatMap(({ find, write }) => {
        const [word] = find.exec(text) ?? []
        return word === undefined ? [] : [{ file, line: index + 1, word, write }]
      })
  })
}

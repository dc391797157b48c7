/** Documents of the fixtures, bent so that programs that read them may stumble. Seeded: the same in every run. */
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { damaged, oneOf, type Random, randomNumbers } from './random-json.ts'

export interface FuzzedFile {
  readonly what: string // how it was made
  readonly bytes: Uint8Array
  readonly to: string
  readonly engine: string | undefined // its letter; undefined: none is asked for
  /** Whether it can be a template. Files of other formats are converted only, and refused with data. */
  readonly merges: boolean
}

const fixtures = new URL('../fixtures', import.meta.url).pathname
const maxBytes = 400_000

/** What is asked of documents by their extension: formats, and letters of engines that make them. */
const outputs: Readonly<Record<string, readonly (readonly [to: string, engine?: string])[]>> = {
  docx: [['pdf', 'I'], ['pdf', 'L'], ['pdf', 'O'], ['pdf'], ['md'], ['odt'], ['latex'], ['idml']],
  odt: [['pdf', 'I'], ['pdf', 'L'], ['txt'], ['docx'], ['html']],
  fodt: [['pdf', 'L'], ['md']],
  xlsx: [['pdf', 'I'], ['pdf', 'L'], ['pdf', 'O'], ['csv'], ['parquet'], ['ods']],
  ods: [['pdf', 'L'], ['csv'], ['xlsx']],
  pptx: [['pdf', 'L'], ['pdf', 'O'], ['md'], ['png']],
  odp: [['pdf', 'L'], ['txt']],
  html: [['pdf', 'C'], ['docx'], ['md'], ['png', 'C']],
  md: [['pdf', 'C'], ['pdf', 'I'], ['docx'], ['epub']],
  svg: [
    ['png', 'C'],
    ['pdf', 'C'],
  ],
  pdf: [['png'], ['txt'], ['docx'], ['md'], ['pdf']],
  doc: [
    ['pdf', 'L'],
    ['txt', 'L'],
  ],
  xls: [['pdf', 'L'], ['csv'], ['xlsx']],
  ppt: [['pdf', 'L'], ['pdf', 'I'], ['md'], ['pptx'], ['png']],
  png: [['jpg'], ['pdf']],
  webp: [['png'], ['pdf']],
  bmp: [['png']],
  gif: [['png']],
}

const convertedOnly: ReadonlySet<string> = new Set('pdf doc xls ppt png webp bmp gif'.split(' '))

/** `folders`: where more documents are, beside those of the fixtures. */
export function* fuzzedFiles(
  count: number,
  seed: number,
  folders: readonly string[] = [],
): Generator<FuzzedFile> {
  const random = randomNumbers(seed)
  const sources = sourcesByExtension([fixtures, ...folders])
  const extensions = Object.keys(outputs).filter((extension) => sources.has(extension))
  for (let at = 0; at < count; at++) {
    // The kinds alternate, so that a few files reach all engines.
    const extension = extensions[at % extensions.length]!
    const path = oneOf(random, sources.get(extension)!)
    const { bytes, how } = bent(random, new Uint8Array(readFileSync(path)), extension)
    const [to, engine] = oneOf(random, outputs[extension]!)
    yield {
      what: `file ${at}: ${path.replace(`${fixtures}/`, '')}, ${how}, to ${to}${engine === undefined ? '' : ` by ${engine}`}`,
      bytes,
      to,
      engine,
      merges: !convertedOnly.has(extension),
    }
  }
}

function sourcesByExtension(folders: readonly string[]): Map<string, string[]> {
  const files = folders
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).length < maxBytes)
    .sort()
  return Map.groupBy(files, (path) => extname(path).slice(1))
}

function bent(random: Random, bytes: Uint8Array, extension: string): { bytes: Uint8Array; how: string } {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && random(5) > 0) {
    const parts = partsOf(bytes)
    const names = Object.keys(parts).filter((name) => /\.(xml|rels)$/.test(name))
    if (names.length > 0) {
      const name = oneOf(random, names)
      const [how, change] = oneOf(random, markupChanges)
      const changed = strToU8(change(random, strFromU8(parts[name]!)))
      return { bytes: zipSync({ ...parts, [name]: changed }, { level: 1 }), how: `${how} in ${name}` }
    }
  }
  if (['html', 'svg', 'fodt', 'md'].includes(extension) && random(5) > 0) {
    const [how, change] = oneOf(random, markupChanges)
    return { bytes: strToU8(change(random, strFromU8(bytes))), how }
  }
  const [how, change] = oneOf(random, byteChanges)
  return { bytes: change(random, bytes), how }
}

/** The parts of a package; none of one that cannot be read. */
function partsOf(bytes: Uint8Array): Record<string, Uint8Array> {
  try {
    return unzipSync(bytes)
  } catch {
    return {}
  }
}

type Change<T> = readonly [how: string, (random: Random, given: T) => T]

const numbers = [
  '0',
  '-1',
  '999999999',
  '1e308',
  '2147483648',
  '-2147483649',
  'NaN',
  '',
  '4294967295',
  '0.00001',
]
const elementAt = (random: Random, text: string): RegExpExecArray | undefined => {
  const found = [...text.matchAll(/<([\w:.-]+)(?:\s[^<>]*)?>[^<]*<\/\1>|<[\w:.-]+(?:\s[^<>]*)?\/>/g)]
  return found.length === 0 ? undefined : oneOf(random, found)
}
const replaceAt = (text: string, found: RegExpExecArray | undefined, value: (element: string) => string) =>
  found === undefined
    ? text
    : text.slice(0, found.index) + value(found[0]) + text.slice(found.index + found[0].length)

const markupChanges: readonly Change<string>[] = [
  ['letters exchanged', (random, text) => damaged(random, damaged(random, text))],
  [
    'other numbers',
    (random, text) =>
      text.replace(/"-?\d+(?:\.\d+)?(?=[a-z%]*")/g, (all) =>
        random(6) === 0 ? `"${oneOf(random, numbers)}` : all,
      ),
  ],
  [
    'an element many times',
    (random, text) => replaceAt(text, elementAt(random, text), (one) => one.repeat(1 + random(4_000))),
  ],
  ['an element missing', (random, text) => replaceAt(text, elementAt(random, text), () => '')],
  [
    'elements in elements',
    (random, text) => {
      const depth = 1 + random(3_000)
      return replaceAt(text, elementAt(random, text), (one) => {
        const name = /^<([\w:.-]+)/.exec(one)?.[1] ?? 'a'
        return `<${name}>`.repeat(depth) + one + `</${name}>`.repeat(depth)
      })
    },
  ],
  [
    'attributes many times',
    (random, text) =>
      replaceAt(text, elementAt(random, text), (one) =>
        one.replace(
          /^<[\w:.-]+/,
          (name) => name + Array.from({ length: 1 + random(3_000) }, (_, at) => ` a${at}="b"`).join(''),
        ),
      ),
  ],
  [
    'a long text',
    (random, text) =>
      replaceAt(text, elementAt(random, text), (one) =>
        one.replace(/>([^<]*)</, (_, inner: string) => `>${(inner || 'x').repeat(1 + random(5_000))}<`),
      ),
  ],
  ['its end cut off', (random, text) => text.slice(0, random(text.length + 1))],
  [
    'another target',
    (random, text) =>
      text.replace(/(Target|href)="[^"]*"/g, (all, name: string) =>
        random(3) === 0
          ? `${name}="${oneOf(random, ['../../../../etc/passwd', 'file:///etc/passwd', 'http://127.0.0.1:1/', '', '/', 'a'.repeat(5_000)])}"`
          : all,
      ),
  ],
]

const byteChanges: readonly Change<Uint8Array>[] = [
  ['bytes exchanged', (random, bytes) => changedBytes(random, bytes, 1 + random(20))],
  [
    'many bytes exchanged',
    (random, bytes) => changedBytes(random, bytes, 1 + Math.floor(bytes.length / 200)),
  ],
  ['its end cut off', (random, bytes) => bytes.subarray(0, random(bytes.length + 1))],
  [
    'its middle missing',
    (random, bytes) =>
      joined(bytes.subarray(0, random(bytes.length + 1)), bytes.subarray(random(bytes.length + 1))),
  ],
  [
    'other numbers',
    (random, bytes) =>
      Uint8Array.from(
        bytes.length > 200_000
          ? changedBytes(random, bytes, 40)
          : Buffer.from(
              Buffer.from(bytes)
                .toString('latin1')
                .replace(/\b\d{1,5}\b/g, (all) => (random(40) === 0 ? oneOf(random, numbers) : all)),
              'latin1',
            ),
      ),
  ],
]

function changedBytes(random: Random, bytes: Uint8Array, times: number): Uint8Array {
  const changed = bytes.slice()
  for (let time = 0; time < times && changed.length > 0; time++) changed[random(changed.length)] = random(256)
  return changed
}

function joined(left: Uint8Array, right: Uint8Array): Uint8Array {
  const all = new Uint8Array(left.length + right.length)
  all.set(left)
  all.set(right, left.length)
  return all
}

import { readdirSync, readFileSync } from 'node:fs'

/** The doc comments of the formatter families: what the reference page and the example tests are made from. */
export interface FormatterDoc {
  readonly name: string
  readonly family: string // file name without ending
  readonly says: string
  readonly examples: readonly Example[]
}
export interface Example {
  readonly line: string
  readonly data: unknown // the whole data
  readonly shown: string // the data as it is written in the comment
  readonly template: string
  /** What is printed; or, beginning with '!', the code of an error. */
  readonly result: string
  readonly options: Readonly<Record<string, unknown>>
}

export const formattersFolder = new URL('../../shared/template/formatters/', import.meta.url)

/** All documented formatters by name. */
export function readFormatterDocs(): ReadonlyMap<string, FormatterDoc> {
  const docs = new Map<string, FormatterDoc>()
  for (const file of readdirSync(formattersFolder)
    .filter((name) => name.endsWith('.ts'))
    .sort()) {
    const source = readFileSync(new URL(file, formattersFolder), 'utf8')
    const comment = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export const \w+ = \w+\(\s*'(\w+)'/g
    for (const [, text = '', name = ''] of source.matchAll(comment)) {
      docs.set(name, { name, family: file.slice(0, -3), ...readComment(text) })
    }
  }
  return docs
}

function readComment(comment: string): Pick<FormatterDoc, 'says' | 'examples'> {
  const lines = comment.split('\n').map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
  const examples = lines.filter((line) => line.startsWith('@example')).map((line) => readExample(line))
  const says = lines
    .filter((line) => !line.startsWith('@example'))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
  return { says, examples }
}

/** `@example <json> <template> => <result> | name=value name=value` */
export function readExample(line: string): Example {
  const match = /^@example (.+?) (\{[dc][.:}].*?) =>(?: (.*?))??(?: \| ((?:\w+=\S+ ?)+))?$/.exec(line)
  if (match === null) throw new Error(`Not an example: ${line}`)
  const [, shown = '', template = '', result = '', options = ''] = match
  const value: unknown = shown === 'undefined' ? undefined : JSON.parse(shown)
  const isWhole = typeof value === 'object' && value !== null && Object.hasOwn(value, 'v')
  return {
    line,
    shown,
    template,
    data: isWhole ? value : { v: value },
    result: result.startsWith('"') ? (JSON.parse(result) as string) : result,
    options: Object.fromEntries(options.split(' ').filter(Boolean).map(readOption)),
  }
}

function readOption(option: string): [name: string, value: unknown] {
  const at = option.indexOf('=')
  const text = option.slice(at + 1)
  return [option.slice(0, at), /^[[{]|^(true|false|\d+)$/.test(text) ? JSON.parse(text) : text]
}

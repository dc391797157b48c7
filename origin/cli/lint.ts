import type { Problem } from '../../shared/errors/app-error.ts'
import type { Inspection } from '../../shared/ports/index.ts'
import { inspectTemplate } from '../../shared/render/inspect.ts'
import { inlineTemplate } from '../../shared/render/template.ts'
import type { OriginServices } from '../services.ts'
import { type ServiceCommand, UsageError } from './command.ts'
import { readCommandLine } from './flags.ts'
import { formatOf, readInput } from './io.ts'

/** The level of the template language: the highest of API version 5. */
const languageLevel = 5_999_999

/** Lists every problem of a template with its position. Exit code 1 when there are errors. */
export const lintCommand: ServiceCommand = {
  usage: 'platen lint TEMPLATE [DATA.json] [--complement FILE.json] [--to pdf] [--converter L] [--json]',
  summary: 'Lists the errors of a template and the fields that it reads but the data lacks. Renders nothing.',
  async run(services, args) {
    const { values, positionals } = parse(args)
    const [template, data] = positionals
    if (template === undefined || positionals.length > 2)
      throw new UsageError('lint takes a template and optionally a JSON file.')
    const { errors, warnings } = await inspected(services, template, {
      ...(data === undefined ? {} : { data: { text: await text(data) } }),
      ...(values.complement === undefined ? {} : { complement: { text: await text(values.complement) } }),
      ...(values.to === undefined ? {} : { convertTo: { name: formatOf(`x.${values.to}`) } }),
      ...(values.converter === undefined ? {} : { converter: values.converter }),
    })
    if (values.json) console.log(JSON.stringify({ errors, warnings }, null, 2))
    else print({ errors, warnings })
    return errors.length === 0 ? 0 : 1
  },
}

/** Prints the data that a template needs, as JSON Schema or as a sample. */
export const schemaCommand: ServiceCommand = {
  usage: 'platen schema TEMPLATE [--sample] [--json]',
  summary:
    'Prints the JSON Schema of the data that a template reads, or with --sample an example that matches it.',
  async run(services, args) {
    const { values, positionals } = parse(args)
    const [template] = positionals
    if (template === undefined || positionals.length > 1) throw new UsageError('schema takes one template.')
    const { errors, schema, complementSchema, sample } = await inspected(services, template, {})
    const complementPart = complementSchema === undefined ? {} : { complementSchema }
    console.log(JSON.stringify(values.sample ? sample.data : { schema, ...complementPart, sample }, null, 2))
    if (errors.length > 0) console.error('The template has errors. Run `platen lint` to list them.')
    return 0
  },
}

/** Inspects a template: the data that it reads, and its problems. */
export async function inspected(
  services: OriginServices,
  path: string,
  request: Omit<Parameters<typeof inspectTemplate>[2], 'languageLevel'> = {},
): Promise<Inspection> {
  const template = await inlineTemplate(services, await readInput(path), { name: path })
  const { signal } = new AbortController()
  return inspectTemplate(services, template, { ...request, languageLevel }, signal)
}

function print({ errors, warnings }: Pick<Inspection, 'errors' | 'warnings'>): void {
  for (const problem of errors) console.log(lines(problem).join('\n'))
  for (const { message, where } of warnings)
    console.log(`warning: ${message}${where === undefined ? '' : ` (${where})`}`)
  const count = (list: readonly unknown[], word: string) =>
    `${list.length} ${word}${list.length === 1 ? '' : 's'}`
  console.log(`${count(errors, 'error')}, ${count(warnings, 'warning')}`)
}

function lines({ message, hint, place }: Problem): string[] {
  const snippet = place?.snippet === undefined || place.snippet === '' ? '' : `: ${place.snippet}`
  return [
    `error: ${message}`,
    ...(place === undefined
      ? []
      : [`  in ${place.part}${place.at === undefined ? '' : `, ${place.at}`}${snippet}`]),
    ...(hint === undefined ? [] : [`  ${hint}`]),
  ]
}

async function text(path: string): Promise<string> {
  return new TextDecoder().decode(await readInput(path))
}

function parse(args: readonly string[]) {
  return readCommandLine({
    args: [...args],
    allowPositionals: true,
    options: {
      complement: { type: 'string' },
      to: { type: 'string' },
      converter: { type: 'string' },
      json: { type: 'boolean', default: false },
      sample: { type: 'boolean', default: false },
    },
  })
}

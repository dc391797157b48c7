import { render } from '../../shared/render/pipeline.ts'
import { inlineTemplate } from '../../shared/render/template.ts'
import { type ServiceCommand, UsageError } from './command.ts'
import { readCommandLine } from './flags.ts'
import { formatOf, printWarnings, readInput, readOptions, writeOutput } from './io.ts'

/** Renders one template with one JSON file. The extension of the output selects the format. */
export const renderCommand: ServiceCommand = {
  usage:
    'platen render TEMPLATE DATA.json -o OUT [--converter L] [--lang fr-fr] [--timezone Europe/Paris] [--complement FILE.json] [--hard-refresh] [--option NAME=VALUE ...]',
  says: 'Fills a template with JSON and writes it as the type that the extension of OUT names.',
  async run(services, args) {
    const { values, positionals } = parse(args)
    const [template, data] = positionals
    if (template === undefined || data === undefined || values.output === undefined || positionals.length > 2)
      throw new UsageError('render takes a template, a JSON file and -o OUT.')
    const opened = await inlineTemplate(services, await readInput(template))
    const to = formatOf(values.output)
    const converts = services.registry.formatByExtension(to)?.id !== opened.format.id
    const rendered = await render(
      services,
      opened,
      {
        data: { text: await text(data) },
        ...(values.complement === undefined ? {} : { complement: { text: await text(values.complement) } }),
        ...(converts || values['hard-refresh']
          ? { convertTo: { name: to, options: readOptions(values.option, services.registry) } }
          : {}),
        converter: values.converter,
        lang: values.lang,
        timezone: values.timezone,
        hardRefresh: values['hard-refresh'],
        debug: false,
        languageLevel: 5_000_000,
      },
      new AbortController().signal,
    )
    printWarnings(rendered.warnings)
    await writeOutput(values.output, rendered.source)
    return 0
  },
}

async function text(path: string): Promise<string> {
  return new TextDecoder().decode(await readInput(path))
}

function parse(args: readonly string[]) {
  return readCommandLine({
    args: [...args],
    allowPositionals: true,
    options: {
      output: { type: 'string', short: 'o' },
      converter: { type: 'string' },
      lang: { type: 'string' },
      timezone: { type: 'string' },
      complement: { type: 'string' },
      'hard-refresh': { type: 'boolean', default: false },
      option: { type: 'string', multiple: true, default: [] },
    },
  })
}

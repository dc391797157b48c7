import { parseArgs } from 'node:util'
import { fromBytes } from '../../shared/plugin/byte-source.ts'
import { createRegistry } from '../../shared/plugin/registry.ts'
import { dumpPart, stageNames } from '../../shared/template/dump.ts'
import { createMergeEngine } from '../../shared/template/merge.ts'
import { nodeCodec } from '../codec.ts'
import { formats } from '../formats.ts'
import { type LocalCommand, UsageError } from './command.ts'
import { readInput } from './io.ts'

/** Prints the results of the passes of the template compiler, for developers of the compiler. */
export const planCommand: LocalCommand = {
  local: true,
  usage: `platen plan TEMPLATE [--stage ${stageNames.join('|')}] [--part NAME]`,
  summary:
    'Prints the stages of compiling a template: tokens, element tree, loops and conditions, plan. Renders nothing.',
  async run(_config, args) {
    const { values, positionals } = parse(args)
    const [template] = positionals
    if (template === undefined || positionals.length > 1) throw new UsageError('plan takes one template.')
    const stages = stageNames.filter((name) => values.stage === undefined || values.stage.includes(name))
    if (stages.length < (values.stage?.length ?? 1))
      throw new UsageError(`--stage takes one of ${stageNames.join(', ')}.`)
    const registry = createRegistry(formats)
    const bytes = await readInput(template)
    const format = await registry.sniff(fromBytes(bytes), { name: template })
    if (format === undefined) throw new UsageError(`The format of ${template} is not known.`)
    const engine = createMergeEngine({ codec: nodeCodec, formats: (id) => registry.format(id) })
    const parts = await engine.stages({ hash: '', bytes, format: format.id })
    const selected = parts.filter(
      ({ read }) => values.part === undefined || read.context.part === values.part,
    )
    if (selected.length === 0) {
      const names = parts.map(({ read }) => read.context.part).join(', ')
      console.error(parts.length === 0 ? 'The template has no tags.' : `Parts with tags: ${names}`)
      return 1
    }
    console.log(selected.map((part) => dumpPart(part, stages)).join('\n\n'))
    return 0
  },
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { stage: { type: 'string', multiple: true }, part: { type: 'string' } },
    })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

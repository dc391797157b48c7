import { basename, extname } from 'node:path'
import type { TypedSchema } from '../../shared/schemas/json-schema.ts'
import { typescriptDeclaration } from '../../shared/schemas/typescript.ts'
import { zodDeclaration } from '../../shared/schemas/zod.ts'
import { type ServiceCommand, UsageError } from './command.ts'
import { readCommandLine } from './flags.ts'
import { standard } from './io.ts'
import { inspected } from './lint.ts'

/** Prints the type of the data that a template needs, for programs in TypeScript. */
export const typesCommand: ServiceCommand = {
  usage: 'platen types TEMPLATE [--name Invoice] [--json-schema | --zod]',
  summary:
    'Prints the type of the data that a template reads as TypeScript, JSON Schema or a Zod schema, so that the compiler reports a wrong field.',
  async run(services, args) {
    const { values, positionals } = readCommandLine({
      args: [...args],
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        'json-schema': { type: 'boolean', default: false },
        zod: { type: 'boolean', default: false },
      },
    })
    const [template] = positionals
    if (template === undefined || positionals.length > 1) throw new UsageError('types takes one template.')
    if (values.zod && values['json-schema'])
      throw new UsageError('Give either --json-schema or --zod, not both.')
    const name = values.name ?? typeName(template)
    if (!/^[A-Za-z_$][\w$]*$/.test(name))
      throw new UsageError(`"${name}" cannot be the name of a type. Use letters, digits and _.`)
    const { errors, schema, complementSchema } = await inspected(services, template)
    const schemas: (readonly [string, TypedSchema])[] = [[name, schema]]
    if (complementSchema !== undefined) schemas.push([`${name}Complement`, complementSchema])
    if (values['json-schema'])
      console.log(
        JSON.stringify(complementSchema === undefined ? schema : { schema, complementSchema }, null, 2),
      )
    else if (values.zod)
      console.log(
        [
          "import { z } from 'zod'\n",
          ...schemas.map(([type, jsonSchema]) => zodDeclaration(type, jsonSchema)),
        ]
          .join('\n')
          .trimEnd(),
      )
    else
      console.log(
        schemas
          .map(([type, jsonSchema]) => typescript(type, jsonSchema, template))
          .join('\n')
          .trimEnd(),
      )
    if (errors.length > 0) console.error('The template has errors. Run `platen lint` to list them.')
    return 0
  },
}

function typescript(name: string, schema: TypedSchema, template: string): string {
  const subject = name.endsWith('Complement') ? 'The complement' : 'The data'
  const of = template === standard ? 'a template' : basename(template)
  return typescriptDeclaration(name, schema, `${subject} of ${of}, as platen types found it in the tags.`)
}

/** 'delivery-note.docx' -> 'DeliveryNote'. */
function typeName(path: string): string {
  const words = basename(path, extname(path)).match(/[\p{L}\d]+/gu) ?? []
  const name = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')
  return /^[A-Za-z][A-Za-z\d]*$/.test(name) ? name : 'TemplateData'
}

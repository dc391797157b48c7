import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { concatBytes } from '../../shared/bytes.ts'
import { entryOf, setEntry } from '../../shared/entry-of.ts'
import { AppError } from '../../shared/errors/app-error.ts'
import { manifestName } from '../../shared/provenance/manifest.ts'
import { manifestResult } from '../../shared/render/manifest-result.ts'
import { render } from '../../shared/render/pipeline.ts'
import { readRenderRequest, renderMembers, splitBody } from '../../shared/render/prepare/body.ts'
import { inlineTemplate } from '../../shared/render/template.ts'
import type { SignatureRequest } from '../../shared/signing/request.ts'
import type { OriginServices } from '../services.ts'
import { type ServiceCommand, UsageError } from './command.ts'
import { converterHelp, optionHelp, optionLines, readCommandLine } from './flags.ts'
import { formatOf, printWarnings, readInput, readOptions, standard, writeOutput } from './io.ts'
import { showProgress } from './progress.ts'
import { changesOf } from './watch.ts'

/** Flags that are passed on as fields of a render. */
const textFields = {
  lang: 'lang',
  timezone: 'timezone',
  converter: 'converter',
  extension: 'extension',
  variable: 'variableStr',
  'report-name': 'reportName',
  'currency-source': 'currencySource',
  'currency-target': 'currencyTarget',
  'pre-release-feature-in': 'preReleaseFeatureIn',
  'batch-split-by': 'batchSplitBy',
  'batch-output': 'batchOutput',
  'batch-report-name': 'batchReportName',
  'batch-on-error': 'batchOnError',
} as const
/** Flags that name a JSON file. */
const fileFields = {
  complement: 'complement',
  enum: 'enum',
  translations: 'translations',
  'currency-rates': 'currencyRates',
} as const

const flags = {
  output: { type: 'string', short: 'o' },
  to: { type: 'string' },
  'fail-on': { type: 'string', multiple: true, default: [] as string[] },
  'hard-refresh': { type: 'boolean', default: false },
  option: { type: 'string', multiple: true, default: [] as string[] },
  sign: { type: 'string' },
  'sign-password': { type: 'string' },
  provenance: { type: 'boolean', default: false },
  salt: { type: 'string' },
  invoice: { type: 'string' },
  'invoice-profile': { type: 'string' },
  'invoice-check': { type: 'string' },
  watch: { type: 'boolean', default: false },
  ...named(Object.keys(textFields)),
  ...named(Object.keys(fileFields)),
} as const

/** What `--help` and docs/cli.md say of each flag. */
export const renderOptions = {
  '-o, --output OUT': 'File or folder to write.',
  '--to FORMAT': 'Output format. Without it, the extension of OUT names the format.',
  '--watch': 'Keeps running, and renders again whenever the template or a JSON file changes.',
  '--converter LETTER': converterHelp,
  '--option NAME=VALUE': optionHelp,
  '--hard-refresh':
    'Updates tables of contents and recalculates formulas, also when the type stays the same.',
  '--lang LOCALE': 'Language of numbers, dates and translations, such as fr-fr.',
  '--timezone NAME': 'Time zone of dates, such as Europe/Paris.',
  '--complement FILE.json': 'Data of {c.…} tags.',
  '--translations FILE.json': 'Translations of {t(…)} tags, by locale.',
  '--enum FILE.json': 'Enumerations for :convEnum.',
  '--currency-source CODE': 'Currency of the amounts in the data.',
  '--currency-target CODE': 'Currency of the document.',
  '--currency-rates FILE.json': 'Exchange rates, by currency code.',
  '--variable TEXT': 'Aliases, as {#name = expression}.',
  '--report-name TEXT': 'Name of the document without extension. May hold tags.',
  '--extension NAME': 'Type of the template, where its name does not say it.',
  '--fail-on CONDITION': 'Makes an error of a condition: IMAGE_URL_ERROR for pictures that cannot be loaded.',
  '--pre-release-feature-in NUMBER': 'Language level, for templates of other services.',
  '--batch-split-by PATH': 'Makes a document for each item of an array: d, or d.name.',
  '--batch-output zip|pdf': 'One zip of all documents, or one PDF.',
  '--batch-report-name TEXT': 'Name of each document in the zip. May hold tags.',
  '--batch-on-error report': 'Goes on when an item fails, and lists the failures in the zip.',
  '--sign KEY.pem|KEY.p12': 'Signs the PDF with this key.',
  '--sign-password FILE': 'File that holds the password of the key.',
  '--invoice FILE.xml': 'Template of the XML of an electronic invoice, which is attached to the PDF.',
  '--invoice-profile PROFILE': "Profile that the invoice must have, such as 'EN 16931'.",
  '--invoice-check errors|warnings': 'Whether a broken rule is an error, the default, or a warning.',
  '--provenance': 'Adds a manifest of how the document was made, for platen verify.',
  '--salt TEXT': 'Adds digests of the data to the manifest, made with this text.',
} satisfies Readonly<Record<string, string>>

function named(names: readonly string[]): Record<string, { readonly type: 'string' }> {
  return Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
}

interface Flags {
  readonly output?: string
  readonly to?: string
  readonly 'fail-on': readonly string[]
  readonly 'hard-refresh': boolean
  readonly option: readonly string[]
  readonly sign?: string
  readonly 'sign-password'?: string
  readonly provenance: boolean
  readonly salt?: string
  readonly invoice?: string
  readonly 'invoice-profile'?: string
  readonly 'invoice-check'?: string
  readonly watch: boolean
  readonly [name: string]: unknown
}

/** Renders one template with one JSON file. The extension of the output selects the format. */
export const renderCommand: ServiceCommand = {
  usage: 'platen render TEMPLATE DATA.json -o OUT [options]',
  summary:
    'Fills a template with JSON and writes the document. TEMPLATE or DATA may be "-" for standard input. OUT may be "-" for standard output, or a folder, in which --report-name names the file.',
  more: () => optionLines(renderOptions),
  async run(services, args) {
    const { values: parsedFlags, positionals } = readCommandLine({
      args: [...args],
      allowPositionals: true,
      options: flags,
    })
    const values = parsedFlags as unknown as Flags
    const [template, data] = positionals
    const { output } = values
    if (template === undefined || data === undefined || output === undefined || positionals.length > 2)
      throw new UsageError('render takes a template, a JSON file and -o OUT.')
    const files = [
      template,
      data,
      ...Object.keys(fileFields).flatMap((name) => (entryOf(values, name) as string | undefined) ?? []),
    ]
    const fromInput = files.filter((path) => path === standard).length
    if (fromInput > 1) throw new UsageError('Only one file can be read from standard input.')
    if (values.watch && (fromInput > 0 || output === standard))
      throw new UsageError('--watch works with files only, not with standard input or output.')
    const job = { template, data, output, values }
    if (!values.watch) {
      await renderOnce(services, job)
      return 0
    }
    for await (const _ of changesOf(files)) await renderAndReport(services, job)
    return 0
  },
}

interface Job {
  readonly template: string
  readonly data: string
  readonly output: string
  readonly values: Flags
}

/** In watch mode an error is printed, and the command waits for the next change. */
async function renderAndReport(services: OriginServices, job: Job): Promise<void> {
  try {
    console.error(`wrote ${await renderOnce(services, job)}`)
  } catch (error) {
    if (!(error instanceof AppError || error instanceof UsageError)) throw error
    console.error(`error: ${error instanceof AppError ? error.explained() : error.message}`)
  }
}

/**
 * Reads the key of a signature, and its password from a file, so that no other program sees it in the process list.
 */
async function readKey(path: string, passwordPath: string | undefined): Promise<SignatureRequest> {
  const bytes = await readInput(path)
  const text = new TextDecoder().decode(bytes)
  const key = text.includes('-----BEGIN ') ? text : Buffer.from(bytes).toString('base64')
  if (passwordPath === undefined) return { key }
  return { key, password: new TextDecoder().decode(await readInput(passwordPath)).replace(/\r?\n$/, '') }
}

/** The requirements for an electronic invoice; undefined without a flag for it. */
async function readInvoice({
  invoice: path,
  'invoice-profile': profile,
  'invoice-check': check,
}: Flags): Promise<Record<string, string> | undefined> {
  if (path === undefined && profile === undefined && check === undefined) return undefined
  return {
    ...(path !== undefined && { template: new TextDecoder().decode(await readInput(path)) }),
    ...(profile !== undefined && { profile }),
    ...(check !== undefined && { check }),
  }
}

/** Returns the path of the written file. Throws AppError, UsageError. */
async function renderOnce(
  services: OriginServices,
  { template, data, output, values }: Job,
): Promise<string> {
  const opened = await inlineTemplate(services, await readInput(template), { name: template })
  const folder = output === standard ? false : await isFolder(output)
  const to = values.to ?? (output === standard || folder ? undefined : formatOf(output))
  const isBatch = values['batch-split-by'] !== undefined
  // The archive of a batch does not determine the format of the documents in it.
  const target = to === 'zip' && isBatch ? undefined : to
  const converts =
    target !== undefined && services.registry.formatByExtension(target)?.id !== opened.format.id
  const fields: Record<string, unknown> = { hardRefresh: values['hard-refresh'] }
  for (const [flag, field] of Object.entries(textFields))
    if (values[flag] !== undefined) setEntry(fields, field, values[flag])
  if (values['fail-on'].length > 0) fields['failOn'] = values['fail-on']
  if (values.sign !== undefined) fields['sign'] = await readKey(values.sign, values['sign-password'])
  if (values.provenance || values.salt !== undefined)
    fields['provenance'] = { ...(values.salt !== undefined && { salt: values.salt }) }
  const invoice = await readInvoice(values)
  if (invoice !== undefined) fields['invoice'] = invoice
  // Options apply to a document that keeps its type, too, such as a filled PDF form that is to be encrypted.
  if (converts || values['hard-refresh'] || values.option.length > 0)
    fields['convertTo'] = {
      formatName: target ?? opened.format.extensions[0],
      formatOptions: readOptions(values.option, services.registry),
    }
  const members: Member[] = [{ field: 'data', path: data, json: await readInput(data) }]
  for (const [flag, field] of Object.entries(fileFields)) {
    const path = values[flag] as string | undefined
    if (path !== undefined) members.push({ field, path, json: await readInput(path) })
  }
  const request = readRenderRequest(await splitBody(bodyOf(fields, members), renderMembers), 5)
  const rendered = await render(services, opened, request, new AbortController().signal, {
    onProgress: ({ done, failed, total }) => {
      showProgress(done + failed, total, failed === 0 ? '' : `${failed} failed`)
    },
  })
  printWarnings(rendered.warnings)
  const path = folder ? join(output, `${rendered.name}.${rendered.format.extensions[0]}`) : output
  if (folder) await mkdir(output, { recursive: true }).catch(() => undefined)
  await writeOutput(path, rendered.source)
  const { manifest, name } = rendered
  if (manifest !== undefined && path !== standard)
    await writeOutput(`${path}.${manifestName}`, manifestResult(services, { manifest, name }).source)
  return path
}

/** Whether the output is a folder: one that exists, or a path that ends in a slash, which is then created. */
const isFolder = async (path: string): Promise<boolean> =>
  path.endsWith('/') || ((await stat(path).catch(() => undefined))?.isDirectory() ?? false)

/** A field of the body whose value is the content of a file. */
interface Member {
  readonly field: string
  readonly path: string
  readonly json: Uint8Array
}

/** If several files are merged, the message names the invalid one with the line. Throws UsageError. */
function checkJson(path: string, json: Uint8Array): void {
  try {
    JSON.parse(new TextDecoder().decode(json))
  } catch (error) {
    throw new UsageError(
      `${path === standard ? 'Standard input' : path} is not valid JSON: ${(error as Error).message}.`,
    )
  }
}

/** Builds the body of POST /render/template from these fields, so that the command line is validated like the API. */
function bodyOf(fields: Record<string, unknown>, members: readonly Member[]): Uint8Array {
  const encoder = new TextEncoder()
  const parts: Uint8Array[] = [encoder.encode(JSON.stringify(fields).slice(0, -1))]
  for (const { field, path, json } of members) {
    const text = withoutByteOrderMark(json)
    checkJson(path, text)
    parts.push(encoder.encode(`,"${field}":`), text)
  }
  parts.push(encoder.encode('}'))
  return concatBytes(
    parts,
    parts.reduce((sum, { length }) => sum + length, 0),
  )
}

/** Some Windows editors begin UTF-8 files with a byte order mark. */
function withoutByteOrderMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}

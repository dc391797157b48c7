import { basename, dirname, extname, join } from 'node:path'
import { fromBytes } from '../../shared/plugin/byte-source.ts'
import { readCases } from '../../shared/render/checks/read-checks.ts'
import { type CheckReport, casesNamed, runChecks } from '../../shared/render/checks/run-checks.ts'
import { inlineTemplate } from '../../shared/render/template.ts'
import type { OriginServices } from '../services.ts'
import { type ServiceCommand, UsageError } from './command.ts'
import { readCommandLine } from './flags.ts'
import { readInput, writeOutput } from './io.ts'

interface Flags {
  readonly cases?: string
  readonly name: readonly string[]
  readonly update: boolean
  readonly json: boolean
  readonly url?: string
  readonly token?: string
}

/** Runs the test cases of a template. Exit code 1 when one fails. */
export const testCommand: ServiceCommand = {
  usage:
    'platen test TEMPLATE [--cases FILE.json] [--name NAME ...] [--update] [--json] [--url ADDRESS] [--token FILE]',
  summary:
    'Renders the cases of a template and lists where the documents differ from what the cases expect. The exit code is 1 when one differs. The cases of invoice.docx are read from invoice.checks.json, or from --cases. --update records the expected pictures. With --url, TEMPLATE is the ID of a template of that service, which is checked with its own cases unless --cases names others. --token names a file that holds the token.',
  async run(services, args) {
    const { values, positionals } = readCommandLine({
      args: [...args],
      allowPositionals: true,
      options: {
        cases: { type: 'string' },
        name: { type: 'string', multiple: true, default: [] },
        update: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        url: { type: 'string' },
        token: { type: 'string' },
      },
    })
    const flags = values as unknown as Flags
    const [template] = positionals
    if (template === undefined || positionals.length > 1) throw new UsageError('test takes one template.')
    const path = flags.cases ?? (flags.url === undefined ? casesBeside(template) : undefined)
    if (path === undefined && flags.update) throw new UsageError('--update needs --cases.')
    const file = path === undefined ? undefined : await readCaseFile(path)
    const report =
      flags.url === undefined
        ? await checkFile(services, template, file?.cases ?? [], flags)
        : await checkStored(flags.url, template, file?.cases, flags)
    const written = flags.update && file !== undefined ? await updatePictures(file, report) : []
    const shown = written.length === 0 ? report : withoutWritten(report, written)
    console.log(flags.json ? JSON.stringify(withoutPictures(shown), null, 2) : described(shown, written))
    return shown.passed ? 0 : 1
  },
}

/** The case file next to a template: 'invoice.docx' -> 'invoice.checks.json'. */
function casesBeside(template: string): string {
  return join(dirname(template), `${basename(template, extname(template))}.checks.json`)
}

type Json = Readonly<Record<string, unknown>>
/** A picture in a case file refers to the PNG file that it is stored in. */
interface FilePicture {
  readonly page: number
  readonly path: string
}
interface CaseFile {
  /** The cases in the format of the API. */
  readonly cases: readonly Json[]
  /** By the name of the case. */
  readonly pictures: ReadonlyMap<string, readonly FilePicture[]>
}

/** Reads cases and their pictures. A picture that does not exist yet is omitted. Throws UsageError. */
async function readCaseFile(path: string): Promise<CaseFile> {
  const pictures = new Map<string, FilePicture[]>()
  const listed = parse(path, new TextDecoder().decode(await readInput(path)))
  const cases = []
  for (const result of listed) {
    const { expect } = result
    const expected = isObject(expect) ? expect['pictures'] : undefined
    if (!isObject(expect) || !Array.isArray(expected)) {
      cases.push(result)
      continue
    }
    const files: FilePicture[] = []
    const read = []
    for (const { file, ...picture } of expected.filter(isObject)) {
      if (typeof file !== 'string') {
        read.push(picture)
        continue
      }
      const from = join(dirname(path), file)
      files.push({ page: Number(picture['page']), path: from })
      const bytes = await readInput(from).catch(() => undefined)
      read.push(bytes === undefined ? picture : { ...picture, png: Buffer.from(bytes).toString('base64') })
    }
    pictures.set(String(result['name']), files)
    cases.push({ ...result, expect: { ...expect, pictures: read } })
  }
  return { cases, pictures }
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The list of cases, either alone or as the member `cases` of an object. */
function parse(path: string, text: string): readonly Json[] {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw new UsageError(`${path} is not valid JSON: ${(error as Error).message}.`)
  }
  const list = isObject(value) ? value['cases'] : value
  if (!Array.isArray(list) || !list.every(isObject))
    throw new UsageError(`${path} must hold a list of cases, or an object with "cases".`)
  return list
}

async function checkFile(
  services: OriginServices,
  path: string,
  cases: readonly Json[],
  { name, update }: Flags,
): Promise<CheckReport> {
  const template = await inlineTemplate(services, await readInput(path), { name: path })
  const read = await readCases(new TextEncoder().encode(JSON.stringify(cases)))
  return runChecks(services, template, casesNamed(read, name.length === 0 ? undefined : name), {
    account: undefined,
    test: false,
    withPictures: update,
    signal: new AbortController().signal,
  })
}

/** Makes a service run the cases of one of its templates. Throws UsageError with the error response. */
async function checkStored(
  url: string,
  id: string,
  cases: readonly Json[] | undefined,
  { name, update, token }: Flags,
): Promise<CheckReport> {
  const address = `${url.replace(/\/+$/, '')}/template/${encodeURIComponent(id)}/check`
  if (!URL.canParse(address)) throw new UsageError(`--url ${url} is not an address.`)
  const secret = token === undefined ? undefined : new TextDecoder().decode(await readInput(token)).trim()
  const body = JSON.stringify({ cases, ...(name.length > 0 && { names: name }), pictures: update })
  const headers = {
    'content-type': 'application/json',
    ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
  }
  let answer: { readonly data?: CheckReport; readonly error?: string }
  try {
    answer = (await (await fetch(address, { method: 'POST', headers, body })).json()) as typeof answer
  } catch {
    throw new UsageError(`${new URL(address).origin} did not respond with JSON.`)
  }
  if (answer.data === undefined)
    throw new UsageError(`The service refused: ${answer.error ?? 'without a reason.'}`)
  return answer.data
}

/** Writes the pictures that differ and those that are missing. Returns their paths. */
async function updatePictures({ pictures }: CaseFile, { cases }: CheckReport): Promise<readonly Written[]> {
  const written: Written[] = []
  for (const { name, failures, pictures: drawn = [] } of cases)
    for (const { page, path } of pictures.get(name) ?? []) {
      const png = drawn.find((picture) => picture.page === page)?.png
      const differs = failures.some((failure) => failure.kind === 'picture' && failure.page === page)
      if (png === undefined || !differs) continue
      await writeOutput(path, fromBytes(Buffer.from(png, 'base64')))
      written.push({ name, page, path })
    }
  return written
}

interface Written extends FilePicture {
  readonly name: string
}

/** The report without the differences that the written pictures resolve. */
function withoutWritten({ cases }: CheckReport, written: readonly Written[]): CheckReport {
  const left = cases.map((testCase) => {
    const failures = testCase.failures.filter(
      ({ kind, page }) =>
        kind !== 'picture' || !written.some((file) => file.name === testCase.name && file.page === page),
    )
    return { ...testCase, failures, passed: failures.length === 0 }
  })
  return { passed: left.every(({ passed }) => passed), cases: left }
}

function withoutPictures({ passed, cases }: CheckReport) {
  return {
    passed,
    cases: cases.map(({ pictures, ...testCase }) => ({
      ...testCase,
      ...(pictures !== undefined && { pictures: pictures.map(({ png: _, ...picture }) => picture) }),
    })),
  }
}

function described({ cases }: CheckReport, written: readonly Written[]): string {
  const failed = cases.filter(({ passed }) => !passed).length
  return [
    ...cases.flatMap(({ name, passed, failures }) => [
      `${passed ? 'ok  ' : 'FAIL'} ${name}`,
      ...failures.flatMap(({ message, actual, kind }) => [
        `     ${message}`,
        ...(kind === 'contains' || kind === 'excludes'
          ? actual === undefined
            ? []
            : [`     It has: ${actual}`]
          : []),
      ]),
    ]),
    ...written.map(({ path }) => `wrote ${path}`),
    `${cases.length - failed} passed, ${failed} failed`,
  ].join('\n')
}

import { writeFile } from 'node:fs/promises'
import { type CheckedInvoice, checkInvoice } from '../../shared/invoice/check-invoice.ts'
import type { InvoiceProblem } from '../../shared/invoice/problem.ts'
import { type ProfileName, profileNames } from '../../shared/invoice/profiles.ts'
import { readInvoiceOfPdf } from '../../shared/pdf/join/read-invoice.ts'
import { nodeCodec } from '../codec.ts'
import { type LocalCommand, UsageError } from './command.ts'
import { readCommandLine } from './flags.ts'
import { printLines, readInput } from './io.ts'

/** Checks an electronic invoice: an XML file, or the one in a PDF. The exit code is 1 when there are errors. */
export const invoiceCommand: LocalCommand = {
  local: true,
  usage: "platen invoice FILE.pdf|FILE.xml [--profile 'EN 16931'] [--extract FILE.xml] [--json]",
  summary:
    'Checks an electronic invoice (Factur-X, ZUGFeRD, XRechnung) and lists the rules that it breaks. The exit code is 1 when there are errors.',
  async run(_config, args) {
    const { values, positionals } = readCommandLine({
      args: [...args],
      allowPositionals: true,
      options: {
        profile: { type: 'string' },
        extract: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    })
    const [path] = positionals
    if (path === undefined || positionals.length > 1)
      throw new UsageError('invoice takes one PDF or XML file.')
    const profile = profileNames.find((name) => name === values.profile?.toUpperCase())
    if (values.profile !== undefined && profile === undefined)
      throw new UsageError(`--profile is one of ${profileNames.join(', ')}.`)
    const { name, bytes, ...checked } = checkFile(await readInput(path), profile)
    if (values.extract !== undefined) await writeFile(values.extract, bytes)
    if (values.json) console.log(JSON.stringify(summaryOf(name, checked), null, 2))
    else printLines(described(name, checked))
    return checked.problems.some(({ severity }) => severity === 'error') ? 1 : 0
  },
}

function checkFile(
  bytes: Uint8Array,
  profile: ProfileName | undefined,
): CheckedInvoice & { readonly name: string; readonly bytes: Uint8Array } {
  const isPdf = new TextDecoder('latin1').decode(bytes.subarray(0, 1024)).includes('%PDF-')
  if (!isPdf) return { name: 'XML', bytes, ...checkInvoice(bytes, profile) }
  const invoice = readInvoiceOfPdf(bytes, nodeCodec, profile)
  if (invoice === undefined)
    throw new UsageError('The PDF embeds no factur-x.xml, xrechnung.xml or zugferd-invoice.xml.')
  return invoice
}

const summaryOf = (name: string, { profile, syntax, problems }: CheckedInvoice) => ({
  name,
  profile: profile?.name,
  syntax,
  problems,
})

function described(name: string, { profile, syntax, problems }: CheckedInvoice): string[] {
  const count = (severity: InvoiceProblem['severity']) => {
    const number = problems.filter((problem) => problem.severity === severity).length
    return `${number} ${severity}${number === 1 ? '' : 's'}`
  }
  return [
    `${name}: ${profile?.name ?? 'unknown profile'}${syntax === undefined ? '' : `, ${syntax}`}`,
    ...problems.flatMap(({ rule, severity, field, path, message }) => [
      `${severity}: ${rule}${field === '' ? '' : ` (${field})`}: ${message}`,
      `  at ${path}`,
    ]),
    `${count('error')}, ${count('warning')}`,
  ]
}

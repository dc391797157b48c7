import { readFile } from 'node:fs/promises'
import { type Manifest, manifestName, readManifest } from '../../shared/provenance/manifest.ts'
import { type Comparison, type Verification, type VerifiedFiles, verify } from '../../shared/render/verify.ts'
import { nodeCodec } from '../codec.ts'
import { type LocalCommand, UsageError } from './command.ts'
import { readCommandLine } from './flags.ts'
import { printLines, readInput } from './io.ts'

/** Explains how a document was made. Exit code 1 if anything differs from its manifest. */
export const verifyCommand: LocalCommand = {
  local: true,
  usage:
    'platen verify FILE [--manifest FILE.json] [--template FILE] [--data FILE.json] [--complement FILE.json] [--salt TEXT] [--json]',
  summary:
    'Explains how a document was made, from the manifest inside the PDF or beside the file, and compares it with the files given. The exit code is 1 when one differs.',
  async run(_, args) {
    const { values, positionals } = readCommandLine({
      args: [...args],
      allowPositionals: true,
      options: {
        manifest: { type: 'string' },
        template: { type: 'string' },
        data: { type: 'string' },
        complement: { type: 'string' },
        salt: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    })
    const [path] = positionals
    if (path === undefined || positionals.length > 1) throw new UsageError('verify takes one document.')
    const { salt, manifest, template, data, complement } = values
    if (salt === undefined && (data !== undefined || complement !== undefined))
      throw new UsageError('--data and --complement need the --salt of the render.')
    const optional = (file: string | undefined) => (file === undefined ? undefined : readInput(file))
    const files = {
      document: await readInput(path),
      manifest: manifest === undefined ? undefined : await namedManifest(manifest),
      template: await optional(template),
      data: await optional(data),
      complement: await optional(complement),
      salt,
    }
    const verification = (await verify(files, nodeCodec)) ?? (await verifyWithManifestBeside(path, files))
    if (verification === undefined)
      throw new UsageError(
        `${path} has no manifest. Name the one that came with it: --manifest FILE.${manifestName}`,
      )
    if (values.json) console.log(JSON.stringify(verification, null, 2))
    else printLines(described(verification))
    return isAsMade(verification) ? 0 : 1
  },
}

/** The manifest next to a document, as `platen render --provenance` writes it. */
async function verifyWithManifestBeside(
  path: string,
  files: VerifiedFiles,
): Promise<Verification | undefined> {
  const bytes = await readFile(`${path}.${manifestName}`).catch(() => undefined)
  const manifest = bytes && readManifest(bytes)
  return manifest && verify({ ...files, manifest }, nodeCodec)
}

async function namedManifest(path: string): Promise<Manifest> {
  const manifest = readManifest(await readInput(path))
  if (manifest === undefined) throw new UsageError(`${path} is not a manifest of this service.`)
  return manifest
}

function isAsMade({ document, template, data, complement }: Verification): boolean {
  return document === 'same' && ![template, data, complement].includes('other')
}

function described(found: Verification): string[] {
  const { manifest, source, document, appendedBytes, template, data, complement } = found
  const { options } = manifest
  const { id, versionId, format, sha256 } = manifest.template
  const engines = manifest.engines.map(({ letter, title }) => (title ? `${title} (${letter})` : letter))
  const fonts = manifest.fonts.map(({ family, version }) => (version ? `${family} (${version})` : family))
  const settings = Object.entries(options).map(
    ([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return [
    `manifest    ${source === 'attached' ? 'attached to the PDF' : 'beside the document'}`,
    `document    ${document === 'same' ? 'unchanged' : `CHANGED: ${changeOf(appendedBytes)}`}`,
    ...(document === 'same' && appendedBytes > 0
      ? [`appended    ${appendedBytes} bytes that a signature covers; check it with a tool for signatures`]
      : []),
    `made        ${manifest.time} by ${manifest.service.name} ${manifest.service.version}`,
    `template    ${format}, SHA-256 ${sha256}${compared(template)}`,
    ...(id === undefined ? [] : [`            template ${id}`]),
    ...(versionId === undefined ? [] : [`            version ${versionId}`]),
    ...digestLine('data', manifest.data?.hmacSha256, data),
    ...digestLine('complement', manifest.complement?.hmacSha256, complement),
    ...listed('options', settings),
    ...listed('engines', engines),
    ...(manifest.producer === undefined ? [] : [`producer    ${manifest.producer}`]),
    ...listed('fonts', fonts),
  ]
}

function changeOf(appendedBytes: number): string {
  if (appendedBytes === 0) return 'it is not the one that the manifest describes'
  return `a program appended ${appendedBytes} bytes that no signature covers, and may have changed any page by them`
}

function digestLine(name: string, digest: string | undefined, comparison: Comparison | undefined): string[] {
  if (digest === undefined && comparison === undefined) return []
  return [
    `${name.padEnd(12)}${digest === undefined ? 'not described' : `HMAC-SHA-256 ${digest}`}${compared(comparison)}`,
  ]
}

function compared(comparison: Comparison | undefined): string {
  if (comparison === undefined || comparison === 'unknown') return ''
  return comparison === 'same' ? ': the same file' : ': NOT the file given'
}

function listed(name: string, values: readonly string[]): string[] {
  return values.length === 0 ? [] : [`${name.padEnd(12)}${values.join(', ')}`]
}

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { nodeCodec } from '../../origin/codec.ts'
import { systemHyphenation } from '../../origin/hyphenation.ts'
import libreoffice from '../../plugins/engines/libreoffice/index.ts'
import { formats } from '../../plugins/formats/index.ts'
import { type Converter, createConverter } from '../../shared/convert/converter.ts'
import { createPdfFinisher } from '../../shared/convert/finish-pdf.ts'
import { defaultLimits } from '../../shared/limits.ts'
import { createPdfOperations } from '../../shared/pdf/operations.ts'
import { bytesOf, fromBytes } from '../../shared/plugin/byte-source.ts'
import type { EnginePlugin, Host } from '../../shared/plugin/contract.ts'
import { createRegistry } from '../../shared/plugin/registry.ts'
import { originHost } from '../helpers/engines.ts'
import { readers } from './engine.ts'

/** How long the office may take for one document, in ms. */
const limitMs = 200_000

/**
 * The PDF that engine L of this service makes of each document, with the settings of a request that names none; made
 * once and kept by content. Documents that it does not convert are left out.
 */
export async function referencePdfs(files: readonly string[], cache: string): Promise<Map<string, string>> {
  mkdirSync(cache, { recursive: true })
  const salt = saltOf()
  const dictionaries = systemHyphenation
    .flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : []))
    .sort()
    .join()
  const found = new Map<string, string>()
  let converter: Converter | undefined
  try {
    for (const file of files) {
      const bytes = readFileSync(file)
      const hash = createHash('sha256').update(salt).update(bytes)
      if (asksForHyphens(file, bytes)) hash.update(dictionaries)
      const pdf = join(cache, `${hash.digest('hex').slice(0, 24)}.pdf`)
      if (!existsSync(pdf)) {
        converter ??= officeConverter()
        const made = await convert(converter, file, bytes)
        if (made === undefined) continue
        writeFileSync(`${pdf}.part`, made)
        renameSync(`${pdf}.part`, pdf)
      }
      found.set(file, pdf)
    }
  } finally {
    await converter?.stop()
  }
  return found
}

/**
 * What besides the document decides how the reference looks: the substitutes of fonts, the options of the engine, and
 * the fonts of the machine, since a new one may stand in for a missing one on both sides.
 */
function saltOf(): string {
  const folder = new URL('../../plugins/engines/libreoffice/', import.meta.url)
  const files = ['fonts.conf', 'options.ts'].map((name) => readFileSync(new URL(name, folder), 'utf8'))
  const fonts = execFileSync('fc-list', ['--format', '%{file}\n'], { encoding: 'utf8' })
  return [...files, ...fonts.split('\n').sort()].join('\0')
}

function asksForHyphens(file: string, bytes: Uint8Array): boolean {
  try {
    const reader = readers[extname(file).toLowerCase()]
    return reader?.read(bytes, { codec: nodeCodec, limits: defaultLimits }).value.settings.hyphenate === true
  } catch {
    return false
  }
}

/** Engine L alone, in real processes, and the steps that every PDF of the service goes through. */
function officeConverter(): Converter {
  const host: Host = originHost(undefined, formats)
  const registry = createRegistry([...formats, libreoffice as EnginePlugin])
  const finisher = createPdfFinisher({
    registry,
    pdf: createPdfOperations({ codec: host.codec, random: (size) => new Uint8Array(size) }),
  })
  return createConverter({ registry, host, settings: {}, finisher })
}

async function convert(
  converter: Converter,
  file: string,
  bytes: Uint8Array,
): Promise<Uint8Array | undefined> {
  try {
    const made = await converter.convert({
      source: fromBytes(new Uint8Array(bytes)),
      from: extname(file).slice(1).toLowerCase(),
      to: 'pdf',
      options: {},
      deadline: Date.now() + limitMs,
      signal: new AbortController().signal,
    })
    return await bytesOf(made.value)
  } catch (error) {
    console.log(`engine L made no PDF of ${file}: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

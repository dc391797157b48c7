import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { nodeCodec } from '../../origin/codec.ts'
import { systemHyphenation } from '../../origin/hyphenation.ts'
import chromium from '../../plugins/engines/chromium/index.ts'
import libreoffice from '../../plugins/engines/libreoffice/index.ts'
import web from '../../plugins/engines/web/index.ts'
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
import { webFormatOf } from './web-pages.ts'

/** How long an engine may take for one document, in ms. */
const limitMs = 200_000

/**
 * The PDF that engine L of this service makes of each document, and engine C of each web page and Markdown text, with the
 * settings of a request that names none; made once and kept by content. Documents that they do not convert are left out.
 */
export async function referencePdfs(files: readonly string[], cache: string): Promise<Map<string, string>> {
  mkdirSync(cache, { recursive: true })
  const salts = {
    office: saltOf('libreoffice', ['fonts.conf', 'options.ts']),
    browser: saltOf('chromium', ['print.ts', 'fonts.ts']),
  }
  const dictionaries = systemHyphenation
    .flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : []))
    .sort()
    .join()
  const found = new Map<string, string>()
  const converters = new Map<EnginePlugin, Converter>()
  try {
    for (const file of files) {
      const bytes = readFileSync(file)
      const isWeb = webFormatOf(file) !== undefined
      const hash = createHash('sha256')
        .update(isWeb ? salts.browser : salts.office)
        .update(bytes)
      if (asksForHyphens(file, bytes)) hash.update(dictionaries)
      const pdf = join(cache, `${hash.digest('hex').slice(0, 24)}.pdf`)
      if (!existsSync(pdf)) {
        const engine = (isWeb ? chromium : libreoffice) as EnginePlugin
        const converter = converters.get(engine) ?? converterOf(engine)
        converters.set(engine, converter)
        const made = await convert(converter, file, bytes)
        if (made === undefined) continue
        writeFileSync(`${pdf}.part`, made)
        renameSync(`${pdf}.part`, pdf)
      }
      found.set(file, pdf)
    }
  } finally {
    for (const converter of converters.values()) await converter.stop()
  }
  return found
}

/**
 * What besides the document decides how the reference looks: files of the engine (the substitutes of fonts, the options), and
 * the fonts of the machine, since a new one may stand in for a missing one on both sides.
 */
function saltOf(engine: string, names: readonly string[]): string {
  const folder = new URL(`../../plugins/engines/${engine}/`, import.meta.url)
  const files = names.map((name) => readFileSync(new URL(name, folder), 'utf8'))
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

/** One engine in real processes, the engine that makes HTML of Markdown, and the steps that every PDF of the service goes through. */
function converterOf(engine: EnginePlugin): Converter {
  const host: Host = originHost(undefined, formats)
  const registry = createRegistry([
    ...formats,
    engine,
    ...(engine.id === chromium.id ? [web as EnginePlugin] : []),
  ])
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
      from: webFormatOf(file) ?? extname(file).slice(1).toLowerCase(),
      to: 'pdf',
      options: {},
      deadline: Date.now() + limitMs,
      signal: new AbortController().signal,
    })
    return await bytesOf(made.value)
  } catch (error) {
    console.log(`no PDF was made of ${file}: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

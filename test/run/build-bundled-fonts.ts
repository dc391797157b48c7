/**
 * Builds the fonts that ship with the instant engine from Debian's packages fonts-liberation2, fonts-crosextra-carlito
 * and fonts-crosextra-caladea: Latin, Greek and Cyrillic without hints, kerning and ligatures kept, renamed because the
 * licences reserve the original names for unmodified fonts. `npm run generate -- bundled-fonts` writes them on a machine
 * that has the packages.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { deflateRawSync } from 'node:zlib'
import { bundledFaces } from '../../plugins/engines/instant/fonts/bundled.ts'
import { readTables } from '../../plugins/engines/instant/fonts/sfnt/container.ts'
import { readNames } from '../../plugins/engines/instant/fonts/sfnt/names.ts'
import { writeSfnt } from '../../plugins/engines/instant/fonts/subset/write-sfnt.ts'

export const fontFolder = 'plugins/engines/instant/assets/fonts/'
const folders: Readonly<Record<string, string>> = {
  Liberation: 'liberation2',
  Carlito: 'crosextra',
  Caladea: 'crosextra',
}

const packages = ['fonts-liberation2', 'fonts-crosextra-carlito', 'fonts-crosextra-caladea']

/** First and last characters of what is kept. */
const kept: readonly (readonly [number, number])[] = [
  [0x20, 0x7e],
  [0xa0, 0x24f],
  [0x259, 0x259],
  [0x2b0, 0x2ff],
  [0x300, 0x36f],
  [0x370, 0x3ff],
  [0x400, 0x52f],
  [0x1e00, 0x1eff],
  [0x2000, 0x206f],
  [0x2070, 0x209f],
  [0x20a0, 0x20bf],
  [0x2100, 0x218f],
  [0x2190, 0x2195],
  [0x2200, 0x22ff],
  [0x2302, 0x2302],
  [0x2320, 0x2321],
  [0x2500, 0x25ff],
  [0x2610, 0x2612],
  [0x263a, 0x266b],
  [0x2713, 0x2718],
  [0xfb00, 0xfb04],
  [0xfffd, 0xfffd],
]
const features = ['kern', 'liga', 'clig', 'calt', 'rlig', 'rclt', 'ccmp', 'locl', 'mark', 'mkmk']
const dropped = ['DSIG', 'FFTM', 'GlyphOrder', 'gasp', 'kern', 'MATH']

/** The few functions of the HarfBuzz subset module that are used; pointers are numbers. */
interface SubsetModule {
  readonly memory: { readonly buffer: ArrayBuffer }
  _initialize(): void
  malloc(size: number): number
  free(pointer: number): void
  hb_blob_create(data: number, length: number, mode: number, user: number, destroy: number): number
  hb_blob_get_data(blob: number, length: number): number
  hb_blob_get_length(blob: number): number
  hb_face_create(blob: number, index: number): number
  hb_face_reference_blob(face: number): number
  hb_subset_input_create_or_fail(): number
  hb_subset_input_set_flags(input: number, flags: number): void
  hb_subset_input_unicode_set(input: number): number
  hb_subset_input_set(input: number, which: number): number
  hb_set_add(set: number, value: number): void
  hb_set_clear(set: number): void
  hb_subset_or_fail(face: number, input: number): number
}

const noHinting = 1
const keepNotdef = 64
const droppedTables = 3
const layoutFeatures = 6
const keptNames = 4

/** The type libraries of this folder know nothing of WebAssembly. */
const wasm = (globalThis as unknown as { WebAssembly: WasmApi }).WebAssembly
interface WasmApi {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: unknown } }>
}

async function loadSubset(): Promise<SubsetModule> {
  const path = createRequire(import.meta.url).resolve('harfbuzzjs/dist/harfbuzz-subset.wasm')
  const { instance } = await wasm.instantiate(readFileSync(path), {})
  const module = instance.exports as SubsetModule
  module._initialize()
  return module
}

function tagNumber(tag: string): number {
  return [...tag].reduce((sum, letter) => sum * 256 + letter.charCodeAt(0), 0)
}

function subset(module: SubsetModule, font: Uint8Array): Uint8Array {
  const data = module.malloc(font.length)
  new Uint8Array(module.memory.buffer).set(font, data)
  const face = module.hb_face_create(module.hb_blob_create(data, font.length, 0, 0, 0), 0)
  const input = module.hb_subset_input_create_or_fail()
  module.hb_subset_input_set_flags(input, noHinting | keepNotdef)
  const characters = module.hb_subset_input_unicode_set(input)
  for (const [first, last] of kept)
    for (let code = first; code <= last; code++) module.hb_set_add(characters, code)
  const tags = module.hb_subset_input_set(input, layoutFeatures)
  module.hb_set_clear(tags)
  for (const feature of features) module.hb_set_add(tags, tagNumber(feature))
  const drop = module.hb_subset_input_set(input, droppedTables)
  for (const tag of dropped) module.hb_set_add(drop, tagNumber(tag))
  const names = module.hb_subset_input_set(input, keptNames)
  for (const id of [0, 13, 14]) module.hb_set_add(names, id)
  const result = module.hb_subset_or_fail(face, input)
  if (result === 0) throw new Error('the font cannot be subset')
  const blob = module.hb_face_reference_blob(result)
  const start = module.hb_blob_get_data(blob, 0)
  return new Uint8Array(module.memory.buffer).slice(start, start + module.hb_blob_get_length(blob))
}

/** A name table with copyright and licence as they were and the new names. */
function nameTable(original: DataView, family: string, style: string): Uint8Array {
  const legal = legalNames(original)
  const full = style === 'Regular' ? family : `${family} ${style}`
  const records: [number, string][] = [
    ...(legal.has(0) ? [[0, legal.get(0)!] as [number, string]] : []),
    [1, family],
    [2, style],
    [3, `platen: ${full}`],
    [4, full],
    [5, 'Version 1.000'],
    [6, `${family.replaceAll(' ', '')}-${style.replaceAll(' ', '')}`],
    [13, legal.get(13) ?? 'This Font Software is licensed under the SIL Open Font License, Version 1.1.'],
    [14, 'https://openfontlicense.org'],
  ]
  const text = records.map(([, value]) => value).join('')
  const table = new Uint8Array(6 + 12 * records.length + 2 * text.length)
  const view = new DataView(table.buffer)
  view.setUint16(2, records.length)
  view.setUint16(4, 6 + 12 * records.length)
  let offset = 0
  for (const [index, [id, value]] of records.entries()) {
    const at = 6 + 12 * index
    const fields = [3, 1, 0x409, id, 2 * value.length, offset]
    for (const [field, number] of fields.entries()) view.setUint16(at + 2 * field, number)
    for (let letter = 0; letter < value.length; letter++) {
      view.setUint16(6 + 12 * records.length + offset + 2 * letter, value.charCodeAt(letter))
    }
    offset += 2 * value.length
  }
  return table
}

function legalNames(table: DataView): Map<number, string> {
  const found = new Map<number, string>()
  const storage = table.getUint16(4)
  for (let index = 0; index < table.getUint16(2); index++) {
    const at = 6 + 12 * index
    if (table.getUint16(at) !== 3) continue
    let text = ''
    const start = storage + table.getUint16(at + 10)
    for (let byte = 0; byte < table.getUint16(at + 8); byte += 2)
      text += String.fromCharCode(table.getUint16(start + byte))
    found.set(table.getUint16(at + 6), text)
  }
  return found
}

export async function bundledFontFiles(): Promise<Map<string, string | Uint8Array>> {
  const module = await loadSubset()
  const files = new Map<string, string | Uint8Array>()
  const sources: string[] = []
  for (const { file, original, family, style } of bundledFaces) {
    const folder = folders[/^[A-Z][a-z]+/.exec(original)![0]]!
    const source = readFileSync(`/usr/share/fonts/truetype/${folder}/${original}.ttf`)
    sources.push(`${createHash('sha256').update(source).digest('hex')} ${original}.ttf`)
    const tables = readTables(subset(module, source), 0)
    const renamed: [string, Uint8Array][] = []
    for (const tag of tables.tags) {
      const bytes = tables.part(tag, 0, tables.sizeOf(tag))
      const name = () => nameTable(readTables(source, 0).get('name')!, family, style)
      renamed.push([tag, tag === 'name' ? name() : bytes])
    }
    const font = writeSfnt(renamed.sort(([a], [b]) => (a < b ? -1 : 1)))
    const check = readNames(readTables(font, 0).get('name')!)
    if (check.family !== family) throw new Error(`${file} kept the name ${check.family}`)
    files.set(`${fontFolder}${file}`, deflateRawSync(font, { level: 9 }))
  }
  const licences = packages.map((name) => readFileSync(`/usr/share/doc/${name}/copyright`, 'utf8'))
  files.set(`${fontFolder}LICENCES.txt`, licences.join('\n\n'))
  return files.set(sourcesFile, [recipeLine(), ...sources, ''].join('\n'))
}

/** What the bundled fonts were made from: the first line is the recipe, the others are the fonts. */
const sourcesFile = `${fontFolder}SOURCES.txt`

/** A digest of all that decides what the bundled fonts hold, apart from the fonts of the packages. */
function recipeLine(): string {
  const recipe = { bundledFaces, folders, kept, features, dropped }
  return `${createHash('sha256').update(JSON.stringify(recipe)).digest('hex')} recipe`
}

/** The check on a machine that does not have the packages: were the fonts made by this recipe? */
export function staleFonts(read: (path: string) => Uint8Array | undefined): string[] {
  const sources = new TextDecoder().decode(read(sourcesFile))
  return sources.startsWith(`${recipeLine()}\n`) ? [] : [sourcesFile]
}

/** What is in a file that the service made, as other programs and other readers see it. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { read, utils } from '@e965/xlsx'
import { parquetReadObjects } from 'hyparquet'
import JSZip from 'jszip'
import type { FormatId } from '../../shared/plugin/values.ts'
import { unlessMissing } from '../helpers/programs.ts'

const execute = promisify(execFile)
const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Opened by LibreOffice, which prints them: what it shows is what they hold. */
const office =
  words(`docx docx7 doc doc6 doc95 odt ott fodt rtf sxw stw uot ooxml xlsx xls xls5 xls95 xlt xlt5
  xlt95 ods ots fods sxc stc uos dif slk pptx potm ppt pps pot odp otp fodp sxi uop odg odd otg fodg sxd`)
const markup = words('html html10 xhtml docbook')
/** Templates of OpenOffice.org 1, which nothing opens any more: their text is read where it stands. */
const packages = words('sti std')
const plain = words('txt text etext text10 csv md latex bib')
/** One page, slide or sheet, as a picture. Nothing free reads Flash, and EPS only where Ghostscript is installed. */
const printable = words('png jpg webp bmp gif tiff emf wmf svm svg pbm pgm ppm ras pct')

export interface Opened {
  /** Undefined: the format carries no text. */
  readonly text?: string
  readonly problem?: string
}

/** Where `print` leaves what it made of a file. */
const printed = (folder: string, path: string) =>
  join(folder, `${basename(path).replace(/\.[^.]*$/, '')}.pdf`)

/** Prints with LibreOffice all files that it is to open, many in one run; what a run leaves out gets one of its own. */
export async function print(
  files: readonly { readonly path: string; readonly format: FormatId }[],
  folder: string,
): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const wanted = files.filter(({ format }) => office.has(format) || printable.has(format))
  // LibreOffice recognises a file by its name, and `.xml` stands for three formats, so each gets a folder.
  const groups = Map.groupBy(wanted, ({ format }) => format)
  for (const [format, group] of groups) {
    for (let at = 0; at < group.length; at += batch)
      await run(
        format,
        group.slice(at, at + batch).map(({ path }) => path),
        folder,
      )
    for (const { path } of group) if (!existsSync(printed(folder, path))) await run(format, [path], folder)
  }
}
const batch = 40
/** What LibreOffice does not see by itself. */
const filters: Readonly<Record<FormatId, string>> = { dif: 'DIF:76,34,0' }

async function run(format: FormatId, paths: readonly string[], folder: string): Promise<void> {
  const filter = filters[format]
  const command = [
    `-env:UserInstallation=file://${folder}/profile`,
    '--headless',
    ...(filter === undefined ? [] : [`--infilter=${filter}`]),
    '--convert-to',
    'pdf',
    '--outdir',
    folder,
    ...paths,
  ]
  await execute('soffice', command, { timeout: 600_000 }).catch(unlessMissing)
}

/** Its text, without spaces: lines are broken where they may be. After `print`. */
export async function openAgain(path: string, format: FormatId, folder: string): Promise<Opened> {
  const bytes = new Uint8Array(readFileSync(path))
  if (format === 'pdf') return { text: await pdfText(path) }
  if (plain.has(format)) return { text: squeezed(new TextDecoder().decode(bytes)) }
  if (markup.has(format)) return { text: squeezed(withoutTags(new TextDecoder().decode(bytes))) }
  if (packages.has(format)) return { text: squeezed(await packageText(bytes)) }
  if (format === 'epub') return { text: squeezed(await epubText(bytes)) }
  if (format === 'dbf') return { text: squeezed(new TextDecoder().decode(bytes)) }
  if (format === 'numbers') return { text: squeezed(tableText(bytes)) }
  if (format === 'parquet') return { text: squeezed(await parquetText(bytes)) }
  const pdf = printed(folder, path)
  if (office.has(format))
    return existsSync(pdf) ? { text: await pdfText(pdf) } : { problem: 'LibreOffice does not open it' }
  if (!printable.has(format)) return {}
  if (!existsSync(pdf)) return { problem: 'LibreOffice does not open it' }
  return (await hasMarks(pdf)) ? {} : { problem: 'it shows nothing' }
}

async function pdfText(path: string): Promise<string> {
  const { stdout } = await execute('pdftotext', ['-q', path, '-'], { maxBuffer: 2 ** 26 })
  return squeezed(stdout)
}

export const squeezed = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\u00ad]+/g, '')

function withoutTags(text: string): string {
  return text
    .replace(/<(style|script)\b.*?<\/\1>/gis, '')
    .replace(/<[^>]*>/g, '')
    .replace(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&uuml;/g, 'ü')
}

async function packageText(bytes: Uint8Array): Promise<string> {
  const zip = await JSZip.loadAsync(bytes)
  return withoutTags((await zip.file('content.xml')?.async('string')) ?? '')
}

async function epubText(bytes: Uint8Array): Promise<string> {
  const zip = await JSZip.loadAsync(bytes)
  const pages = zip.file(/\.x?html$/).map((file) => file.async('string'))
  return withoutTags((await Promise.all(pages)).join('\n'))
}

async function parquetText(bytes: Uint8Array): Promise<string> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
  const rows = await parquetReadObjects({ file })
  return rows.map((row) => Object.entries(row).flat().map(String).join(' ')).join('\n')
}

/** LibreOffice sees no values in tables of Numbers. */
function tableText(bytes: Uint8Array): string {
  const book = read(bytes)
  return Object.values(book.Sheets)
    .map((sheet) => utils.sheet_to_csv(sheet))
    .join('\n')
}

/** Whether a page holds more than one colour. */
async function hasMarks(pdf: string): Promise<boolean> {
  const { stdout } = await execute('pdftoppm', ['-q', '-r', '40', '-f', '1', '-l', '1', pdf], {
    encoding: 'buffer',
    maxBuffer: 2 ** 28,
  })
  const header = /^P6\s+\d+\s+\d+\s+255\s/.exec(stdout.subarray(0, 40).toString('latin1'))
  if (header === null) return false
  const pixels = stdout.subarray(header[0].length)
  const first = pixels.subarray(0, 3)
  for (let at = 3; at + 2 < pixels.length; at += 3)
    if (pixels[at] !== first[0] || pixels[at + 1] !== first[1] || pixels[at + 2] !== first[2]) return true
  return false
}

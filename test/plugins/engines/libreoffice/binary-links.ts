/** Files of binary formats with links, made by an office alone: what the engine drops is still in them. */
import { execFile } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findInstallation } from '../../../../plugins/engines/libreoffice/installation.ts'
import { encodedAddress, xlsWithBook } from '../../../helpers/compound.ts'
import {
  complexField,
  flat,
  type LinkedDocument,
  workbookWithFormula,
} from '../../../helpers/documents-with-links.ts'
import { docxOf } from '../../../helpers/docx.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'

/** An address without a server while the files are made. It is as long as that of a test server. */
const placeholder = 'http://127.0.0.1:65535/canary'
const picture = (anchor = '') =>
  `<draw:frame svg:x="1cm" svg:y="1cm" svg:width="2cm" svg:height="2cm"${anchor}><draw:image xlink:href="${placeholder}"/></draw:frame>`

const sources = [
  ['doc', 'docx', await docxOf(complexField('INCLUDETEXT ', `"${placeholder}"`)), 'old'],
  ['xls', 'xlsx', await workbookWithFormula(`_xlfn.WEBSERVICE("${placeholder}")`), ''],
  [
    'doc',
    'fodt',
    flat(
      'text',
      'text',
      `<text:p>${picture(' text:anchor-type="as-char"')}</text:p><text:section text:name="s"><text:section-source xlink:href="${placeholder}"/><text:p>old</text:p></text:section>`,
    ),
    'old',
  ],
  [
    'xls',
    'fods',
    flat(
      'spreadsheet',
      'spreadsheet',
      `<table:table table:name="S"><table:shapes>${picture()}</table:shapes><table:table-row><table:table-cell office:value-type="float" office:value="1234"/></table:table-row></table:table>`,
    ),
    '1234',
  ],
  [
    'ppt',
    'fodp',
    flat(
      'presentation',
      'presentation',
      `<draw:page draw:name="1">${picture()}<draw:frame svg:x="3cm" svg:y="5cm" svg:width="9cm" svg:height="2cm"><draw:text-box><text:p>slide</text:p></draw:text-box></draw:frame></draw:page>`,
    ),
    'slide',
  ],
] as const

/** `http`: the address that they name, as long as the placeholder. */
export async function binaryDocumentsWithLinks(http: string): Promise<[string, LinkedDocument][]> {
  if (http.length !== placeholder.length) throw new Error(`${http} has not the length of ${placeholder}`)
  const found = await findInstallation({})
  if (found.kind === 'none') throw new Error(found.because)
  const program = found.kind === 'uno' ? found.installation.program : found.program
  const folder = temporaryFolder('binary-links')
  try {
    const book = xlsWithBook(encodedAddress(http))
    const made: [string, LinkedDocument][] = [
      ['another workbook of an XLS file', { from: 'xls', bytes: book, warned: true, shows: '5678' }],
    ]
    for (const [to, from, source, shows] of sources) {
      const path = join(folder, `linked.${from}`)
      writeFileSync(path, source)
      const words = ['--headless', `-env:UserInstallation=file://${folder}/profile`, '--convert-to', to]
      const start = () => promisify(execFile)(program, [...words, '--outdir', folder, path])
      await start().catch((error: { readonly code?: unknown }) => {
        // With a new profile it puts its extensions in order first, and asks for a second start.
        if (error.code !== 81) throw error
        return start()
      })
      const bytes = withAddress(readFileSync(join(folder, `linked.${to}`)), http)
      made.push([
        `what a ${to.toUpperCase()} file names that was ${from.toUpperCase()}`,
        { from: to, bytes, warned: true, shows },
      ])
    }
    return made
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** With the address in place of the placeholder, in the two encodings of these formats. */
function withAddress(bytes: Buffer, http: string): Uint8Array {
  let count = 0
  for (const encoding of ['latin1', 'utf16le'] as const) {
    // As bytes: a search for UTF-16 text finds it at even places alone.
    const wanted = Buffer.from(placeholder, encoding)
    for (let at = bytes.indexOf(wanted); at >= 0; count++) {
      bytes.write(http, at, encoding)
      at = bytes.indexOf(wanted, at)
    }
  }
  if (count === 0) throw new Error('the office wrote no address')
  return new Uint8Array(bytes)
}

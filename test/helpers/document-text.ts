import JSZip from 'jszip'

/** The text of a document as a reader sees it, a line for each paragraph or row, cells divided by ' | '. */
export async function documentText(bytes: Uint8Array): Promise<string> {
  // Text is as it is.
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return new TextDecoder().decode(bytes)
  const zip = await JSZip.loadAsync(bytes)
  const read = async (name: string) => (await zip.file(name)?.async('string')) ?? ''
  const names = Object.keys(zip.files)
  if (names.includes('word/document.xml')) return linesOf(await read('word/document.xml'), 'w:')
  if (names.includes('ppt/presentation.xml')) {
    const relations = await read('ppt/_rels/presentation.xml.rels')
    const presentation = await read('ppt/presentation.xml')
    const slides: string[] = []
    for (const [, id = ''] of presentation.matchAll(/<p:sldId\b[^>]*\sr:id="([^"]*)"/g)) {
      const element = [...relations.matchAll(/<Relationship\b[^>]*>/g)]
        .map(String)
        .find((each) => each.includes(` Id="${id}"`))
      const target = /\sTarget="([^"]*)"/.exec(element ?? '')?.[1] ?? ''
      const path = target.startsWith('/') ? target.slice(1) : `ppt/${target}`
      slides.push(`--- slide ${slides.length + 1}\n${linesOf(await read(path), 'a:')}`)
    }
    return slides.join('')
  }
  if (names.includes('xl/workbook.xml')) {
    const strings = [...(await read('xl/sharedStrings.xml')).matchAll(/<si>(.*?)<\/si>/gs)].map(
      ([, item = '']) => plain(item),
    )
    const sheet = await read('xl/worksheets/sheet1.xml')
    return rowsOf(
      sheet,
      /<row\b[^>]*>(.*?)<\/row>/gs,
      /<c\b([^>]*?)(?:\/>|>(.*?)<\/c>)/gs,
      (attributes, content) => {
        const formula = /<f>(.*?)<\/f>/s.exec(content)?.[1]
        if (formula !== undefined) return `=${plain(formula)}`
        const value = /<v>(.*?)<\/v>/.exec(content)?.[1]
        return / t="s"/.test(attributes) ? strings[Number(value)]! : (value ?? plain(content))
      },
    )
  }
  const content = await read('content.xml')
  if (!content.includes('<office:spreadsheet>')) return linesOf(content, 'text:')
  return rowsOf(
    content,
    /<table:table-row\b[^>]*>(.*?)<\/table:table-row>/gs,
    /<table:table-cell\b([^>]*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs,
    (attributes, inside) => {
      const formula = /table:formula="of:([^"]*)"/.exec(attributes)?.[1]
      return formula ?? /office:value="([^"]*)"/.exec(attributes)?.[1] ?? plain(inside)
    },
  )
}

function rowsOf(
  text: string,
  row: RegExp,
  cell: RegExp,
  show: (attributes: string, content: string) => string,
): string {
  return [...text.matchAll(row)]
    .map(([, cells = '']) =>
      [...cells.matchAll(cell)].map(([, attributes = '', content = '']) => show(attributes, content)),
    )
    .map((cells) => cells.join(' | ').replace(/[ |]+$/, ''))
    .filter((line) => line !== '')
    .map((line) => `${line}\n`)
    .join('')
}

/** Paragraphs of a cell stand in one line. */
function linesOf(markup: string, prefix: string): string {
  const marked = markup
    .replace(/<w:instrText.*?<\/w:instrText>/gs, '')
    .replace(/<wp:docPr\b[^>]*>/g, '')
    .replace(new RegExp(`</${prefix}tc>`, 'g'), '\u0001')
    .replace(new RegExp(`</${prefix}tr>`, 'g'), '\n')
    .replace(new RegExp(`<${prefix}tc[ >].*?\u0001`, 'gs'), (cell) =>
      cell.replace(new RegExp(`</${prefix}p>`, 'g'), ' '),
    )
    .replace(new RegExp(`</${prefix}p>`, 'g'), '\n')
  return plain(marked)
    .split('\n')
    .map((line) =>
      line
        .replaceAll('\u0001', ' | ')
        .replace(/\s+/g, ' ')
        .replace(/[ |]+$/, '')
        .trim(),
    )
    .filter((line) => line !== '')
    .map((line) => `${line}\n`)
    .join('')
}

const plain = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')

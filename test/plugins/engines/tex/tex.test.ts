import { readdirSync, readFileSync } from 'node:fs'
import JSZip from 'jszip'
import { describe, expect, it } from 'vitest'
import plugin from '../../../../plugins/engines/tex/index.ts'
import { formats } from '../../../../plugins/formats/index.ts'
import { AppError } from '../../../../shared/errors/app-error.ts'
import { bytesOf, fromBytes } from '../../../../shared/plugin/byte-source.ts'
import { docxOf, odtOf } from '../../../helpers/docx.ts'
import { testHost } from '../../../helpers/host.ts'

const engine = plugin.create({}, testHost(formats))
const corpus = new URL('../../../fixtures/corpus/', import.meta.url)

async function convert(bytes: Uint8Array, from: string, to: string) {
  const job = { source: fromBytes(bytes), from, to, options: { names: [] }, deadline: Date.now() + 200_000 }
  const made = await engine.convert(job, new AbortController().signal)
  return { ...made, bytes: await bytesOf(made.value) }
}
const read = async (bytes: Uint8Array, from: string, to: string) =>
  new TextDecoder().decode((await convert(bytes, from, to)).bytes)

/** What stands between begin and end of the document. */
const bodyOf = (latex: string) =>
  /\\begin\{document\}\s*([\s\S]*?)\s*\\end\{document\}\n$/.exec(latex)?.[1] ?? latex

const run = (text: string, properties = '') =>
  `<w:r>${properties === '' ? '' : `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`
const paragraph = (content: string, properties = '') =>
  `<w:p>${properties === '' ? '' : `<w:pPr>${properties}</w:pPr>`}${content}</w:p>`

const mathRun = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`
const fraction = `<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:f><m:num>${mathRun('a')}</m:num><m:den>${mathRun('α')}</m:den></m:f></m:oMath>`

describe('LaTeX', () => {
  it.each([
    [
      'text',
      paragraph(run('50 % of {a} &amp; b_c #1 $2 ~ ^ \\ &lt;x&gt;')),
      '50 \\% of \\{a\\} \\& b\\_c \\#1 \\$2 \\textasciitilde{} \\textasciicircum{} \\textbackslash{} \\textless{}x\\textgreater{}',
    ],
    [
      'looks',
      paragraph(
        run('a', '<w:b/>') +
          run('b', '<w:i/>') +
          run('c', '<w:b/><w:i/>') +
          run('d', '<w:strike/>') +
          run('2', '<w:vertAlign w:val="superscript"/>'),
      ),
      '\\textbf{a}\\textit{b}\\textit{\\textbf{c}}\\sout{d}\\textsuperscript{2}',
    ],
    [
      'headings',
      paragraph(run('One'), '<w:outlineLvl w:val="0"/>') +
        paragraph(run('Two'), '<w:outlineLvl w:val="1"/>') +
        paragraph(run('Nine'), '<w:outlineLvl w:val="8"/>'),
      '\\section{One}\n\n\\subsection{Two}\n\n\\subparagraph{Nine}',
    ],
    [
      'alignment',
      paragraph(run('c'), '<w:jc w:val="center"/>') + paragraph(run('r'), '<w:jc w:val="right"/>'),
      '\\begin{center}\nc\n\\end{center}\n\n\\begin{flushright}\nr\n\\end{flushright}',
    ],
    [
      'breaks',
      paragraph(`${run('a')}<w:r><w:br/></w:r>${run('b')}<w:r><w:tab/></w:r>${run('c')}`),
      'a\\\\\nb\\quad{}c',
    ],
    [
      'equations',
      paragraph(`${run('x ')}${fraction}${run(' y')}`) +
        paragraph(
          `<m:oMathPara xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">${fraction}</m:oMathPara>`,
        ),
      'x \\(\\frac{a}{\\alpha}\\) y\n\n\\begin{center}\n\\(\\displaystyle \\frac{a}{\\alpha}\\)\n\\end{center}',
    ],
    ['hidden text', paragraph(run('seen') + run('hidden', '<w:vanish/>')), 'seen'],
  ])('%s', async (_, body, expected) => {
    expect(bodyOf(await read(await docxOf(body), 'docx', 'latex'))).toBe(expected)
  })

  it('lists', async () => {
    const policy = new Uint8Array(readFileSync(new URL('gyselroth__policy_with_bullets.docx', corpus)))
    const body = bodyOf(await read(policy, 'docx', 'latex'))
    expect(body).toMatch(/\\begin\{itemize\}\n(?: {2}\\item [^\n]+\n)+\\end\{itemize\}/)
  })

  it('tables with spans, and links', async () => {
    const cell = (text: string, properties = '') =>
      `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(run(text))}</w:tc>`
    const table = `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="100"/><w:gridCol w:w="100"/></w:tblGrid><w:tr>${cell('wide', '<w:gridSpan w:val="2"/>')}</w:tr><w:tr>${cell('a')}${cell('b &amp; c')}</w:tr></w:tbl>`
    const latex = await read(await docxOf(table), 'docx', 'latex')
    expect(latex).toMatch(/\\begin\{longtable\}\{\|p\{[^}]+\}\|p\{[^}]+\}\|\}/)
    expect(latex).toMatch(/\\multicolumn\{2\}\{\|p\{[^}]+\}\|\}\{wide\} \\\\ \\hline/)
    expect(latex).toContain('a & b \\& c \\\\ \\hline')
    const link =
      '<text:p><text:a xlink:href="https://example.org/a%20b?x=1&amp;y=2#z" xlink:type="simple">here</text:a></text:p>'
    expect(bodyOf(await read(await odtOf(link), 'odt', 'latex'))).toBe(
      '\\href{https://example.org/a\\%20b?x=1&y=2\\#z}{here}',
    )
  })

  it.each(readdirSync(corpus).filter((name) => /\.(docx|odt)$/.test(name)))(
    '%s is balanced',
    async (name) => {
      const from = name.slice(-4).replace('.', '')
      const made = await convert(new Uint8Array(readFileSync(new URL(name, corpus))), from, 'latex')
      const zip = made.format === 'zip' ? await JSZip.loadAsync(made.bytes) : undefined
      const latex = (await zip?.file('document.tex')?.async('string')) ?? new TextDecoder().decode(made.bytes)
      const plain = latex.replace(/\\[\\{}%]/g, '')
      expect(plain.split('{').length).toBe(plain.split('}').length)
      const open: string[] = []
      for (const [, verb, environment = ''] of latex.matchAll(/\\(begin|end)\{(\w+)\}/g))
        if (verb === 'begin') open.push(environment)
        else expect(open.pop()).toBe(environment)
      expect(open).toEqual([])
      // Every picture that is shown came along, and none for nothing.
      const shown = new Set(
        [...latex.matchAll(/\\includegraphics(?:\[[^\]]*\])?\{([^}]+)\}/g)].map(([, file]) => file),
      )
      expect([...shown].sort()).toEqual(
        Object.keys(zip?.files ?? {})
          .filter((file) => file !== 'document.tex')
          .sort(),
      )
      expect(bodyOf(latex).length).toBeGreaterThan(100)
    },
  )
})

describe('BibTeX', () => {
  const mark = (attributes: string) =>
    `<text:p><text:bibliography-mark ${attributes}>[x]</text:bibliography-mark></text:p>`

  it('holds what an ODT cites, each work once', async () => {
    const knuth = mark(
      'text:identifier="Knuth 84" text:bibliography-type="book" text:author="Knuth, D.; Bibby, D." text:title="The TeX &amp; book" text:year="1984" text:publisher="AW"',
    )
    const site = mark('text:identifier="site" text:bibliography-type="www" text:url="https://e.org/a_b"')
    expect(await read(await odtOf(knuth + knuth + site), 'odt', 'bib')).toBe(
      '@book{Knuth_84,\n  author = {Knuth, D. and Bibby, D.},\n  title = {The TeX \\& book},\n  year = {1984},\n  publisher = {AW}\n}\n\n@misc{site,\n  url = {https://e.org/a_b}\n}\n',
    )
  })

  it('holds the sources of a DOCX', async () => {
    const sources = `<b:Sources xmlns:b="http://schemas.openxmlformats.org/officeDocument/2006/bibliography"><b:Source><b:Tag>Doe20</b:Tag><b:SourceType>JournalArticle</b:SourceType><b:Author><b:Author><b:NameList><b:Person><b:Last>Doe</b:Last><b:First>Jane</b:First></b:Person><b:Person><b:Last>Roe</b:Last></b:Person></b:NameList></b:Author><b:Editor><b:Corporate>A {B} &amp; C</b:Corporate></b:Editor></b:Author><b:Title>On 100 %</b:Title><b:JournalName>J</b:JournalName><b:Year>2020</b:Year></b:Source></b:Sources>`
    const docx = await docxOf(paragraph(run('x')), {
      'customXml/item1.xml': '<other/>',
      'customXml/item2.xml': sources,
    })
    expect(await read(docx, 'docx', 'bib')).toBe(
      '@article{Doe20,\n  author = {Doe, Jane and Roe},\n  editor = {{A B \\& C}},\n  title = {On 100 \\%},\n  journal = {J},\n  year = {2020}\n}\n',
    )
  })

  it('is empty with a warning where nothing is cited', async () => {
    const made = await convert(await odtOf('<text:p>x</text:p>'), 'odt', 'bib')
    expect(new TextDecoder().decode(made.bytes)).toBe('% The document cites no works.\n')
    expect(made.warnings.map(({ code }) => code)).toEqual(['convert.no-citations'])
  })
})

it.each(['docx', 'odt'])('rubbish called %s ends in a typed error', async (from) => {
  for (const to of ['latex', 'bib'])
    for (const bytes of [new Uint8Array(0), Uint8Array.from({ length: 900 }, (_, at) => (at * 7919) & 255)])
      await expect(convert(bytes, from, to)).rejects.toBeInstanceOf(AppError)
})

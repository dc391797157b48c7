import { fromHtml } from 'hast-util-from-html'
import { flowOf } from '../../../shared/flow/from-hast.ts'
import { writeDocbook } from '../../../shared/flow/write-docbook.ts'
import { writeHtml } from '../../../shared/flow/write-html.ts'
import { writeMarkdown } from '../../../shared/flow/write-markdown.ts'
import { writeOdf } from '../../../shared/flow/write-odf.ts'
import { sheetsOf } from '../../../shared/flow/write-sheets.ts'
import { writeText } from '../../../shared/flow/write-text.ts'
import { caseFolders, outline } from '../../helpers/case-folders.ts'

/** `page.html`; expected: the flow model, and what every writer makes of it, without the styles around the text. */
caseFolders('flow', ({ text }) => {
  const flow = flowOf(fromHtml(text('page.html') ?? ''))
  const { sheets, omitsText } = sheetsOf(flow)
  const inside = (source: string, tag: string) =>
    source.slice(source.indexOf(`<${tag}`), source.lastIndexOf(`</${tag}`))
  const written = [
    ['markdown', writeMarkdown(flow)],
    ['text', writeText(flow)],
    ['html', inside(writeHtml(flow), 'body')],
    ['docbook', writeDocbook(flow)],
    ['odf', lines(inside(writeOdf(flow), 'office:body'))],
    [
      `sheets${omitsText ? ', without the text around tables' : ''}`,
      lines(inside(sheets, 'office:spreadsheet')),
    ],
  ]
  return {
    'flow.txt': outline({ title: flow.title, blocks: flow.blocks }),
    'written.txt': written.map(([name, source = '']) => `## ${name}\n${source.trimEnd()}\n`).join('\n'),
  }
})

/** An element a line where elements meet. */
function lines(xml: string): string {
  return xml.replaceAll(/>(?=<(?!text:span|text:s[ /]|\/))/g, '>\n')
}

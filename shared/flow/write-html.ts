/** Writes a flow as a self-contained web page with semantic elements and embedded pictures. */
import { toBase64 } from '../plugin/base64.ts'
import type { Flow, FlowAlign, FlowBlock, FlowInline, FlowStyle, FlowTable } from './flow.ts'
import { columnsOf, gridOf } from './grid.ts'
import { pageStyle } from './page-style.ts'

export function writeHtml(flow: Flow): string {
  const notes: string[] = []
  const body = blocksHtml(flow, flow.blocks, notes)
  const end = notes.length === 0 ? '' : `<section data-footnotes><ol>${notes.join('')}</ol></section>\n`
  return htmlPage({ title: flow.title ?? '', language: flow.language, body: body + end })
}

/** Wraps the HTML of a body in a complete page. */
export function htmlPage({
  title,
  language,
  body,
}: {
  readonly title: string
  readonly language?: string | undefined
  readonly body: string
}): string {
  const lang = language === undefined ? '' : ` lang="${escaped(language)}"`
  return `<!DOCTYPE html>\n<html${lang}>\n<head>\n<meta charset="utf-8">\n<title>${escaped(title)}</title>\n<style>\n${pageStyle}</style>\n</head>\n<body>\n${body}</body>\n</html>\n`
}

function blocksHtml(flow: Flow, blocks: readonly FlowBlock[], notes: string[]): string {
  return blocks.map((block) => blockHtml(flow, block, notes)).join('')
}

function blockHtml(flow: Flow, block: FlowBlock, notes: string[]): string {
  const inside = (inlines: readonly FlowInline[]) =>
    inlines.map((inline) => inlineHtml(flow, inline, notes)).join('')
  switch (block.kind) {
    case 'heading':
      return `<h${block.level}${direction(block)}${alignment(block.align)}>${inside(block.inlines)}</h${block.level}>\n`
    case 'paragraph':
      return `<p${direction(block)}${alignment(block.align)}>${inside(block.inlines)}</p>\n`
    case 'list': {
      const tag = block.ordered ? 'ol' : 'ul'
      const start = block.ordered && block.start !== 1 ? ` start="${block.start}"` : ''
      const items = block.items.map(({ blocks, checked }) => {
        const box =
          checked === undefined ? '' : `<input type="checkbox" disabled${checked ? ' checked' : ''}> `
        const [only, ...more] = blocks
        const content =
          only?.kind === 'paragraph' && more.every((block) => block.kind === 'list')
            ? inside(only.inlines) + blocksHtml(flow, more, notes)
            : blocksHtml(flow, blocks, notes)
        return `<li>${box}${content}</li>\n`
      })
      return `<${tag}${start}>\n${items.join('')}</${tag}>\n`
    }
    case 'table':
      return tableHtml(flow, block, notes)
    case 'code':
      return `<pre><code${block.language === undefined ? '' : ` class="language-${escaped(block.language)}"`}>${escaped(block.text)}</code></pre>\n`
    case 'quote':
      return `<blockquote>\n${blocksHtml(flow, block.blocks, notes)}</blockquote>\n`
    case 'rule':
      return '<hr>\n'
    case 'page-break':
      return ''
    default:
      return block satisfies never
  }
}

function tableHtml(flow: Flow, { rows, headerRows, ...way }: FlowTable, notes: string[]): string {
  if (columnsOf(rows) === 0) return ''
  const lines = gridOf(rows, 0).map((row, y) => {
    const cells = row.map((cell) => {
      if (cell === 'covered') return ''
      if (cell === 'empty') return '<td></td>'
      const tag = cell.header === true || y < headerRows ? 'th' : 'td'
      const spans = `${cell.columns > 1 ? ` colspan="${cell.columns}"` : ''}${cell.rows > 1 ? ` rowspan="${cell.rows}"` : ''}`
      const [only, ...more] = cell.blocks
      const single = only?.kind === 'paragraph' && more.length === 0
      const align = single ? `${direction(only)}${alignment(only.align)}` : ''
      const content = single
        ? only.inlines.map((flowInline) => inlineHtml(flow, flowInline, notes)).join('')
        : blocksHtml(flow, cell.blocks, notes)
      return `<${tag}${spans}${align}>${content}</${tag}>`
    })
    return `<tr>${cells.join('')}</tr>\n`
  })
  const head = lines.slice(0, headerRows).join('')
  const body = lines.slice(headerRows).join('')
  return `<table${direction(way)}>\n${head === '' ? '' : `<thead>\n${head}</thead>\n`}<tbody>\n${body}</tbody>\n</table>\n`
}

function inlineHtml(flow: Flow, inline: FlowInline, notes: string[]): string {
  switch (inline.kind) {
    case 'break':
      return '<br>\n'
    case 'picture': {
      const picture = flow.pictures.get(inline.picture)
      if (picture === undefined) return escaped(inline.text)
      const size = [
        ['width', inline.width],
        ['height', inline.height],
      ] as const
      const sides = size
        .map(([name, value]) => (value === undefined ? '' : ` ${name}="${Math.round(value / 0.75)}"`))
        .join('')
      return `<img src="data:${escaped(picture.mime)};base64,${toBase64(picture.bytes)}" alt="${escaped(inline.text)}"${sides}>`
    }
    case 'note': {
      const number = notes.push('')
      notes[number - 1] = `<li id="fn-${number}">${blocksHtml(flow, inline.blocks, notes)}</li>\n`
      return `<sup><a href="#fn-${number}" data-footnote-ref>${number}</a></sup>`
    }
    case 'text': {
      const text = wrapped(escaped(inline.text), inline.style)
      return inline.link === undefined ? text : `<a href="${escaped(inline.link)}">${text}</a>`
    }
    default:
      return inline satisfies never
  }
}

function wrapped(text: string, { bold, italic, underline, strike, code, script }: FlowStyle): string {
  const tags = [
    code && 'code',
    script === 'super' && 'sup',
    script === 'sub' && 'sub',
    strike && 'del',
    underline && 'u',
    italic && 'em',
    bold && 'strong',
  ]
  return tags.reduce(
    (inner: string, tag) => (typeof tag === 'string' ? `<${tag}>${inner}</${tag}>` : inner),
    text,
  )
}

function direction(block: { readonly direction?: 'rtl' }): string {
  return block.direction === undefined ? '' : ' dir="rtl"'
}

function alignment(align: FlowAlign | undefined): string {
  return align === undefined || align === 'left' ? '' : ` style="text-align:${align}"`
}

export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}

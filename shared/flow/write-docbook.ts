/** Writes a flow as a DocBook 4.5 article: headings become sections, pictures are embedded. */
import { toBase64 } from '../plugin/base64.ts'
import type { Flow, FlowBlock, FlowInline, FlowStyle, FlowTable } from './flow.ts'
import { columnsOf, gridOf } from './grid.ts'

const doctype =
  '<!DOCTYPE article PUBLIC "-//OASIS//DTD DocBook XML V4.5//EN" "http://www.oasis-open.org/docbook/xml/4.5/docbookx.dtd">'

export function writeDocbook(flow: Flow): string {
  const [first, ...rest] = flow.blocks
  // Without a title of its own, the article takes the heading at the top of the text.
  const usesFirstHeading = flow.title === undefined && first?.kind === 'heading'
  const title = usesFirstHeading ? inlinesXml(flow, first.inlines) : xml(flow.title ?? '')
  const blocks = usesFirstHeading ? rest : flow.blocks
  const lang = flow.language === undefined ? '' : ` lang="${xml(flow.language)}"`
  const body = sections(flow, blocks)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${doctype}\n<article${lang}>\n<title>${title}</title>\n${body || '<para/>\n'}</article>\n`
}

/**
 * A heading opens a section and closes those of the same or a deeper level. Blocks belong to the innermost
 * open section.
 */
function sections(flow: Flow, blocks: readonly FlowBlock[]): string {
  const open: { readonly level: number; filled: boolean }[] = []
  let result = ''
  const close = () => {
    // DocBook does not allow an empty section.
    result += `${open.pop()?.filled === true ? '' : '<para/>\n'}</section>\n`
  }
  for (const block of blocks) {
    if (block.kind !== 'heading') {
      const inside = blockXml(flow, block)
      const parent = open.at(-1)
      if (parent !== undefined && inside !== '') parent.filled = true
      result += inside
      continue
    }
    while ((open.at(-1)?.level ?? 0) >= block.level) close()
    const parent = open.at(-1)
    if (parent !== undefined) parent.filled = true
    open.push({ level: block.level, filled: false })
    const [anchor] = block.anchors ?? []
    const id = anchor !== undefined && /^[A-Za-z_][\w.-]*$/.test(anchor) ? ` id="${anchor}"` : ''
    result += `<section${id}>\n<title>${inlinesXml(flow, block.inlines)}</title>\n`
  }
  while (open.length > 0) close()
  return result
}

function blocksXml(flow: Flow, blocks: readonly FlowBlock[]): string {
  return blocks.map((block) => blockXml(flow, block)).join('')
}

function blockXml(flow: Flow, block: FlowBlock): string {
  switch (block.kind) {
    case 'heading':
      return `<bridgehead>${inlinesXml(flow, block.inlines)}</bridgehead>\n`
    case 'paragraph':
      return `<para>${inlinesXml(flow, block.inlines)}</para>\n`
    case 'list': {
      if (block.items.length === 0) return ''
      const tag = block.ordered ? 'orderedlist' : 'itemizedlist'
      const items = block.items.map(({ blocks, checked }) => {
        const box = checked === undefined ? '' : `<para>${checked ? '☑' : '☐'}</para>\n`
        return `<listitem>\n${box}${blocksXml(flow, blocks) || '<para/>\n'}</listitem>\n`
      })
      return `<${tag}>\n${items.join('')}</${tag}>\n`
    }
    case 'table':
      return tableXml(flow, block)
    case 'code': {
      const language = block.language === undefined ? '' : ` language="${xml(block.language)}"`
      return `<programlisting${language}>${xml(block.text)}</programlisting>\n`
    }
    case 'quote':
      return `<blockquote>\n${blocksXml(flow, block.blocks) || '<para/>\n'}</blockquote>\n`
    case 'rule':
    case 'page-break':
      return ''
    default:
      return block satisfies never
  }
}

function tableXml(flow: Flow, { rows, headerRows }: FlowTable): string {
  const columns = columnsOf(rows)
  if (columns === 0) return ''
  const specs = Array.from({ length: columns }, (_, at) => `<colspec colname="c${at + 1}"/>`)
  const lines = gridOf(rows, 0).map((row) => {
    const cells = row.map((cell, at) => {
      if (cell === 'covered') return ''
      if (cell === 'empty') return '<entry/>'
      const wide = cell.columns > 1 ? ` namest="c${at + 1}" nameend="c${at + cell.columns}"` : ''
      const high = cell.rows > 1 ? ` morerows="${cell.rows - 1}"` : ''
      return `<entry${wide}${high}>${blocksXml(flow, cell.blocks)}</entry>`
    })
    return `<row>${cells.join('')}</row>\n`
  })
  // DocBook requires a table body.
  const heads = Math.min(headerRows, lines.length - 1)
  const head = heads > 0 ? `<thead>\n${lines.slice(0, heads).join('')}</thead>\n` : ''
  return `<informaltable><tgroup cols="${columns}">\n${specs.join('')}\n${head}<tbody>\n${lines.slice(Math.max(0, heads)).join('')}</tbody>\n</tgroup></informaltable>\n`
}

const inlinesXml = (flow: Flow, inlines: readonly FlowInline[]): string =>
  inlines.map((inline) => inlineXml(flow, inline)).join('')

function inlineXml(flow: Flow, flowInline: FlowInline): string {
  switch (flowInline.kind) {
    case 'break':
      return '\n'
    case 'note':
      return `<footnote>${blocksXml(flow, flowInline.blocks) || '<para/>'}</footnote>`
    case 'picture': {
      const picture = flow.pictures.get(flowInline.picture)
      if (picture === undefined) return xml(flowInline.text)
      const text =
        flowInline.text === '' ? '' : `<textobject><phrase>${xml(flowInline.text)}</phrase></textobject>`
      return `<inlinemediaobject><imageobject><imagedata fileref="data:${picture.mime};base64,${toBase64(picture.bytes)}"/></imageobject>${text}</inlinemediaobject>`
    }
    default: {
      const text = styled(xml(flowInline.text), flowInline.style)
      if (flowInline.link === undefined) return text
      return flowInline.link.startsWith('#') ? text : `<ulink url="${xml(flowInline.link)}">${text}</ulink>`
    }
  }
}

function styled(text: string, { bold, italic, underline, strike, code, script }: FlowStyle): string {
  let result = text
  if (code) result = `<literal>${result}</literal>`
  if (script !== undefined) result = `<${script}script>${result}</${script}script>`
  if (strike) result = `<emphasis role="strikethrough">${result}</emphasis>`
  if (underline) result = `<emphasis role="underline">${result}</emphasis>`
  if (italic) result = `<emphasis>${result}</emphasis>`
  return bold ? `<emphasis role="bold">${result}</emphasis>` : result
}

function xml(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}

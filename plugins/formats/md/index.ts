/** Markdown texts. */
import { defineFormat } from '../../../shared/plugin/contract.ts'
import { sniffText } from '../../../shared/plugin/sniff-text.ts'

/** Blocks of HTML whose content Markdown keeps unchanged: a script may have lines that look like Markdown. */
const hidden = /<!--[\s\S]*?(?:-->|$)|<(pre|script|style|textarea)\b[\s\S]*?(?:<\/\1\s*>|$)/gi

/**
 * Syntax that only Markdown has: lines that begin as headings, list items, table rows, code fences and quotes, and pictures
 * and links whose address is a tag, absolute, or a path.
 */
const signs =
  /^(#{1,6} |[-*] |\|.*\|$|```|> )|!?\[[^\]\n]*\]\(<?(?:\{\s*[dc$]\s*[.:[]|https?:|mailto:|data:image\/|\.{0,2}\/)[^)\n]*\)/m

/** HTML elements that can begin a block in Markdown. Pages and other vocabularies begin with others. */
const blocks =
  /^\s*<(?:a|article|aside|b|blockquote|br|center|details|div|dl|em|figure|footer|h[1-6]|header|hr|img|kbd|main|nav|ol|p|picture|section|span|strong|sub|summary|sup|table|ul)(?=[\s/>])/i

/**
 * Whether Markdown follows a block of HTML, which a blank line ends (CommonMark 0.31, 4.6): a heading, fenced code or a line
 * with a link; directly after a tag also a list or a table.
 */
function leavesHtml(visible: string): boolean {
  return /\n[ \t]*\r?\n(?:#{1,6} \S|```|[^<\n]*\[[^\]\n]+\]\([^)\s]+\))|>[ \t]*\r?\n[ \t]*\r?\n(?:[-*] \S|\|.*\|[ \t]*\r?\n\|[ :|-]*-{3})/.test(
    visible,
  )
}

function isMarkdown(text: string): boolean {
  if (/<(?:html|head|body)[\s>]/i.test(text)) return false
  const visible = text.replace(hidden, '')
  return visible.trimStart().startsWith('<')
    ? blocks.test(visible) && leavesHtml(visible)
    : signs.test(visible)
}

export default defineFormat({
  kind: 'format',
  id: 'md',
  family: 'text',
  extensions: ['md', 'markdown'],
  mime: ['text/markdown'],
  sniff: (source) => sniffText(source, (text) => (isMarkdown(text) ? 'maybe' : 'no')),
  styleTransfer: {
    sources: ['docx', 'odt'],
    outputs: new Set([
      ...['docx', 'odt', 'pdf', 'rtf', 'doc', 'fodt', 'ott', 'epub'],
      ...['png', 'jpg', 'jpeg', 'webp', 'svg'],
    ]),
    through: 'fodt',
    // The helper engines that also convert documents would extract the text of the template without its pages.
    letter: 'L',
    unfit: { C: 'engine C would leave its pages out' },
    join: async (document, styles) =>
      (await import('../../../shared/flow/odf-style-source.ts')).inStylesOf(document, styles),
  },
  template: { open: async (bytes) => (await import('./template/open.ts')).openMarkdown(bytes) },
})

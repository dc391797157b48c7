import { fromHtml } from 'hast-util-from-html'
import { toHtml } from 'hast-util-to-html'
import { escaped } from '../../../shared/flow/write-html.ts'

/** HTML Standard, 13.1.2: these have no end tag, and every other element has one. */
const empty = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))

/** The same page in the syntax of HTML: what only XML knows is written as HTML has it. */
export function fromXhtml(text: string): string {
  const plain = text
    .replace(/^\ufeff/, '')
    .replace(/<\?[\s\S]*?\?>/g, '')
    .replace(/<!DOCTYPE(?:[^[>]|\[[\s\S]*?\])*>/i, '')
    .replace(/(<(script|style)\b[^>]*>)([\s\S]*?)(<\/\2\s*>)/g, (_, open, __, inside, close) => {
      const bare = String(inside).replace(
        /(?:\/\*\s*|\/\/\s*)?<!\[CDATA\[(?:\s*\*\/)?|(?:\/\*\s*|\/\/\s*)?\]\]>(?:\s*\*\/)?/g,
        '',
      )
      return `${open}${bare}${close}`
    })
    .replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, (_, inside: string) => escaped(inside))
    .replace(
      /<([A-Za-z][\w.-]*)((?:\s+[^\s=/>]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*\/>/g,
      (_, name, attributes) =>
        empty.has(String(name)) ? `<${name}${attributes}>` : `<${name}${attributes}></${name}>`,
    )
  const tree = fromHtml(plain)
  for (const node of tree.children) {
    if (node.type !== 'element' || node.tagName !== 'html') continue
    const { properties } = node
    properties['lang'] ??= properties['xmlLang']
    delete properties['xmlns']
    delete properties['xmlLang']
  }
  const children = tree.children.filter(({ type }) => type !== 'doctype')
  return `<!DOCTYPE html>\n${toHtml({ ...tree, children }, { allowDangerousCharacters: true })}\n`
}

import { fromHtml } from 'hast-util-from-html'
import { toHtml } from 'hast-util-to-html'
import { escaped } from '../../../shared/flow/write-html.ts'
import { endOfDoctype, isDoctype } from '../../../shared/xml/prologue.ts'

/** The void elements of HTML (HTML Standard, 13.1.2). Every other element needs an end tag. */
const empty = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))

/** Rewrites XHTML in the syntax of HTML, replacing constructs that only XML has. */
export function fromXhtml(text: string): string {
  const tree = fromHtml(htmlSyntax(text.replace(/^\ufeff/, '')))
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

const tag = /<([A-Za-z][\w.-]*)((?:\s+[^\s=/>]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/y
const rawText: Readonly<Record<string, RegExp>> = {
  script: /<\/script\s*>/g,
  style: /<\/style\s*>/g,
}

/**
 * The search continues from construct to construct. A construct that is never closed is searched for once, and the
 * rest is kept unchanged.
 */
function htmlSyntax(text: string): string {
  let out = ''
  let at = 0
  const cut = (to: number) => {
    out += text.slice(at, to)
    at = to
  }
  for (let open = text.indexOf('<'); open >= 0; open = text.indexOf('<', at)) {
    cut(open)
    if (text.startsWith('<!--', at)) {
      const end = text.indexOf('-->', at + 4)
      if (end < 0) break
      cut(end + 3)
    } else if (text.startsWith('<![CDATA[', at)) {
      const end = text.indexOf(']]>', at)
      if (end < 0) break
      out += escaped(text.slice(at + 9, end))
      at = end + 3
    } else if (text.startsWith('<?', at) || isDoctype(text, at)) {
      const end = text.startsWith('<?', at) ? text.indexOf('?>', at) + 2 : endOfDoctype(text, at)
      if (end < 2) break
      at = end
    } else {
      tag.lastIndex = at
      const [markup, name = '', attributes = '', closed] = tag.exec(text) ?? []
      if (markup === undefined) {
        cut(at + 1)
        continue
      }
      at += markup.length
      out += `<${name}${attributes}>`
      if (closed === '/') out += empty.has(name) ? '' : `</${name}>`
      else if (Object.hasOwn(rawText, name)) {
        const close = rawText[name]!
        close.lastIndex = at
        const end = close.exec(text)?.index
        if (end === undefined) break
        out += withoutSections(text.slice(at, end))
        at = end
      }
    }
  }
  return out + text.slice(at)
}

/**
 * Removes the CDATA sections that hide scripts and styles from XML, and the comments that hide these sections
 * from scripts.
 */
const withoutSections = (inside: string): string =>
  inside.replace(/(?:\/\*\s*|\/\/\s*)?<!\[CDATA\[(?:\s*\*\/)?|(?:\/\*\s*|\/\/\s*)?\]\]>(?:\s*\*\/)?/g, '')

import type { BlockContent, Blockquote, DefinitionContent, Root, RootContent } from 'mdast'

type MarkdownNode = RootContent | BlockContent | DefinitionContent

const marker = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|$)/i
/** GitHub recognizes alerts only in quotes at the top level, so deeper ones are not visited. */
const maxDepth = 3

/**
 * Gives a title to quotes whose first line is '[!NOTE]' or a similar word, as GitHub shows them. Changes the
 * tree.
 */
export function withAlerts(root: Root): Root {
  for (const node of root.children) convertAlerts(node, 0)
  return root
}

function convertAlerts(node: MarkdownNode, depth: number): void {
  if (node.type === 'blockquote') convertQuote(node)
  else if ('children' in node && depth < maxDepth)
    for (const child of node.children) convertAlerts(child as MarkdownNode, depth + 1)
}

function convertQuote(quote: Blockquote): void {
  const [first] = quote.children
  const [text, ...rest] = first?.type === 'paragraph' ? first.children : []
  const match = text?.type === 'text' ? marker.exec(text.value) : null
  if (first?.type !== 'paragraph' || text?.type !== 'text' || match === null) return
  const kind = (match[1] as string).toLowerCase()
  const value = text.value.slice(match[0].length)
  first.children = [...(value === '' ? [] : [{ ...text, value }]), ...rest]
  if (first.children[0]?.type === 'break') first.children.shift()
  if (first.children.length === 0) quote.children.shift()
  quote.children.unshift({
    type: 'paragraph',
    data: { hProperties: { className: ['markdown-alert-title'] } },
    children: [
      { type: 'strong', children: [{ type: 'text', value: kind[0]?.toUpperCase() + kind.slice(1) }] },
    ],
  })
  quote.data = { hProperties: { className: ['markdown-alert', `markdown-alert-${kind}`] } }
}

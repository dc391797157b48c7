import type { Cascade } from '../../../../../shared/css/cascade.ts'
import type { BlockBox } from './box.ts'

/**
 * Whether content belongs to a named page (CSS Paged Media 3, 7.1) whose rule is not the one of all pages, or the reverse. All pages are
 * of one kind here, so such content would be on other paper.
 */
export function mixesNamedPages(root: BlockBox, { pageNames, pageName }: Cascade): boolean {
  if (pageNames.size === 0) return false
  const waiting: { readonly box: BlockBox; readonly outer: string | undefined }[] = [
    { box: root, outer: undefined },
  ]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { box } = next
    const declared = box.style.word('page')
    const name = declared === undefined || declared === 'auto' ? next.outer : declared
    const ruled = name !== undefined && pageNames.has(name) ? name : undefined
    const hasContent = box.children.some(({ kind }) => kind !== 'block' && kind !== 'out-of-flow')
    if (hasContent && ruled !== pageName) return true
    for (const child of box.children) if (child.kind === 'block') waiting.push({ box: child, outer: name })
  }
  return false
}

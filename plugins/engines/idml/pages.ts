/** The items of each page: those of the spread and of its master, from back to front. */

import { identity, type Matrix, multiply } from '../../../shared/document/geometry.ts'
import { type Element, elements } from '../../../shared/xml/read-tree.ts'
import type { Idml } from './document.ts'
import { type Bounds, boundsOf, boxOf, boxThrough, matrixOf, moved, pathsOf } from './geometry.ts'
import { type IdmlProperties, propertiesOf } from './properties.ts'
import { pageItems } from './story.ts'

export interface PageItem {
  readonly item: Element
  /** Its own values, completed by those of its object style. */
  readonly properties: IdmlProperties
  /** Transforms its coordinates to those of the page, in points from the top left corner. */
  readonly matrix: Matrix
  readonly box: Bounds // on the page
  readonly master: boolean
}

export interface IdmlPage {
  readonly width: number
  readonly height: number
  readonly name: string // its page number, as displayed
  readonly items: readonly PageItem[]
}

const maxDepth = 32
/** Cost of showing an item of a master on a page, in steps. */
const moving = 20
/** The default page of InDesign, in points. */
const [smallestPage, largestPage] = [12, 15_552]

export function pagesOf(document: Idml): readonly IdmlPage[] {
  const masters = new Map<Element, readonly PageItem[]>()
  const onMaster = (master: Element) => {
    const items = masters.get(master) ?? itemsOf(master, document, true)
    masters.set(master, items)
    return items
  }
  return document.spreads.flatMap((spread) => {
    const pages = [...elements(spread, 'Page')].map((page) => ({ page, box: pageBox(page) }))
    const items = itemsOf(spread, document, false)
    const pageOfItem = new Map(items.map((item) => [item, bestPage(item.box, pages)]))
    return pages.map(({ page, box }) => {
      const shift = moved(-box.left, -box.top)
      const itemsOnPage = items
        .filter((item) => (isText(item.item) ? pageOfItem.get(item) === page : touches(item.box, box)))
        .map((item) => moveTo(item, shift))
      return {
        width: pageLength(box.right - box.left),
        height: pageLength(box.bottom - box.top),
        name: page.attributes.get('Name') ?? '',
        items: [...masterItems(spread, page, box, document, onMaster), ...itemsOnPage],
      }
    })
  })
}

function pageLength(length: number): number {
  return Math.max(smallestPage, Math.min(largestPage, length))
}

function pageBox(page: Element): Bounds {
  return boxThrough(
    matrixOf(page.attributes.get('ItemTransform')),
    boundsOf(page.attributes.get('GeometricBounds')),
  )
}

function masterItems(
  spread: Element,
  page: Element,
  box: Bounds,
  document: Idml,
  itemsOn: (master: Element) => readonly PageItem[],
): readonly PageItem[] {
  const master = document.masters.get(page.attributes.get('AppliedMaster') ?? '')
  if (master === undefined || spread.attributes.get('ShowMasterItems') === 'false') return []
  const pages = [...elements(master, 'Page')]
  // A page on the left of its spread uses the left page of the master.
  const model = box.left < -1 ? pages[0] : pages.at(-1)
  if (model === undefined) return []
  const from = pageBox(model)
  // Pairs of an item of the master and the item that replaces it on the page.
  const replaced = new Set((page.attributes.get('OverrideList') ?? '').split(/\s+/))
  const more = matrixOf(page.attributes.get('MasterPageTransform'))
  const items = itemsOn(master)
  document.growth.step(items.length * moving)
  return items
    .filter(({ item }) => !replaced.has(item.attributes.get('Self') ?? ''))
    .filter((item) => touches(item.box, from))
    .map((item) => moveTo(item, multiply(more, moved(-from.left, -from.top))))
}

/** Expands groups. Hidden items and items that do not print are omitted. */
function itemsOf(parent: Element, document: Idml, master: boolean): readonly PageItem[] {
  const collected: { readonly order: number; readonly pageItem: PageItem }[] = []
  collect(parent, identity, 0, 0)
  // The order in the file applies within a layer.
  return collected.sort((left, right) => left.order - right.order).map(({ pageItem }) => pageItem)

  function collect(within: Element, outer: Matrix, order: number, depth: number): void {
    for (const item of elements(within)) {
      if (!pageItems.has(item.name) && item.name !== 'State') continue
      document.growth.step()
      const style = document.objects.get(item.attributes.get('AppliedObjectStyle'))
      const properties = new Map([...style, ...propertiesOf(item)])
      const layer = document.layers.get(item.attributes.get('ItemLayer') ?? '')
      if (item.attributes.get('Visible') === 'false' || properties.get('Nonprinting') === 'true') continue
      if (layer?.visible === false) continue
      const matrix = multiply(outer, matrixOf(item.attributes.get('ItemTransform')))
      const at = layer?.order ?? order
      const paths = pathsOf(item)
      if (paths.length > 0)
        collected.push({
          order: at,
          pageItem: { item, properties, matrix, box: boxOf(paths, matrix), master },
        })
      if (depth < maxDepth && item.name !== 'TextFrame') collect(item, matrix, at, depth + 1)
      // An object with several states is printed in its first one.
      if (item.name === 'State') return
    }
  }
}

function bestPage(box: Bounds, pages: readonly { readonly page: Element; readonly box: Bounds }[]) {
  let best: { readonly page: Element; readonly area: number } | undefined
  for (const { page, box: of } of pages) {
    const width = Math.min(box.right, of.right) - Math.max(box.left, of.left)
    const height = Math.min(box.bottom, of.bottom) - Math.max(box.top, of.top)
    const area = width < 0 || height < 0 ? -1 : width * height
    if (area >= 0 && (best === undefined || area > best.area)) best = { page, area }
  }
  return best?.page
}

const touches = (bounds: Bounds, other: Bounds): boolean =>
  bounds.left < other.right &&
  bounds.right > other.left &&
  bounds.top < other.bottom &&
  bounds.bottom > other.top

/** A line has no width, so touching the page is sufficient. */
function moveTo(item: PageItem, shift: Matrix): PageItem {
  return { ...item, matrix: multiply(shift, item.matrix), box: boxThrough(shift, item.box) }
}

export const isText = (item: Element): boolean => item.attributes.has('ParentStory')

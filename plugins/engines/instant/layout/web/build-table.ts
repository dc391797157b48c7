/** Builds the boxes of a table. Source: CSS Tables 3; HTML Standard, 4.9.12 (forming a table). */

import type { StyledElement } from '../../../../../shared/css/cascade.ts'
import { attributeOf } from '../../../../../shared/css/selector.ts'
import { ComputedStyle } from '../../../../../shared/css/style.ts'
import { entryOf } from '../../../../../shared/entry-of.ts'
import { pushAll } from '../../../../../shared/push-all.ts'
import type { BlockBox, CellBox, RowBox, TableBox } from './box.ts'
import { type BoxBuild, childrenOf, idOf, isText } from './box-build.ts'

const maxSpan = 1000
const groups: Readonly<Record<string, RowBox['group']>> = {
  'table-header-group': 'head',
  'table-footer-group': 'foot',
}

/** Builds the table of an element. Content outside of rows or cells is wrapped in anonymous rows and cells. */
export function buildTable(build: BoxBuild, of: StyledElement): TableBox {
  const captions: BlockBox[] = []
  const columns: (ComputedStyle | undefined)[] = []
  const rows: RowBox[] = []
  build.depth++
  const addRows = (parent: StyledElement, group: RowBox['group'], groupStyle?: ComputedStyle): void => {
    build.counters.open()
    // Cells without a row that follow each other share an anonymous one (CSS Tables 3, 3.8).
    let anonymous: CellBox[] | undefined
    for (const child of childrenOf(build, parent)) {
      if (isText(child)) continue
      const { display } = child.style
      if (!/^table-/.test(display) || display === 'table-cell') {
        build.counters.apply(child.style)
        const cell = cellOf(build, child)
        if (anonymous === undefined) {
          anonymous = []
          rows.push({ style: anonymousRow(parent.style), group, ...groupRule(groupStyle), cells: anonymous })
        }
        anonymous.push(cell)
        continue
      }
      anonymous = undefined
      build.counters.apply(child.style)
      if (display === 'table-caption') captions.push(build.block(build, child))
      else if (display === 'table-column-group') {
        addColumns(build, child, columns)
      } else if (display === 'table-column') pushAll(columns, spanned(child))
      else if (/^table-(?:row|header|footer)-group$/.test(display) && groupStyle === undefined)
        addRows(child, entryOf(groups, display) ?? 'body', child.style)
      else rows.push({ style: child.style, group, ...groupRule(groupStyle), cells: cellsOf(build, child) })
    }
    build.counters.close()
  }
  if (build.depth < 190) addRows(of, 'body')
  else build.undrawn.add('deeply nested elements')
  build.depth--
  const order = { head: 0, body: 1, foot: 2 }
  const id = idOf(of.element)
  const role = attributeOf(of.element, 'role')
  return {
    kind: 'table',
    style: of.style,
    captions,
    columns,
    rows: rows.toSorted((a, b) => order[a.group] - order[b.group]),
    ...(id !== undefined && { id }),
    ...(role !== undefined && { role }),
  }
}

const anonymousRow = (parent: ComputedStyle): ComputedStyle =>
  new ComputedStyle(new Map([['display', 'table-row']]), parent.variables, parent)

const groupRule = (groupStyle: ComputedStyle | undefined): Pick<RowBox, 'groupStyle'> =>
  groupStyle === undefined ? {} : { groupStyle }

function cellsOf(build: BoxBuild, row: StyledElement): readonly CellBox[] {
  build.counters.open()
  const cells = childrenOf(build, row).flatMap((child) => {
    if (isText(child)) return []
    build.counters.apply(child.style)
    return [cellOf(build, child)]
  })
  build.counters.close()
  return cells
}

function cellOf(build: BoxBuild, child: StyledElement): CellBox {
  const { element } = child
  const span = (name: string) => {
    const value = Number.parseInt(attributeOf(element, name) ?? '1', 10)
    return Number.isFinite(value) ? Math.min(Math.max(value, 1), maxSpan) : 1
  }
  return { box: build.block(build, child), columns: span('colspan'), rows: span('rowspan'), element }
}

function addColumns(build: BoxBuild, group: StyledElement, columns: (ComputedStyle | undefined)[]): void {
  const inner = childrenOf(build, group).filter((child): child is StyledElement => !isText(child))
  if (inner.length === 0) pushAll(columns, spanned(group))
  for (const column of inner) pushAll(columns, spanned(column))
}

function spanned({ element, style }: StyledElement): ComputedStyle[] {
  const span = Number.parseInt(attributeOf(element, 'span') ?? '1', 10)
  return Array.from({ length: Number.isFinite(span) ? Math.min(Math.max(span, 1), maxSpan) : 1 }, () => style)
}

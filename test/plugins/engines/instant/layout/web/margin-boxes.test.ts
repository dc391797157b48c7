import { expect, it } from 'vitest'
import { layPage, textsOf } from '../../../../../helpers/web-layout.ts'

const page = (boxes: string, body = 'a') =>
  `<!DOCTYPE html><style>@page { size: 300px 300px; margin: 50px; ${boxes} } body { margin: 0; font: 10px/20px Arial } html { font: 10px/20px Arial }</style>${body}`

it.each([
  ['at the top left', '@top-left { content: "x" }', ['x', 50, 28]],
  ['in the middle of the bottom', '@bottom-center { content: "xx" }', ['xx', 145, 278]],
  ['at the bottom right', '@bottom-right { content: "xx" }', ['xx', 240, 278]],
])('a box stands %s', (_, boxes, expected) => {
  expect(textsOf(layPage(page(boxes)).pages)[0]).toEqual([['a', 50, 63], expected])
})

it('counts pages in the given style', () => {
  const boxes = '@bottom-left { content: "Page " counter(page, upper-roman) " of " counter(pages) }'
  const { pages, boxes: made } = layPage(page(boxes, 'a<p style="break-before: page">b'))
  expect(textsOf(pages).map((texts) => texts.map(([text]) => text))).toEqual([
    ['a', 'Page I of 2'],
    ['b', 'Page II of 2'],
  ])
  expect([...made.undrawn]).toEqual([])
})

it('has other boxes on the first, on left and on right pages', () => {
  const styles =
    '@page { @top-left { content: "all" } @bottom-left { content: "foot"; color: red } } @page :left { @top-left { content: "left" } } @page :right { @bottom-left { color: blue } } @page :first { @top-left { content: none } }'
  const html = page(
    '',
    `<style>${styles}</style>a<p style="break-before: page">b<p style="break-before: page">c`,
  )
  const { pages, boxes } = layPage(html)
  expect(textsOf(pages).map((texts) => texts.map(([text]) => text))).toEqual([
    ['a', 'foot'],
    ['b', 'left', 'foot'],
    ['c', 'all', 'foot'],
  ])
  expect([...boxes.undrawn]).toEqual([])
})

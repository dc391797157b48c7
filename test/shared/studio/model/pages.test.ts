import { describe, expect, it } from 'vitest'
import { kindOf } from '../../../../shared/studio/model/files.ts'
import { changedAreas, type Pixels, pageBody, showsPages } from '../../../../shared/studio/model/pages.ts'

/** A white picture with black rectangles: left, top, width, height in pixels. */
function picture(...boxes: readonly (readonly [number, number, number, number])[]): Pixels {
  const [width, height] = [80, 160]
  const data = new Uint8ClampedArray(width * height * 4).fill(255)
  for (const [left, top, wide, high] of boxes)
    for (let y = top; y < top + high; y++)
      for (let x = left; x < left + wide; x++) data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3)
  return { data, width, height }
}

describe('changed places of a page', () => {
  it.each([
    ['nothing', picture([8, 8, 8, 8]), picture([8, 8, 8, 8]), []],
    ['a word', picture(), picture([8, 16, 14, 6]), [{ left: 0.1, top: 0.1, width: 0.2, height: 0.05 }]],
    ['a word that goes', picture([0, 0, 3, 3]), picture(), [{ left: 0, top: 0, width: 0.1, height: 0.05 }]],
    [
      'words close to each other are one place',
      picture(),
      picture([0, 0, 8, 8], [16, 0, 8, 8]),
      [{ left: 0, top: 0, width: 0.3, height: 0.05 }],
    ],
    [
      'words far from each other are two',
      picture(),
      picture([0, 0, 8, 8], [72, 152, 8, 8]),
      [
        { left: 0, top: 0, width: 0.1, height: 0.05 },
        { left: 0.9, top: 0.95, width: 0.1, height: 0.05 },
      ],
    ],
    ['most of the page is no place', picture(), picture([0, 0, 80, 120]), []],
    ['another size', { ...picture(), width: 40, height: 320 }, picture([0, 0, 8, 8]), []],
  ])('%s', (_, before, after, areas) => {
    const round = (value: number) => Math.round(value * 1000) / 1000
    expect(
      changedAreas(before, after).map(({ left, top, width, height }) => ({
        ...{ left: round(left), top: round(top), width: round(width), height: round(height) },
      })),
    ).toEqual(areas)
  })
})

describe('whether the preview shows pages', () => {
  const svg = (...converters: string[]) => [{ name: 'svg', common: true, converters }]
  it.each([
    ['a letter as PDF', 'docx', { convertTo: 'pdf' }, svg('L', 'I'), true],
    ['by the engine of pages', 'pptx', { convertTo: 'pdf', converter: 'I' }, svg('I'), true],
    ['by whichever engine', 'xlsx', { convertTo: { formatName: 'pdf' }, converter: 'auto' }, svg('I'), true],
    ['by another engine', 'docx', { convertTo: 'pdf', converter: 'L' }, svg('L', 'I'), false],
    [
      'with a watermark',
      'docx',
      { convertTo: { formatName: 'pdf', formatOptions: { Watermarks: [] } } },
      svg('I'),
      false,
    ],
    ['as HTML', 'docx', { convertTo: 'html' }, svg('I'), false],
    ['as it is', 'docx', {}, svg('I'), false],
    ['a web page', 'html', { convertTo: 'pdf' }, svg('I'), false],
    ['on a service that draws no pages of it', 'rtf', { convertTo: 'pdf' }, svg('L'), false],
  ] as const)('%s', (_, type, options, outputs, shows) => {
    expect(showsPages(kindOf(type), options, outputs)).toBe(shows)
  })
  it('one page is asked for by itself', () => {
    expect(pageBody({ data: {}, convertTo: 'pdf', converter: 'auto' }, 7)).toEqual({
      ...{ data: {}, converter: 'I' },
      convertTo: { formatName: 'svg', formatOptions: { PageRange: '7' } },
    })
  })
})

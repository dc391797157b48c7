import { describe, expect, it } from 'vitest'
import { kindOf } from '../../../../shared/studio/model/files.ts'
import { pageBody, showsPages } from '../../../../shared/studio/model/pages.ts'

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

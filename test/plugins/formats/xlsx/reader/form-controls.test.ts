import { describe, expect, it } from 'vitest'
import { readControls } from '../../../../../plugins/formats/xlsx/reader/form-controls.ts'
import type { Drawing, GroupChild } from '../../../../../shared/document/drawing.ts'

const shape = (type: string, data = '', text = ''): string =>
  `<v:shape style='position:absolute;margin-left:9pt;width:100pt;height:20pt'><v:textbox><div>${text}</div></v:textbox><x:ClientData ObjectType="${type}"><x:Anchor>1, 15, 2, 2, 3, 30, 4, 5</x:Anchor>${data}</x:ClientData></v:shape>`
const read = (...shapes: readonly string[]) =>
  readControls(
    `<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:x="urn:schemas-microsoft-com:office:excel">${shapes.join('')}</xml>`,
  )

/** The parts of a control: shape, place, fill and text. */
function partsOf(drawing: Drawing | undefined): string[] {
  const children: readonly GroupChild[] = drawing?.content.kind === 'group' ? drawing.content.children : []
  return children.map(({ x, y, drawing: { width, height, content } }) => {
    if (content.kind !== 'shape') return content.kind
    const name = content.geometry.kind === 'preset' ? content.geometry.name : content.geometry.kind
    const texts = (content.text?.blocks ?? []).flatMap((block) =>
      block.kind === 'paragraph'
        ? block.inlines.map((inline) => (inline.kind === 'text' ? inline.text : inline.kind))
        : [],
    )
    return [name, x, y, width, height, content.fill, ...texts].filter((part) => part !== undefined).join(' ')
  })
}

describe('form controls of XLSX', () => {
  it('stand at their anchors', () => {
    const [control] = read(shape('Label', '', '<font>A label</font>')).drawings
    expect(control).toMatchObject({
      from: { column: 1, x: 11.25, row: 2, y: 1.5 },
      to: { column: 3, x: 22.5, row: 4, y: 3.75 },
      drawing: { width: 100, height: 20 },
    })
  })

  it.each<[string, string, string, string[]]>([
    ['Label', '', 'A label', ['rect 0 0 100 20 A label']],
    ['Button', '', 'Go', ['rect 0 0 100 20 E1E1E1 Go']],
    ['Checkbox', '', 'Yes', ['rect 0 0 100 20 Yes', 'rect 2 5.5 9 9 FFFFFF']],
    [
      'Checkbox',
      '<x:Checked>1</x:Checked>',
      'Yes',
      ['rect 0 0 100 20 Yes', 'rect 2 5.5 9 9 FFFFFF', 'path 2 5.5 9 9'],
    ],
    ['Checkbox', '<x:Checked>2</x:Checked>', 'Yes', ['rect 0 0 100 20 Yes', 'rect 2 5.5 9 9 C0C0C0']],
    ['Radio', '', 'One', ['rect 0 0 100 20 One', 'ellipse 2 5.5 9 9 FFFFFF']],
    [
      'Radio',
      '<x:Checked>1</x:Checked>',
      'One',
      ['rect 0 0 100 20 One', 'ellipse 2 5.5 9 9 FFFFFF', 'ellipse 4.25 7.75 4.5 4.5 000000'],
    ],
    ['GBox', '', 'Group', ['rect 0 6 100 14', 'rect 0 0 100 20 Group']],
    ['Edit', '', 'text', ['rect 0 0 100 20 FFFFFF text']],
    [
      'Drop',
      '',
      '',
      ['rect 0 0 100 20 FFFFFF', 'rect 87 0 13 20 E1E1E1', 'flowChartMerge 90.9 8 5.2 4 000000'],
    ],
    ['Spin', '', '', ['rect 0 0 100 20 F0F0F0', 'rect 0 0 13 20 E1E1E1', 'rect 87 0 13 20 E1E1E1']],
  ])('are drawn: %s %s', (type, data, text, expected) => {
    expect(partsOf(read(shape(type, data, text)).drawings[0]?.drawing)).toEqual(expected)
  })

  it('have text in its fonts and lines', () => {
    const [control] = read(
      shape('Label', '', '<font face="Arial" size="220" color="#ff0000">red <b>bold</b></font><br/>below'),
    ).drawings
    const content = control?.drawing?.content
    const text = content?.kind === 'group' ? content.children[0]?.drawing.content : undefined
    expect(text).toMatchObject({
      text: {
        blocks: [
          {
            inlines: [
              { text: 'red ', run: { fonts: { ascii: 'Arial' }, size: 11, color: 'FF0000' } },
              { text: 'bold', run: { bold: true, size: 11 } },
            ],
          },
          { inlines: [{ text: 'below', run: {} }] },
        ],
      },
    })
  })

  it('of which nothing is printed are omitted, as are notes', () => {
    expect(read(shape('Button', '<x:PrintObject>False</x:PrintObject>'), shape('Note'))).toEqual({
      drawings: [],
      choices: [],
      found: true,
      unread: false,
    })
  })

  it('show the chosen entry of a list', () => {
    const { choices } = read(
      shape('Drop', '<x:FmlaRange>$A$1:$A$3</x:FmlaRange><x:Sel>2</x:Sel>'),
      shape('Drop', '<x:FmlaRange>$A$1:$A$3</x:FmlaRange><x:Sel>0</x:Sel>'),
    )
    expect(choices).toEqual([{ range: '$A$1:$A$3', index: 1, inlines: [] }])
  })

  it('of unknown kinds are told', () => {
    expect(read(shape('Pict'))).toMatchObject({ drawings: [], unread: true })
  })
})

import { describe, expect, test } from 'vitest'
import { nodeCodec } from '../../../../../../origin/codec.ts'
import type { Frame, PathCommand, Placed } from '../../../../../../plugins/engines/instant/layout/frame.ts'
import { readDocx } from '../../../../../../plugins/formats/docx/reader/index.ts'
import { readOdt } from '../../../../../../plugins/formats/odt/reader/index.ts'
import { odtReader } from '../../../../../../plugins/formats/odt/reader/open.ts'
import type { Document } from '../../../../../../shared/document/document.ts'
import { defaultLimits } from '../../../../../../shared/limits.ts'
import { openZip } from '../../../../../../shared/office/zip.ts'
import { openFile, paper, par } from '../../../../../cases/reference/open.ts'
import { lay, wordParts } from '../../../../../helpers/laid-out.ts'
import { plainPng } from '../../../../../helpers/png.ts'

/** What is drawn on the first page, one line each: fills, pictures and how many lines, at places on the page. */
function drawn(document: Document): string[] {
  const found: string[] = []
  const round = (value: number): number => Math.round(10 * value) / 10 || 0
  const visit = (frame: Frame, x: number, y: number, clip: string): void => {
    for (const placed of frame.items) describeItem(placed, x + placed.x, y + placed.y, clip)
  }
  const boxOf = (commands: readonly PathCommand[]): string => {
    const values = commands.flatMap((command) =>
      command[0] === 'R'
        ? [command[1], command[2], command[1] + command[3], command[2] + command[4]]
        : (command.slice(1) as number[]),
    )
    const [xs, ys] = [values.filter((_, at) => at % 2 === 0), values.filter((_, at) => at % 2 === 1)]
    return `${round(Math.max(...xs) - Math.min(...xs))}x${round(Math.max(...ys) - Math.min(...ys))}`
  }
  const describeItem = ({ item }: Placed, x: number, y: number, clip: string): void => {
    const at = `${round(x)},${round(y)}`
    if (item.kind === 'group') {
      const cut = item.clipPath === undefined ? clip : ` in ${boxOf(item.clipPath)}`
      visit(item.frame, x, y, item.opacity === undefined ? cut : `${cut} faint ${item.opacity}`)
    } else if (item.kind === 'image')
      found.push(`${at} image ${round(item.width)}x${round(item.height)}${clip}`)
    else if (item.kind === 'shape') {
      const { fill, stroke, commands } = item.path
      if (fill?.kind === 'tiles')
        found.push(
          `${at} tiles ${round(fill.tile.width)}x${round(fill.tile.height)} from ${round(fill.x)},${round(fill.y)} in ${boxOf(commands)}`,
        )
      else if (fill?.kind === 'solid') found.push(`${at} fill ${fill.colour.toString(16)} ${boxOf(commands)}`)
      else if (fill !== undefined) found.push(`${at} ${fill.kind} ${boxOf(commands)}`)
      if (stroke !== undefined && clip !== '')
        found.push(`${at} ${commands.length / 2} lines ${stroke.colour.toString(16)}${clip}`)
    }
  }
  visit(lay(document, { pictures: true }).pages[0]!.frame, 0, 0, '')
  return found
}

const emu = 12_700
const shape = (fill: string, geometry = 'rect'): string =>
  `<w:p xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><w:r><w:drawing><wp:inline><wp:extent cx="${100 * emu}" cy="${50 * emu}"/><a:graphic><a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp><wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${100 * emu}" cy="${50 * emu}"/></a:xfrm><a:prstGeom prst="${geometry}"><a:avLst/></a:prstGeom>${fill}</wps:spPr><wps:bodyPr/></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`
const vml = (attributes: string): string =>
  `<w:p xmlns:v="urn:schemas-microsoft-com:vml"><w:r><w:pict><v:rect style="width:100pt;height:50pt" fillcolor="#ffe0a0" stroked="f"><v:fill ${attributes}/></v:rect></w:pict></w:r></w:p>`

async function word(body: string): Promise<string[]> {
  const files = wordParts({ body })
  const rels = 'word/_rels/document.xml.rels'
  const link =
    '<Relationship Id="pic" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="media/p.png"/></Relationships>'
  const text = new TextDecoder().decode(files.get(rels)).replace('</Relationships>', link)
  files.set(rels, new TextEncoder().encode(text))
  files.set('word/media/p.png', await plainPng(40, 24))
  return drawn(readDocx((name) => files.get(name)).value)
}
const pattern = (preset: string): string =>
  `<a:pattFill prst="${preset}"><a:fgClr><a:srgbClr val="C00000"/></a:fgClr><a:bgClr><a:srgbClr val="FFFFC0"/></a:bgClr></a:pattFill>`
const blip = (more: string, effect = ''): string =>
  `<a:blipFill><a:blip r:embed="pic">${effect}</a:blip>${more}</a:blipFill>`

describe('what fills Word shapes', () => {
  test.each([
    ['level lines', shape(pattern('horz')), ['72,72 fill ffffc0 100x50', '72,72 9 lines c00000 in 100x50']],
    [
      'crossed lines',
      shape(pattern('pct50')),
      ['72,72 fill ffffc0 100x50', '72,72 32 lines c00000 in 100x50'],
    ],
    ['a picture', shape(blip('<a:stretch/>'), 'ellipse'), ['72,72 image 100x50 in 100x50']],
    [
      'a faint picture',
      shape(blip('', '<a:alphaModFix amt="40000"/>')),
      ['72,72 image 100x50 in 100x50 faint 0.4'],
    ],
    [
      'tiles of half their size from the middle',
      shape(blip('<a:tile sx="50000" sy="50000" algn="ctr"/>')),
      ['72,72 tiles 15x9 from 42.5,20.5 in 100x50'],
    ],
    [
      'tiles moved on',
      shape(blip('<a:tile tx="127000" ty="63500"/>')),
      ['72,72 tiles 30x18 from 10,5 in 100x50'],
    ],
    [
      'tiles of VML',
      vml('type="tile" r:id="pic"'),
      ['81,72 fill ffe0a0 100x50', '81,72 tiles 30x18 from 0,0 in 100x50'],
    ],
    [
      'a frame of VML',
      vml('type="frame" r:id="pic"'),
      ['81,72 fill ffe0a0 100x50', '81,72 image 100x50 in 100x50'],
    ],
  ])('%s', async (_, body, wanted) => {
    expect(await word(body)).toEqual(wanted)
  })
})

const fills =
  '<draw:fill-image draw:name="F" xlink:href="Pictures/img1.png"/><draw:hatch draw:name="H" draw:style="double" draw:color="#0000c0" draw:distance="0.2cm" draw:rotation="0"/><draw:gradient draw:name="G" draw:style="linear" draw:start-color="#ffff00" draw:end-color="#0080ff" draw:angle="0"/>'
const image = (more: string): string => `<style:background-image xlink:href="Pictures/img1.png" ${more}/>`
const graphic = (attributes: string): string =>
  `<style:style style:name="s" style:family="graphic"><style:graphic-properties draw:stroke="none" ${attributes}/></style:style>`
const rect =
  '<draw:rect text:anchor-type="as-char" draw:style-name="s" svg:width="200pt" svg:height="100pt"/>'
const behind = (inside: string, more = ''): string =>
  `<style:style style:name="P" style:family="paragraph"><style:paragraph-properties>${inside}</style:paragraph-properties>${more}</style:style>`
const bitmap = 'draw:fill="bitmap" draw:fill-image-name="F"'
const margins = 'fo:margin="72pt"'

test.each([
  ['LibreOffice/6.2.8.2$Linux', '60,60 linear 475.3x721.9'],
  ['LibreOffice/6.3.6.2$Linux', '0,0 linear 595.3x841.9'],
  ['OpenOffice/4.1.0$Win32', '60,60 linear 475.3x721.9'],
  ['Another Program', '0,0 linear 595.3x841.9'],
])('what lies behind the pages of %s', async (program, wanted) => {
  const layout = paper(`${margins.replace('72', '60')} draw:fill="gradient" draw:fill-gradient-name="G"`)
  const parts = new Map<string, Uint8Array>()
  const archive = openZip(await openFile({ layout, body: par('Text'), outline: fills }), {
    codec: nodeCodec,
    limits: defaultLimits,
    format: 'odt',
  })
  for (const entry of archive.entries) parts.set(entry.name, archive.read(entry))
  const meta = `<office:document-meta xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0"><office:meta><meta:generator>${program}</meta:generator></office:meta></office:document-meta>`
  parts.set('meta.xml', new TextEncoder().encode(meta))
  expect(drawn(readOdt((name) => parts.get(name)).value)).toEqual([wanted])
})

test.each([
  ['draw:opacity="0%"', 0],
  ['draw:opacity="40%"', 0.4],
  ['style:background-transparency="30%"', 0.7],
  ['', undefined],
])('the colour of a frame with %s', async (attributes, wanted) => {
  const automatic = `<style:style style:name="s" style:family="graphic"><style:graphic-properties fo:background-color="#ff0000" ${attributes}/></style:style>`
  const body = par(
    `<draw:frame text:anchor-type="as-char" draw:style-name="s" svg:width="200pt" svg:height="100pt"><draw:text-box>${par('Text')}</draw:text-box></draw:frame>`,
  )
  const bytes = await openFile({ automatic, body })
  const { value } = odtReader.read(bytes, { codec: nodeCodec, limits: defaultLimits })
  const [block] = value.sections[0]!.blocks
  const inline = block?.kind === 'paragraph' ? block.inlines[0] : undefined
  const content = inline?.kind === 'drawing' ? inline.drawing.content : undefined
  expect(content).toMatchObject({ kind: 'shape', fill: 'FF0000' })
  const opacity = content?.kind === 'shape' ? content.fillOpacity : Number.NaN
  if (wanted === undefined) expect(opacity).toBeUndefined()
  else expect(opacity).toBeCloseTo(wanted)
})

describe('what lies behind things of OpenDocument', () => {
  test.each([
    ['a shape of tiles', { automatic: graphic(bitmap), body: par(rect) }, ['tiles']],
    [
      'a stretched picture',
      { automatic: graphic(`${bitmap} style:repeat="stretch"`), body: par(rect) },
      ['image 200x100 in 200x100'],
    ],
    [
      'a picture of half the shape in its corner',
      {
        automatic: graphic(
          `${bitmap} style:repeat="no-repeat" draw:fill-image-width="50%" draw:fill-image-height="50%" draw:fill-image-ref-point="bottom-right"`,
        ),
        body: par(rect),
      },
      ['172,122 image 100x50 in 200x100'],
    ],
    [
      'a hatch on a colour',
      {
        automatic: graphic(
          'draw:fill="hatch" draw:fill-hatch-name="H" draw:fill-color="#ffffc0" draw:fill-hatch-solid="true"',
        ),
        body: par(rect),
      },
      ['fill ffffc0 200x100', '28 lines c0 in 200x100'],
    ],
    [
      'a hatch alone',
      { automatic: graphic('draw:fill="hatch" draw:fill-hatch-name="H"'), body: par(rect) },
      ['28 lines c0 in 200x100'],
    ],
    [
      'a paragraph before a picture',
      { automatic: behind(image('style:repeat="stretch"')), body: par('Text', 'P') },
      ['72,72 image 451.3x11.5 in 451.3x11.5'],
    ],
    [
      'a paragraph before a gradient',
      {
        automatic: behind('', '<style:graphic-properties draw:fill="gradient" draw:fill-gradient-name="G"/>'),
        body: par('Text', 'P'),
      },
      ['72,72 linear 451.3x11.5'],
    ],
    [
      'a cell before a picture',
      {
        automatic: `<style:style style:name="C" style:family="table-cell"><style:table-cell-properties>${image('style:repeat="stretch"')}</style:table-cell-properties></style:style><style:style style:name="T" style:family="table"><style:table-properties style:width="200pt" table:align="left"/></style:style>`,
        body: `<table:table table:style-name="T"><table:table-column/><table:table-row><table:table-cell table:style-name="C">${par('Text')}</table:table-cell></table:table-row></table:table>`,
      },
      ['image 200x11.5 in 200x11.5'],
    ],
    [
      'a page before tiles',
      {
        layout: paper(margins).replace('/>', `>${image('')}</style:page-layout-properties>`),
        body: par('Text'),
      },
      ['0,0 tiles', 'from 0,0 in 595.3x841.9'],
    ],
    [
      'a page before a gradient',
      { layout: paper(`${margins} draw:fill="gradient" draw:fill-gradient-name="G"`), body: par('Text') },
      ['0,0 linear 595.3x841.9'],
    ],
    [
      'a paragraph that undoes what it is based on',
      {
        automatic: `${behind(image(''))}<style:style style:name="Q" style:family="paragraph" style:parent-style-name="P"><style:graphic-properties draw:fill="none"/></style:style>`,
        body: par('Text', 'Q'),
      },
      [],
    ],
  ])('%s', async (_, sample, wanted) => {
    const bytes = await openFile({ ...sample, outline: fills })
    const found = drawn(odtReader.read(bytes, { codec: nodeCodec, limits: defaultLimits }).value)
    if (wanted.length === 0) expect(found).toEqual([])
    for (const part of wanted) expect(found.join('\n')).toContain(part)
  })
})

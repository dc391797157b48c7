import JSZip from 'jszip'
import { describe, expect, it } from 'vitest'
import type { FetchedFile, MergeOptions } from '../../../../shared/ports/merger.ts'
import { bodyOf, docxOf, entryText, odtOf } from '../../../helpers/docx.ts'
import { failure, mergeBytes } from '../../../helpers/merge.ts'
import {
  dataUri,
  drawing,
  fixture,
  fixtureUri,
  frame,
  linkRelation,
  odfParts,
  svg,
  wordParts,
} from '../../../helpers/pictures.ts'
import { problemsOf } from '../../../helpers/structure.ts'

type Options = Partial<MergeOptions>
const word = (body: string, relations = '') => docxOf(`<w:p>${body}</w:p>`, wordParts(relations))
const writer = (body: string) => odtOf(`<text:p>${body}</text:p>`, odfParts())

async function merge(template: Promise<Uint8Array>, data: unknown, options: Options = {}) {
  const bytes = await template
  const format = (await JSZip.loadAsync(bytes)).file('mimetype') === null ? 'docx' : 'odt'
  const { value, warnings } = await mergeBytes(bytes, format, data, options)
  const out = new Uint8Array(await value.document.arrayBuffer())
  expect(await problemsOf(out)).toEqual([])
  const zip = await JSZip.loadAsync(out)
  const added = Object.keys(zip.files).filter((name) => name.includes('merged'))
  return { body: await bodyOf(out), out, zip, added, needs: value.needs, warnings }
}

/** 'width x height file' of each picture: EMU in DOCX, centimetres in ODT. */
async function placed(
  template: Promise<Uint8Array>,
  data: unknown,
  options: Options = {},
): Promise<string[]> {
  const { body, zip } = await merge(template, data, options)
  if (zip.file('mimetype') !== null)
    return [
      ...body.matchAll(
        /svg:width="([^"]*)" svg:height="([^"]*)"><draw:image[^>]*xlink:href="Pictures\/([^"]*)"/g,
      ),
    ].map(([, width, height, file]) => `${width} x ${height} ${file}`)
  const relations = await zip.file('word/_rels/document.xml.rels')!.async('string')
  return [
    ...body.matchAll(/<wp:extent cx="(\d+)" cy="(\d+)".*?r:embed="([^"]*)".*?<a:ext cx="(\d+)" cy="(\d+)"/g),
  ].map(([, width, height, id, innerWidth, innerHeight]) => {
    expect([innerWidth, innerHeight]).toEqual([width, height])
    return `${width} x ${height} ${new RegExp(`Id="${id}"[^>]*Target="media/([^"]*)"`).exec(relations)?.[1]}`
  })
}

const tall = dataUri(svg(100, 200), 'image/svg+xml')
const wide = dataUri(svg(400, 100), 'image/svg+xml')

describe('the picture takes the place of the sample', () => {
  const rows: [string, Promise<Uint8Array>, unknown, string[]][] = [
    ['width of the box, own ratio', word(drawing('{d.x}')), { x: tall }, ['1828800 x 3657600 merged1.svg']],
    ['contain, tall', word(drawing('{d.x:imageFit(contain)}')), { x: tall }, ['457200 x 914400 merged1.svg']],
    [
      'contain, wide',
      word(drawing('{d.x:imageFit(contain)}')),
      { x: wide },
      ['1828800 x 457200 merged1.svg'],
    ],
    ['fill', word(drawing("{d.x:imageFit('fill')}")), { x: tall }, ['1828800 x 914400 merged1.svg']],
    [
      'mode from data',
      word(drawing('{d.x:imageFit(.m)}')),
      { x: tall, m: 'fill' },
      ['1828800 x 914400 merged1.svg'],
    ],
    ['unknown mode', word(drawing('{d.x:imageFit(what)}')), { x: wide }, ['1828800 x 457200 merged1.svg']],
    ['PNG', word(drawing('{d.x}')), { x: fixtureUri('rgb.png') }, ['1828800 x 914400 merged1.png']],
    ['JPEG', word(drawing('{d.x}')), { x: fixtureUri('rgb.jpg') }, ['1828800 x 914400 merged1.jpeg']],
    ['GIF', word(drawing('{d.x}')), { x: fixtureUri('plain.gif') }, ['1828800 x 914400 merged1.gif']],
    ['BMP', word(drawing('{d.x}')), { x: fixtureUri('rgb.bmp') }, ['1828800 x 914400 merged1.bmp']],
    [
      'type by content',
      word(drawing('{d.x}')),
      { x: dataUri(fixture('rgb.png'), 'IMAGE/jpeg; charset=x') },
      ['1828800 x 914400 merged1.png'],
    ],
    [
      'alias',
      word(`<w:r><w:t>{#p=d.x}</w:t></w:r>${drawing('{$p}')}`),
      { x: wide },
      ['1828800 x 457200 merged1.svg'],
    ],
    [
      'chain before',
      word(drawing("{d.m:ifEQ(1):show(.x):elseShow('')}")),
      { x: wide, m: 1 },
      ['1828800 x 457200 merged1.svg'],
    ],
    ['empty text', word(drawing('{d.x}')), { x: '' }, ['1828800 x 914400 merged1.png']],
    ['missing', word(drawing('{d.x}')), {}, ['1828800 x 914400 merged1.png']],
    ['a number', word(drawing('{d.x}')), { x: 5 }, ['1828800 x 914400 merged1.png']],
    ['raw base64', word(drawing('{d.x}')), { x: 'iVBORw0KGgo=' }, ['1828800 x 914400 merged1.png']],
    ['a path', word(drawing('{d.x}')), { x: '../../etc/passwd' }, ['1828800 x 914400 merged1.png']],
    [
      'HTML as PNG',
      word(drawing('{d.x}')),
      { x: dataUri('<html/>', 'image/png') },
      ['1828800 x 914400 merged1.png'],
    ],
    [
      'stored once',
      word(drawing('{d.x}') + drawing('{d.y}', 2)),
      { x: wide, y: `${wide} ` },
      ['1828800 x 457200 merged1.svg', '1828800 x 457200 merged1.svg'],
    ],
    ['dropped', word(drawing('{d.x}{d.x:ifEM:drop(img)}')), {}, []],
    [
      'not dropped',
      word(drawing('{d.x}{d.x:ifEM:drop(img)}')),
      { x: wide },
      ['1828800 x 457200 merged1.svg'],
    ],
    [
      'loop',
      docxOf(`<w:p>${drawing('{d.l[i].x}')}</w:p><w:p>${drawing('{d.l[i+1].x}', 2)}</w:p>`, wordParts()),
      { l: [{ x: wide }, {}, { x: tall }, { x: wide }] },
      [
        '1828800 x 457200 merged1.svg',
        '1828800 x 914400 merged2.png',
        '1828800 x 3657600 merged3.svg',
        '1828800 x 457200 merged1.svg',
      ],
    ],
    ['ODT', writer(frame('{d.x}')), { x: tall }, ['4cm x 8cm merged1.svg']],
    ['ODT, contain', writer(frame('{d.x:imageFit(contain)}')), { x: tall }, ['1cm x 2cm merged1.svg']],
    ['ODT, fill', writer(frame('{d.x:imageFit(fill)}')), { x: tall }, ['4cm x 2cm merged1.svg']],
    [
      'ODT, description',
      writer(frame('', 'a', '<svg:desc>{d.x}</svg:desc>')),
      { x: wide },
      ['4cm x 1cm merged1.svg'],
    ],
    [
      'ODT, bitmap twin',
      writer(frame('{d.x}', 'a', '<draw:image xlink:href="Pictures/sample.png"/>')),
      { x: wide },
      ['4cm x 1cm merged1.svg'],
    ],
    ['ODT, empty', writer(frame('{d.x}')), {}, ['4cm x 2cm merged1.png']],
    ['ODT, dropped', writer(frame('{d.x}{d.x:ifEM:drop(img)}')), {}, []],
    [
      'ODT, loop',
      odtOf(
        `<text:p>${frame('{d.l[i].x}')}</text:p><text:p>${frame('{d.l[i+1].x}', 'b')}</text:p>`,
        odfParts(),
      ),
      { l: [{ x: wide }, {}, { x: wide }] },
      ['4cm x 1cm merged1.svg', '4cm x 2cm merged2.png', '4cm x 1cm merged1.svg'],
    ],
  ]
  it.each(rows)('%s', async (_name, template, data, expected) => {
    expect(await placed(template, data)).toEqual(expected)
  })

  it('words beside the tag make it a description', async () => {
    const { body, added } = await merge(word(drawing('A view of {d.town}')), { town: 'Lyon' })
    expect([added, body.includes('descr="A view of Lyon"'), body.includes('r:embed="rId9"')]).toEqual([
      [],
      true,
      true,
    ])
    const odt = await merge(writer(frame('A view of {d.town}')), { town: 'Lyon' })
    expect([odt.added, odt.body.includes('<svg:title>A view of Lyon</svg:title>')]).toEqual([[], true])
  })

  it('an SVG is referenced as the picture and its vector form; the fallback image of the sample is removed', async () => {
    const { body } = await merge(word(drawing('{d.x}')), { x: wide })
    const [, id] = /<a:blip cstate="print" r:embed="(\w+)"><a:extLst>/.exec(body)!
    expect(body.match(new RegExp(`r:embed="${id}"`, 'g'))).toHaveLength(2)
    expect(body).not.toContain('28A0092B')
    expect(body).not.toContain('srcRect')
  })

  it('a header has relationships of its own; a document made here is a template again', async () => {
    const header = `<w:hdr xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><w:p>${drawing('{d.x}')}</w:p></w:hdr>`
    const parts = { ...wordParts(), 'word/header1.xml': header }
    const first = await merge(docxOf(`<w:p>${drawing('{d.y}')}</w:p>`, parts), { x: wide, y: '{d.y}' })
    expect(await entryText(first.out, 'word/_rels/header1.xml.rels')).toMatch(
      /Id="rIdm1"[^>]*media\/merged2\.svg/,
    )
    const again = first.body.replaceAll('descr=""', 'descr="{d.x}"')
    const relations = await entryText(first.out, 'word/_rels/document.xml.rels')
    const media = await first.zip.file('word/media/merged1.png')!.async('uint8array')
    const second = docxOf(again, {
      ...wordParts(),
      'word/_rels/document.xml.rels': relations,
      'word/media/merged1.png': media,
    })
    expect(await placed(second, { x: wide })).toEqual(['1828800 x 457200 merged_1.svg'])
  })
})

it('a picture that fills a shape: the shape keeps its size', async () => {
  const shape = `<w:r><w:drawing><wp:inline><wp:extent cx="1800000" cy="900000"/><wp:docPr id="7" name="Oval 7" descr="{d.x}"/><a:graphic><a:graphicData><wps:wsp xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1800000" cy="900000"/></a:xfrm><a:prstGeom prst="ellipse"/><a:blipFill><a:blip r:embed="rId9"/><a:srcRect l="10000"/><a:stretch><a:fillRect/></a:stretch></a:blipFill></wps:spPr></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`
  const { body } = await merge(word(shape), { x: tall })
  expect(
    [...body.matchAll(/<(?:wp:extent|a:ext) cx="(\d+)" cy="(\d+)"/g)].map(([, cx, cy]) => `${cx} ${cy}`),
  ).toEqual(['1800000 900000', '1800000 900000'])
  expect(body).toMatch(/<a:blip r:embed="rIdm1">.*<\/a:blip><a:stretch>/)
})

describe('pictures from addresses', () => {
  const url = 'https://example.com/a.png'
  const given = (file: FetchedFile): Options => ({ files: new Map([[url, file]]) })
  const strict: Options = { failOn: ['IMAGE_URL_ERROR'] }

  it('are fetched once each, twenty at most, and replaced by neutral pictures', async () => {
    const template = docxOf(
      `<w:p>${drawing('{d.l[i]}')}</w:p><w:p>${drawing('{d.l[i+1]}', 2)}</w:p>`,
      wordParts(),
    )
    const few = await merge(template, { l: [url, 'http://b.org/x', url, 'ftp://b.org', wide] }, strict)
    expect([few.needs, few.added]).toEqual([
      [url, 'http://b.org/x'],
      ['word/media/merged1.png', 'word/media/merged2.svg'],
    ])
    const many = await merge(template, { l: Array.from({ length: 10_000 }, (_, n) => `${url}?${n}`) })
    expect([many.needs?.length, many.added.length]).toEqual([20, 1])
    expect((await merge(template, { l: [`https://example.com/${'x'.repeat(9000)}`] })).needs).toBeUndefined()
  })

  it('are placed when they were fetched', async () => {
    expect(
      await placed(word(drawing('{d.x}')), { x: url }, given({ bytes: new TextEncoder().encode(svg(4, 1)) })),
    ).toEqual(['1828800 x 457200 merged1.svg'])
  })

  const rows: [string, Options, string][] = [
    [
      'failed',
      given({ failed: 'the server cannot be reached' }),
      'A picture could not be loaded: the server cannot be reached.',
    ],
    [
      'HTML',
      given({ bytes: new TextEncoder().encode('<!doctype html><p>') }),
      'A picture could not be loaded: the server sent no picture of a known type.',
    ],
    [
      'one too many',
      { files: new Map() },
      'A picture could not be loaded: a render may fetch at most 20 files.',
    ],
  ]
  it.each(rows)('%s: a neutral picture, or the requested error', async (_name, options, message) => {
    const template = word(drawing('{d.x}'))
    const { added, needs } = await merge(template, { x: url }, options)
    expect([added, needs]).toEqual([['word/media/merged1.png'], undefined])
    const job = mergeBytes(await template, 'docx', { x: url }, { ...options, ...strict })
    expect(await failure(job)).toMatchObject({ code: 'template.image', message })
  })

  it('empty values and data are no failed downloads', async () => {
    const template = word(drawing('{d.x}') + drawing('{d.y}', 2))
    const { added } = await merge(template, { y: dataUri('x', 'image/png') }, { ...strict, files: new Map() })
    expect(added).toEqual(['word/media/merged1.png'])
  })
})

describe('links', () => {
  const link = (id: string, text = 'text') =>
    `<w:hyperlink r:id="${id}" w:history="1"><w:r><w:t>${text}</w:t></w:r></w:hyperlink>`
  const targets = async (template: Promise<Uint8Array>, data: unknown) => {
    const { body, out } = await merge(template, data)
    const relations = await entryText(out, 'word/_rels/document.xml.rels')
    return [...body.matchAll(/<w:hyperlink( r:id="[^"]*")?/g)].map(([, attribute]) =>
      attribute === undefined
        ? 'none'
        : new RegExp(`Id=${attribute.slice(6)}[^>]*Target="([^"]*)" TargetMode="External"`).exec(
            relations,
          )?.[1],
    )
  }
  const rows: [string, string, unknown, string[]][] = [
    ['percent-encoded', '%7Bd.u%7D', { u: 'https://a.org/?x=1&y=2' }, ['https://a.org/?x=1&amp;y=2']],
    ['plain braces', '{d.u}', { u: 'a.org' }, ['https://a.org']],
    ['mixed with text', 'https://a.org/{d.u}/x?y={d.v}', { u: 'b c', v: 1 }, ['https://a.org/b%20c/x?y=1']],
    [
      'percent-encoded in the path only',
      'https://a.org/%7Bd.u%7D?y={d.v}&z=%7Bd.w%7D',
      { u: 'b c', v: 'd e', w: 1 },
      ['https://a.org/b%20c?y=d%20e&amp;z=1'],
    ],
    [
      'a value of the query',
      'https://a.org/?y={d.v}&z=1{d.more}',
      { v: 'R&D #1 1+1', more: '&w=2' },
      ['https://a.org/?y=R%26D%20%231%201%2B1&amp;z=1&amp;w=2'],
    ],
    ['a query that is data', 'https://a.org/?{d.q}', { q: 'y=1&z=2' }, ['https://a.org/?y=1&amp;z=2']],
    ['an editor made it absolute', 'http://{d.u}', { u: 'a.org' }, ['http://a.org']],
    ['an editor took it for a file', 'file:///C:\\Users\\me\\%7Bd.u%7D', { u: 'a.org' }, ['https://a.org']],
    ['a scheme that is not allowed', '{d.u}', { u: 'javascript:alert(1)' }, ['none']],
    ['empty', '{d.u}', {}, ['none']],
    ['default', '{d.u:defaultURL(https://b.org)}', { u: 'javascript:alert(1)' }, ['https://b.org']],
    ['default from data', '{d.u:defaultURL(.f)}', { f: 'b.org' }, ['https://b.org']],
    ['default that is no better', '{d.u:defaultURL(.f)}', { f: 'file:///x' }, ['none']],
    ['markup in the value', '{d.u}', { u: 'https://a.org/"><w:x/>' }, ['https://a.org/%22%3E%3Cw:x/%3E']],
  ]
  it.each(rows)('%s', async (_name, target, data, expected) => {
    expect(await targets(word(link('rId5'), linkRelation('rId5', target)), data)).toEqual(expected)
  })

  it('each copy of a loop has its own; equal ones share it', async () => {
    const body = `<w:p>${link('rId5', '{d.l[i].n}')}</w:p><w:p>${link('rId6', '{d.l[i+1].n}')}</w:p>`
    const relations =
      linkRelation('rId5', '%7Bd.l%5Bi%5D.u%7D') + linkRelation('rId6', '%7Bd.l%5Bi+1%5D.u%7D')
    const data = { l: ['a.org', 'b.org', '', 'a.org'].map((u, n) => ({ u, n })) }
    const template = docxOf(body, wordParts(relations))
    expect(await targets(template, data)).toEqual(['https://a.org', 'https://b.org', 'none', 'https://a.org'])
    const { out } = await merge(template, data)
    expect((await entryText(out, 'word/_rels/document.xml.rels')).match(/TargetMode/g)).toHaveLength(2)
  })

  it('bookmarks and fixed links stay as they are', async () => {
    const fixed = `<w:hyperlink w:anchor="toc"><w:r><w:t>{d.u}</w:t></w:r></w:hyperlink>${link('rId5')}`
    const { body } = await merge(word(fixed, linkRelation('rId5', 'https://a.org/')), { u: 'x' })
    expect(body).toContain('<w:hyperlink w:anchor="toc">')
    expect(body).toContain('r:id="rId5"')
  })

  it('ODT', async () => {
    const a = (target: string) => `<text:a xlink:type="simple" xlink:href="${target}">x</text:a>`
    const data = { u: 'a.org/?x=1&y', bad: 'javascript:1' }
    const { body } = await merge(
      writer(a('../%7Bd.u%7D') + a('{d.bad}') + a('{d.bad:defaultURL(b.org)}') + a('#toc')),
      data,
    )
    expect([...body.matchAll(/xlink:href="([^"]*)"/g)].map(([, address]) => address)).toEqual([
      'https://a.org/?x=1&amp;y',
      '',
      'https://b.org',
      '#toc',
    ])
  })
})

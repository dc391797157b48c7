import { describe, expect, it } from 'vitest'
import { createMergeEngine } from '../../../shared/template/merge.ts'
import { codecNode } from '../../helpers/codec-node.ts'
import { bodyOf, docxOf, entryText, paragraph } from '../../helpers/docx.ts'
import { defaultOptions, engine, failure, formatOf, mergeBytes, mergeText } from '../../helpers/merge.ts'

const docx = await docxOf(paragraph('{d.v}'), {
  'word/media/image1.png': new Uint8Array(5_000).map((_, n) => (n * n) % 251),
})

describe('the engine', () => {
  it('compiles a template once for its hash, its level and its outside aliases', async () => {
    const own = createMergeEngine({ codec: codecNode, formats: formatOf })
    const run = async (hash: string, options = {}) => {
      const job = {
        template: { hash, bytes: docx, format: 'docx' },
        data: { text: '{"v":1}' },
        options: { ...defaultOptions, ...options },
      }
      return (await own.merge(job)).value.planReused
    }
    expect([await run('a'), await run('a'), await run('b'), await run('a', { languageLevel: 4 })]).toEqual([
      false,
      true,
      false,
      false,
    ])
    expect([await run('a', { variableStr: '{#x=d.y}' }), await run('a')]).toEqual([false, true])
    expect(own.stats()).toMatchObject({ entries: 4, hits: 2 })
  })

  it('keeps no more than its cache holds', async () => {
    const own = createMergeEngine({ codec: codecNode, formats: formatOf, cacheBytes: 40_000 })
    for (let n = 0; n < 20; n += 1) {
      await own.merge({
        template: { hash: `h${n}`, bytes: docx, format: 'docx' },
        data: { value: {} },
        options: defaultOptions,
      })
    }
    expect(own.stats().bytes).toBeLessThanOrEqual(40_000)
    expect(own.stats().entries).toBeGreaterThan(0)
  })

  it('gives the same bytes for the same input, cold and warm', async () => {
    const job = {
      template: { hash: 'same', bytes: docx, format: 'docx' },
      data: { value: { v: 'x' } },
      options: defaultOptions,
    }
    const [first, second] = [await engine.merge(job), await engine.merge(job)]
    expect(second.value.planReused).toBe(true)
    expect(second.value.document.view).toEqual(first.value.document.view)
  })

  it('copies entries that carry no tags as they are stored', async () => {
    const { value } = await mergeBytes(docx, 'docx', { v: 1 })
    const out = Buffer.from(value.document.view!)
    const stored = Buffer.from(docx)
    const at = stored.indexOf('word/media/image1.png') + 'word/media/image1.png'.length
    expect(out.indexOf(stored.subarray(at, at + 100))).toBeGreaterThan(0)
  })

  it('gives a text without tags back as a copy of its own', async () => {
    const bytes = new TextEncoder().encode('no tags')
    const { value } = await mergeBytes(bytes, 'txt', {})
    expect(value.document.view).toEqual(bytes)
    expect(value.document.view!.buffer).not.toBe(bytes.buffer)
  })

  it('renders names beside the document, with its aliases, unescaped', async () => {
    const template = await docxOf(paragraph('{#who = d.client.name}'))
    const { value } = await mergeBytes(
      template,
      'docx',
      { client: { name: 'A & B' }, l: [1, 2] },
      { names: { reportName: 'inv {$who}-{d.l[i]},{d.l[i+1]}' } },
    )
    expect(value.names).toEqual({ reportName: 'inv A & B-1,2,' })
    const error = await failure(mergeBytes(template, 'docx', {}, { names: { reportName: '{d.x:nope}' } }))
    expect(error.problems[0]!.place!.part).toBe('reportName')
  })

  it('returns the options of the template', async () => {
    const template = await docxOf(
      paragraph(
        '{o.lang=fr-fr}{o.timezone=Asia/Tokyo}{o.converter=L}{o.hardRefresh=true}{o.preReleaseFeatureIn=5011000}{o.styleSource=12}x',
      ),
    )
    const { value } = await mergeBytes(template, 'docx', {})
    expect(value.tagOptions).toEqual({
      lang: 'fr-fr',
      timezone: 'Asia/Tokyo',
      converter: 'L',
      hardRefresh: true,
      preReleaseFeatureIn: 5011000,
      styleSource: '12',
    })
    expect(await bodyOf(value.document.view!)).toContain('>x</w:t>')
  })

  it('knows the time of the render unless the caller brings one', async () => {
    expect(await mergeText('<x>{c.now} {c.a}</x>', {}, { complement: { value: { a: 1 } } })).toBe(
      '<x>2024-01-02T03:04:05.000Z 1</x>',
    )
    expect(await mergeText('<x>{c.now}</x>', {}, { complement: { text: '{"now":"then"}' } })).toBe(
      '<x>then</x>',
    )
  })

  it('lists its tags when asked', async () => {
    const { value } = await mergeBytes(docx, 'docx', {}, { debug: true })
    expect(value.debug).toEqual({ markers: ['{d.v}'] })
  })

  it('stores values in a copy, never in the data of the caller', async () => {
    const data = { l: [{ n: 1 }] }
    expect(await mergeText('<x>{d.l[].n:print(2):set(.m)}{d.l[0].m}</x>', data)).toBe('<x>2</x>')
    expect(data).toEqual({ l: [{ n: 1 }] })
  })

  it('warns of what it does not do', async () => {
    const { warnings } = await mergeBytes(new TextEncoder().encode('<x>{$nope}</x>'), 'xml', {})
    expect(warnings.map(({ code }) => code)).toEqual(['template.alias.unknown'])
  })

  it('checks a template without data', async () => {
    const { value } = await engine.check({ hash: '', bytes: docx, format: 'docx' })
    expect(value).toEqual({ format: 'docx', tags: 1, parts: ['word/document.xml'] })
    const bad = await docxOf(paragraph('{d.l[i].x}'))
    expect((await failure(engine.check({ hash: '', bytes: bad, format: 'docx' }))).code).toBe(
      'template.loop.unclosed',
    )
    await engine.open({ hash: '', bytes: bad, format: 'docx' })
  })
})

describe('parts of a document', () => {
  it('fills headers, properties and link targets, also percent-encoded ones', async () => {
    const template = await docxOf(paragraph('x'), {
      'word/header1.xml':
        '<w:hdr xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:p><w:r><w:t>{d.v}</w:t></w:r></w:p></w:hdr>',
      'docProps/core.xml':
        '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{d.v} &lt;</dc:title></cp:coreProperties>',
      'word/_rels/document.xml.rels':
        '<Relationships xmlns="r"><Relationship Id="rId1" Type="hyperlink" Target="https://example.com/%7Bd.url%7D?q=%7B%20d.v%7D" TargetMode="External"/><Relationship Id="rId2" Type="hyperlink" Target="{d.url}" TargetMode="External"/></Relationships>',
    })
    const { value } = await mergeBytes(template, 'docx', { v: 'a & b', url: 'p q/é' })
    const out = value.document.view!
    expect(await entryText(out, 'word/header1.xml')).toContain('<w:t xml:space="preserve">a &amp; b</w:t>')
    expect(await entryText(out, 'docProps/core.xml')).toContain('<dc:title>a &amp; b &lt;</dc:title>')
    expect(await entryText(out, 'word/_rels/document.xml.rels')).toContain(
      'Target="https://example.com/p%20q/é?q=a%20&amp;%20b"',
    )
    expect(await entryText(out, 'word/_rels/document.xml.rels')).toContain('Target="p%20q/é"')
  })

  it('keeps a loop in its part', async () => {
    const template = await docxOf(paragraph('{d.l[i].x}'), {
      'word/footer1.xml':
        '<w:ftr xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:p><w:r><w:t>{d.l[i+1].x}</w:t></w:r></w:p></w:ftr>',
    })
    const error = await failure(mergeBytes(template, 'docx', {}))
    expect(error.problems.map(({ code, place }) => [code, place!.part])).toEqual([
      ['template.loop.unclosed', 'word/document.xml'],
      ['template.loop.unopened', 'word/footer1.xml'],
    ])
  })
})

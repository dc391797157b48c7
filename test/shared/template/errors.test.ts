import { describe, expect, it } from 'vitest'
import { AppError } from '../../../shared/errors/app-error.ts'
import { defaultLimits } from '../../../shared/limits.ts'
import { fromBytes } from '../../../shared/plugin/byte-source.ts'
import { createMergeEngine } from '../../../shared/template/merge.ts'
import { codecNode } from '../../helpers/codec-node.ts'
import { docxOf, paragraph } from '../../helpers/docx.ts'
import { defaultOptions, engine, failure, formatOf, mergeBytes, mergeText } from '../../helpers/merge.ts'
import { processorTime } from '../../helpers/processor-time.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('errors of tags are reported with their position', () => {
  const cases: readonly (readonly [template: string, code: string, message: string])[] = [
    [
      '{d.v:upercase}',
      'template.formatter.unknown',
      'Formatter "upercase" does not exist. Do you mean "upperCase"?',
    ],
    ['{d.a...x}', 'template.path.too-high', 'Cannot access parent object in "{d.a...x}" (too high)'],
    [
      '{d.v:print(...x)}',
      'template.path.too-high',
      'Cannot access parent object in "{d.v:print(...x)}" (too high)',
    ],
    [
      '{d.v:showBegin}',
      'template.tag.unclosed',
      'Missing at least one showEnd or hideEnd: {d.v:showBegin} is never closed.',
    ],
    [
      '{d.v:hideEnd}',
      'template.tag.unopened',
      'Missing at least one showBegin or hideBegin before {d.v:hideEnd}.',
    ],
    [
      '{d.l[i].n}',
      'template.loop.unclosed',
      'The marker {d.l[i].n} has no corresponding [i+1] for array "l".',
    ],
    [
      '{d.l[i+1].n}',
      'template.loop.unopened',
      'The marker {d.l[i+1].n} has no corresponding [i] for array "l".',
    ],
    [
      '{d.a[i]}{d.b[i]}{d.a[i+1]}{d.b[i+1]}',
      'template.loop.interleaved',
      'The loops of {d.a[i]} and {d.b[i]} overlap without one being inside the other.',
    ],
    [
      '<t><r>{d.a[i].n} {d.b[i].m}</r><r>{d.a[i+1]} {d.b[i+1]}</r></t>',
      'template.loop.crossed',
      '{d.a[i].n} and {d.b[i].m} repeat the same part of the document over two independent lists, "a" and "b".',
    ],
    ['{d.l.[0]}', 'template.tag.syntax', 'Tag {d.l.[0]} cannot be read: there is a dot before a bracket.'],
    ['{d.l[*]}', 'template.tag.syntax', 'Tag {d.l[*]} cannot be read: "[*]" is not an iterator.'],
    [
      '{d.v::upperCase}',
      'template.tag.syntax',
      'Tag {d.v::upperCase} cannot be read: there is no formatter name after a colon.',
    ],
    [
      '{d.v:print(.a.[b)}',
      'template.tag.syntax',
      'Tag {d.v:print(.a.[b)} cannot be read: there is a dot before a bracket.',
    ],
    [
      '{d.v:print(.a]b)}',
      'template.tag.syntax',
      'Tag {d.v:print(.a]b)} cannot be read: a bracket is closed that was not opened.',
    ],
    [
      '{d.v:drop(p):upperCase}',
      'template.formatter.last',
      'Nothing may follow formatter "drop" in {d.v:drop(p):upperCase}.',
    ],
    ['{d.v:add(/.x)}', 'template.arithmetic', 'Bad Mathematical Expression in "/.x"'],
    ['{d.v:print}', 'template.formatter.arguments', 'Formatter "print" in {d.v:print}: it needs 1 argument.'],
    [
      '{d.v:drop(slide)}',
      'template.element.unknown',
      '{d.v:drop(slide)}: "slide" is not an element that can be dropped or kept in xml.',
    ],
    [
      '{d.l[i].x:set(c.y)}',
      'template.formatter.arguments',
      'Formatter "set" in {d.l[i].x:set(c.y)}: its source cannot use [i]; write [] instead.',
    ],
    [
      '{d.v:showBegin}<b>{d.l[i].x}{d.v:showEnd}y</b><b>{d.l[i+1].x}</b>',
      'template.block.overlap',
      'The block of {d.v:showBegin} crosses the edge of a repeated part.',
    ],
    [
      '<a s="{d.l[i].x}">{d.l[i+1].x}</a>',
      'template.loop.region',
      'No part of the document to repeat was found between {d.l[i].x} and {d.l[i+1].x}.',
    ],
  ]
  for (const [template, code, message] of cases) {
    it(template, async () => {
      const error = await failure(mergeText(`<x>${template}</x>`, {}))
      expect(error.code).toBe(code)
      expect(error.message).toBe(message)
      expect(error.problems[0]!.place!.part).toBe('xml')
    })
  }

  it('lists all problems of all parts, each with part, tag and paragraph', async () => {
    const template = await docxOf(paragraph('Dear {d.v:nope}') + paragraph('and {d.l[i].x}'), {
      'word/header1.xml':
        '<w:hdr xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:p><w:r><w:t>Top {d.v:hideEnd}</w:t></w:r></w:p></w:hdr>',
    })
    const error = await failure(mergeBytes(template, 'docx', {}))
    expect(error.code).toBe('template.several')
    expect(error.problems.map(({ code, place }) => [code, place?.part, place?.tag, place?.snippet])).toEqual([
      ['template.formatter.unknown', 'word/document.xml', '{d.v:nope}', 'Dear {d.v:nope}'],
      ['template.loop.unclosed', 'word/document.xml', '{d.l[i].x}', 'and {d.l[i].x}'],
      ['template.tag.unopened', 'word/header1.xml', '{d.v:hideEnd}', 'Top {d.v:hideEnd}'],
    ])
    expect(error.problems[1]!.hint).toBe(
      'Write {d.l[i+1]} where the next item begins, in the same section of the document.',
    )
  })
})

describe('errors of running', () => {
  it('a repetition factor above 400', async () => {
    const error = await failure(
      mergeText('{d.l[i].n}{d.l[i+1*q].n}', { l: [{ n: 1, q: 401 }] }, { format: 'txt' }),
    )
    expect(error.message).toBe('The repeater cannot be above 400')
  })
  it('an unknown time zone', async () => {
    const error = await failure(mergeText('<x>{d.v}</x>', {}, { timezone: 'Mars/Base' }))
    expect(error.message).toBe('Unknown Time Zone Mars/Base')
  })
  it('data that is not JSON', async () => {
    const job = {
      template: { hash: '', bytes: bytes('<x>{d.v}</x>'), format: 'xml' },
      options: defaultOptions,
    }
    const error = await failure(engine.merge({ ...job, data: { text: '{"secret": tru' } }))
    expect(error.code).toBe('template.data')
    expect(error.message).not.toContain('secret')
    expect((await failure(engine.merge({ ...job, data: { text: '' } }))).status).toBe(400)
  })
  it('a format without tags', async () => {
    expect((await failure(mergeBytes(bytes('x'), 'pdf', {}))).code).toBe('template.format')
  })
  it('work beyond the limit, and output beyond the limit', async () => {
    const small = (limits: object) =>
      createMergeEngine({ codec: codecNode, formats: formatOf, limits: { ...defaultLimits, ...limits } })
    const job = {
      template: { hash: '', bytes: bytes('<x><r>{d.l[i]}</r><r>{d.l[i+1]}</r></x>'), format: 'xml' },
      data: { value: { l: Array.from({ length: 200 }, () => 'x'.repeat(100)) } },
      options: defaultOptions,
    }
    expect((await failure(small({ iterations: 100 }).merge(job))).code).toBe('template.iterations')
    expect((await failure(small({ outputBytes: 5_000 }).merge(job))).code).toBe('template.output')
    expect((await failure(small({ templateBytes: 10 }).merge(job))).code).toBe('package.too-large')
  })
  it('a merge that was stopped', async () => {
    const job = {
      template: { hash: '', bytes: bytes('<x/>'), format: 'xml' },
      data: { value: {} },
      options: defaultOptions,
    }
    expect((await failure(engine.merge(job, AbortSignal.abort()))).code).toBe('template.stopped')
  })
})

describe('templates made to hurt', () => {
  const hostile: readonly (readonly [name: string, template: string, code: string])[] = [
    ['a document type', '<!DOCTYPE x [<!ENTITY a "b">]><x>{d.v}</x>', 'template.doctype'],
    [
      'an external entity',
      '<?xml version="1.0"?><!DOCTYPE x SYSTEM "file:///etc/passwd"><x/>',
      'template.doctype',
    ],
    ['elements closed in the wrong order', '<x><a></x></a>', 'template.markup'],
    ['an element that is not closed', '<x><a>', 'template.markup'],
    ['an unfinished tag', '<x><a b="</x>', 'template.markup'],
    ['two roots', '<x/><y/>', 'template.markup'],
    ['no element', 'just text', 'template.markup'],
    ['deep nesting', `${'<a>'.repeat(1_001)}${'</a>'.repeat(1_001)}`, 'template.too-deep'],
    ['too many tags', `<x>${'{d.a}'.repeat(100_001)}</x>`, 'template.tag.too-many'],
    ['a path that is too long', `<x>{d${'[i]'.repeat(300)}.x}</x>`, 'template.tag.syntax'],
    [
      'loops nested too deep',
      `<x>${Array.from({ length: 40 }, (_, n) => `<a>{d.l${n}[i].x}`).join('')}${Array.from({ length: 40 }, (_, n) => `</a><a>{d.l${39 - n}[i+1].x}</a>`).join('')}</x>`,
      'template.loop.too-deep',
    ],
  ]
  for (const [name, template, code] of hostile) {
    it(name, async () => {
      const error = await failure(mergeText(template, {}))
      expect([error.code, ...error.problems.map((problem) => problem.code)]).toContain(code)
    })
  }

  it('100,000 tags are merged in a moment', async () => {
    const begun = process.cpuUsage()
    const text = await mergeText(`<x>${'<p>{d.a}</p>'.repeat(100_000)}</x>`, { a: 1 })
    expect(text.length).toBe(7 + 8 * 100_000)
    expect(processorTime(begun)).toBeLessThan(40_000)
  })

  it('many loops and many blocks do not cost their product', async () => {
    const begun = process.cpuUsage()
    const loops = await mergeText(`<x>${'<r>{d.l[i].a}</r><r>{d.l[i+1].a}</r>'.repeat(10_000)}</x>`, {
      l: [{ a: 1 }],
    })
    expect(loops.length).toBe(7 + 8 * 10_000)
    const blocks = await mergeText(`<x>${'{d.a:showBegin}<r>1</r>{d.a:showEnd}'.repeat(10_000)}</x>`, {
      a: true,
    })
    expect(blocks.length).toBe(7 + 8 * 10_000)
    expect(processorTime(begun)).toBeLessThan(40_000)
  })

  it('blocks in blocks in blocks', async () => {
    const deep = (n: number) => `<x>${'{d.a:showBegin}<b>1</b>'.repeat(n)}${'{d.a:showEnd}'.repeat(n)}</x>`
    expect(await mergeText(deep(100), { a: 1 })).toBe(`<x>${'<b>1</b>'.repeat(100)}</x>`)
    const error = await failure(mergeText(deep(40_000), { a: 1 }))
    expect(error.code).toBe('template.block.too-deep')
  })

  it('a tag that does not end soon is text', async () => {
    for (const length of [20_100, 1_000_000]) {
      const text = `<x>{d.${'a'.repeat(length)}}{d.v:print('${'a'.repeat(length)}')}</x>`
      expect(await mergeText(text, {})).toBe(text)
    }
  })

  const quick: readonly (readonly [name: string, template: string, format: string])[] = [
    [
      'ends of blocks side by side',
      `<x>${'<p>{d.a:showBegin}</p>'.repeat(20_000)}<p>${'{d.a:showEnd}'.repeat(20_000)}</p></x>`,
      'xml',
    ],
    ['one line of many fields', '{d.a},'.repeat(90_000), 'csv'],
    ['brackets in brackets', `<p><b>${`{d.x:print('${'[,'.repeat(4_000)}')}`.repeat(200)}</b></p>`, 'xml'],
    [
      'many names',
      `<x>${Array.from({ length: 20_000 }, (_, n) => `{#name${n}=d.a}{$name${n}}`).join('')}</x>`,
      'xml',
    ],
    ['many arguments', `<x>${`{d.a:print(${'.x,'.repeat(5_000)})}`.repeat(100)}</x>`, 'xml'],
    ['many drops in one paragraph', `<p>${'{d.a:drop(p)}'.repeat(50_000)}</p>`, 'html'],
    [
      'many paragraphs dropped',
      `<table><tr><td>${'<p>{d.a:drop(p)}</p>'.repeat(50_000)}</td></tr></table>`,
      'html',
    ],
  ]
  for (const [name, template, format] of quick) {
    it(`${name}: quick, whatever comes of it`, async () => {
      const begun = process.cpuUsage()
      await mergeText(template, { a: 1 }, { format }).catch((error: unknown) =>
        expect(error).toBeInstanceOf(AppError),
      )
      expect(processorTime(begun)).toBeLessThan(40_000)
    })
  }

  it('comments in front of a page do not confuse its sniffing', async () => {
    const head = new TextEncoder().encode(`${'<!-- -->'.repeat(500)}x`)
    expect(await formatOf('html')!.sniff!(fromBytes(head))).toBe('no')
  })

  it('braces without end', async () => {
    const begun = process.cpuUsage()
    const text = `<x>${'{d.'.repeat(200_000)}</x>`
    expect(await mergeText(text, {})).toBe(text)
    expect(processorTime(begun)).toBeLessThan(40_000)
  })

  it('aliases that blow up', async () => {
    const template = `<x>{#a($x) = d.${'$x'.repeat(5_000)}}{$a(${'y'.repeat(5_000)})}</x>`
    expect((await failure(mergeText(template, {}))).code).toBe('template.tag.too-long')
  })

  it('aliases that are many times too long together', async () => {
    const template = `<x>{#a=d.v:append(${'x'.repeat(15_000)})}${'{$a}'.repeat(2_000)}</x>`
    expect((await failure(mergeText(template, {}))).code).toBe('template.alias.too-large')
  })

  it('aliases that name themselves', async () => {
    expect(await mergeText('<x>{#a=d.$a.$a}{#b=$b$b}{#c=$d}{#d=$c}{$a}{$b}{$c}|</x>', { x: 1 })).toBe(
      '<x>|</x>',
    )
  })

  it('data that holds copies of itself', async () => {
    const template = `<x>${Array.from({ length: 60 }, (_, n) => `{d:set(d.a${n})}`).join('')}</x>`
    const small = createMergeEngine({
      codec: codecNode,
      formats: formatOf,
      limits: { ...defaultLimits, iterations: 100_000 },
    })
    const merged = small.merge({
      template: { hash: '', bytes: bytes(template), format: 'xml' },
      data: { value: { x: 1 } },
      options: defaultOptions,
    })
    expect((await failure(merged)).code).toBe('template.iterations')
  })

  it('repetitions count as work', async () => {
    const small = createMergeEngine({
      codec: codecNode,
      formats: formatOf,
      limits: { ...defaultLimits, iterations: 1_000 },
    })
    const merged = small.merge({
      template: { hash: '', bytes: bytes('{d.l[i].n}{d.l[i+1*q].n}'), format: 'txt' },
      data: { value: { l: Array.from({ length: 10 }, () => ({ n: 1, q: 400 })) } },
      options: defaultOptions,
    })
    expect((await failure(merged)).code).toBe('template.iterations')
  })

  it('stops examining a template with many mistakes', async () => {
    const before = process.cpuUsage()
    const equal = await failure(mergeText('<p>{d.v:nope}</p>\n'.repeat(50_000), {}, { format: 'html' }))
    expect(equal.problems.length).toBe(1)
    const different = Array.from({ length: 50_000 }, (_, n) => `<p>{d.v:nope${n}}</p>`).join('\n')
    expect((await failure(mergeText(different, {}, { format: 'html' }))).problems.length).toBe(100)
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(15_000)
  })

  it('names that mean something to prototypes, everywhere', async () => {
    const own = JSON.parse('{"es":{"__proto__":"x"},"__proto__":{"y":"z"}}') as Record<
      string,
      Record<string, string>
    >
    const rows: readonly (readonly [template: string, result: string, options?: object])[] = [
      ['{t(__proto__)}{t(constructor)}{d.v:t}', 'xconstructortoString', { lang: 'es', translations: own }],
      ['{d.v:convEnum(__proto__)}{d.v:convEnum(constructor)}', 'toStringtoString', { enum: {} }],
      ['{o.__proto__=x}{o.constructor=y}{d.v}', 'toString'],
      ['{#__proto__=d.v}{$__proto__}{$constructor}', 'toString'],
      ['{d.n:formatC(L, __proto__)}{d.n:convCurr(constructor, toString)}', '__PROTO__1.001'],
      ['{d.v:formatR}{d.n:formatI(constructor)}{d.v:ifTE(__proto__):show(a):elseShow(b)}', 'toString1b'],
      ['{d.l:print(x):set(d.l.length)}{d.l:len}', '2'],
    ]
    for (const [template, result, options] of rows)
      expect(await mergeText(`<x>${template}</x>`, { v: 'toString', n: 1, l: [1, 2] }, options)).toBe(
        `<x>${result}</x>`,
      )
  })

  it('data that reaches for prototypes', async () => {
    const data = JSON.parse('{"__proto__":{"x":"own"},"constructor":{"y":1},"a":{}}') as unknown
    expect(
      await mergeText(
        '<x>{d.a.x}{d.a.constructor.name}{d.constructor.y}{d.toString}{d.a.__proto__.x}</x>',
        data,
      ),
    ).toBe('<x>1</x>')
    await mergeText(
      '<x>{d.a.z:print(1):set(c.__proto__.polluted)}{d.v:print(1):set(d.constructor.prototype.polluted)}</x>',
      {},
    )
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})

import { describe, expect, it } from 'vitest'
import { AppError } from '../../../shared/errors/app-error.ts'
import { docxOf, odtOf, paragraph } from '../../helpers/docx.ts'
import { mergeBytes, mergeText } from '../../helpers/merge.ts'
import { pptxOf, pptxParagraph, pptxShape } from '../../helpers/pptx.ts'
import { processorTime } from '../../helpers/processor-time.ts'
import { xlsxOf } from '../../helpers/xlsx.ts'

/**
 * Templates and data that want to hurt the structural side: each ends within its time, with a document or with a typed
 * error. Times are generous: the machine may be busy.
 */
interface Hostile {
  readonly name: string
  readonly run: () => Promise<unknown>
  /** The code of the error; absent: a document comes out. */
  readonly code?: string | RegExp
  readonly seconds?: number
}

const rows = (...cells: readonly string[]) => `<x>${cells.map((cell) => `<r>${cell}</r>`).join('')}</x>`
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]))
const nested = (levels: number): unknown => {
  let value: unknown = { v: 1 }
  for (let n = 0; n < levels; n += 1) value = { a: [value] }
  return value
}
const slides = (...texts: readonly string[]) => pptxOf(texts.map((text) => pptxShape(2, pptxParagraph(text))))
const sheets = (first: string, second: string, name = 'A') =>
  xlsxOf({
    sheets: [
      { name, cells: { A1: first } },
      { name: 'B', cells: { A1: second } },
    ],
  })
const commented = (comments: string) =>
  xlsxOf({
    sheets: [
      {
        name: 'S',
        cells: { A1: '{d.l[i]}', A2: '{d.l[i+1]}' },
        relationships: [{ id: 'rId1', type: 'comments', target: '../comments1.xml' }],
      },
    ],
    extra: { 'xl/comments1.xml': comments },
    types: { 'xl/comments1.xml': 'application/vnd.openxmlformats-officedocument.spreadsheetml.comments+xml' },
  })
const list = (length: number) => ({ l: Array.from({ length }, (_, n) => ({ n })) })

const cases: readonly Hostile[] = [
  {
    name: 'a loop over an object with a quarter of a million keys',
    run: () => mergeText(rows('{d.o[i].att}', '{d.o[i+1]}'), { o: keys(250_000) }),
    seconds: 15,
  },
  {
    name: 'a sorted loop over a quarter of a million keys',
    run: () => mergeText(rows('{d.o[val,i].att}', '{d.o[val+1,i+1]}'), { o: keys(250_000) }),
    seconds: 22.5,
  },
  {
    name: 'a search in each row over many keys',
    run: () =>
      mergeText(rows('{d.l[i].n:print(..o[.val=.n].att)}', '{d.l[i+1]}'), { ...list(2_000), o: keys(2_000) }),
  },
  {
    name: 'data nested ten thousand deep',
    run: () => mergeText(rows('{d.a[0].a[0].a[0].x}'), nested(10_000)),
  },
  { name: 'a path of many steps', run: () => mergeText(rows(`{d${'.a[0]'.repeat(90)}.v}`), nested(90)) },
  {
    name: 'a path of too many steps',
    run: () => mergeText(rows(`{d${'.a[0]'.repeat(1_000)}.v}`), nested(1_000)),
    code: 'template.tag.syntax',
  },
  {
    name: 'loops a thousand deep',
    run: () =>
      mergeText(
        `<x>${Array.from({ length: 300 }, (_, n) => `<a>{d.l${n}[i].x}`).join('')}${Array.from({ length: 300 }, (_, n) => `</a><a>{d.l${299 - n}[i+1].x}</a>`).join('')}</x>`,
        {},
      ),
    code: /template\.(?:several|loop\.too-deep)/,
  },
  {
    name: 'elements a thousand deep around a loop',
    run: () =>
      mergeText(
        `<x>${'<a>'.repeat(990)}<r>{d.l[i].n}</r><r>{d.l[i+1]}</r>${'</a>'.repeat(990)}</x>`,
        list(3),
      ),
  },
  { name: 'a tag of a megabyte', run: () => mergeText(rows(`{d.a:print('${'x'.repeat(1_000_000)}')}`), {}) },
  { name: 'aliases that call for each other', run: () => mergeText(rows(`{#a=$b$b}{#b=$a$a}{$a}`), {}) },
  {
    name: 'aliases that multiply',
    run: () =>
      mergeText(
        rows(`${Array.from({ length: 60 }, (_, n) => `{#a${n}=${`$a${n + 1}`.repeat(10)}}`).join('')}{$a0}`),
        {},
      ),
  },
  {
    name: 'a condition deeper in a loop, judged by many items in many copies',
    run: () =>
      mergeText(
        `<table>${'<tr><td>{d.g[i].h}{d.g[i].k[i].v:ifEQ(1):drop(row)},{d.g[i].k[i+1].v}</td></tr>'}<tr><td>{d.g[i+1]}</td></tr></table>`,
        { g: Array.from({ length: 1_000 }, () => ({ k: Array.from({ length: 500 }, () => ({ v: 0 })) })) },
        { format: 'html' },
      ),
  },
  {
    name: 'drops of very many rows',
    run: () =>
      mergeText(
        `<table>${'<tr><td>{d.a:drop(row, 999999999)}</td></tr>'.repeat(2_000)}</table>`,
        { a: 1 },
        { format: 'html' },
      ),
    code: 'template.tag.too-many',
  },
  {
    name: 'slides without end',
    run: async () => mergeBytes(await slides('{d.l[i].n}', '{d.l[i+1].n}'), 'pptx', list(50_000)),
    code: 'package.too-many-entries',
    seconds: 90,
  },
  {
    name: 'slides that cross',
    run: async () =>
      mergeBytes(await slides('{d.l[i].n}', '{d.k[i].n}', '{d.l[i+1].n}', '{d.k[i+1].n}'), 'pptx', list(2)),
    code: /template\.(?:several|loop\.interleaved)/,
  },
  {
    name: 'sheets without end',
    run: async () => mergeBytes(await sheets('{d.l[i].n}', '{d.l[i+1].n}'), 'xlsx', list(20_000)),
    code: 'package.too-many-entries',
    seconds: 90,
  },
  {
    name: 'sheets all of one name',
    run: async () =>
      mergeBytes(await sheets('{#n=d.l[i].x}{d.l[i].n}', '{d.l[i+1].n}', '{$n}'), 'xlsx', list(1_000)),
  },
  {
    name: 'comments that do not end',
    run: async () =>
      mergeBytes(
        await commented(`<comments>${'<comment ref="A1">'.repeat(100_000)}</comments>`),
        'xlsx',
        list(1),
      ),
    code: /template\.(?:markup|too-deep)/,
  },
  {
    name: 'apostrophes where sheets are named',
    run: async () =>
      mergeBytes(
        await xlsxOf({
          sheets: [
            { name: 'S', cells: { A1: `{d.l[i].n}${'&apos;'.repeat(20_000)}`, A2: '{d.l[i+1].n}' } },
            { name: 'T', cells: { A1: 'x' } },
          ],
        }),
        'xlsx',
        list(2),
      ),
  },
  {
    name: 'values of nothing but blanks and tabs',
    run: async () => mergeBytes(await odtOf('<text:p>{d.v}</text:p>'), 'odt', { v: ' \t'.repeat(200_000) }),
  },
  {
    name: 'names that mean something to prototypes',
    run: async () =>
      mergeBytes(
        await docxOf(
          paragraph('{d.__proto__[i].x}') +
            paragraph('{d.__proto__[i+1].x}') +
            paragraph('{d.constructor[i].y}') +
            paragraph('{d.constructor[i+1].y}'),
        ),
        'docx',
        {},
      ),
  },
  {
    name: 'an end before its beginning, in another slide',
    run: async () => mergeBytes(await slides('{d.l[i+1].n}', '{d.l[i].n}'), 'pptx', list(2)),
    code: 'template.several',
  },
]

describe('hostile structures', () => {
  it.each(cases.map((each) => [each.name, each] as const))('%s', async (_, { run, code, seconds = 30 }) => {
    const begun = process.cpuUsage()
    const error = await run().then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (code === undefined) expect(error).toBeUndefined()
    else {
      expect(error).toBeInstanceOf(AppError)
      expect((error as AppError).code).toMatch(code)
    }
    expect(processorTime(begun)).toBeLessThan(seconds * 1_000)
  })
})

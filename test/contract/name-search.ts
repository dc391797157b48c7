import { beforeAll, describe, expect, it } from 'vitest'
import type { Sql } from '../../shared/ports/sql.ts'
import { indexNames } from '../../shared/records/name-index.ts'
import {
  changeTemplate,
  deleteTemplates,
  findSweepable,
  listTemplates,
  removeSwept,
  saveTemplate,
  type TemplateRow,
} from '../../shared/records/templates.ts'
import { foldedName, trigrams } from '../../shared/records/text.ts'

const now = 1_800_000_000

const words = [
  'Rechnung',
  'Größe',
  'invoice',
  '100%',
  'a_b',
  'ÉTÉ',
  '発注書',
  'Ⅻ',
  'x',
  '',
  '  ',
  '𝒜𝒷𝒸',
  "O'Neil",
  '4711',
  '4712',
]
const names = Array.from({ length: 60 }, (_, index) =>
  [words[index % words.length], words[(index * 7) % words.length], index % 9].join(' ').slice(0, 200),
)
const searches = [
  ...[
    'rechnung',
    'rechnugn',
    'GRÖSSE',
    'grosse',
    'invoice 4711',
    'zq',
    'z',
    'x',
    '%',
    '_',
    'a_b',
    '100%',
    '発',
    '発注',
  ],
  ...[
    '発注書',
    'xii',
    'ete',
    "o'n",
    'l 3',
    '8',
    ' 8',
    '  ',
    'unfindable thing zzz',
    'zzz',
    'abc',
    '471',
    'y'.repeat(90),
  ],
]

const row = (number: number, changes: Partial<TemplateRow> = {}): TemplateRow => ({
  account: 'a',
  versionId: number.toString(16).padStart(64, '0'),
  templateId: String(1000 + number),
  contentHash: 'h',
  blob: 'b',
  sampleBlob: null,
  checksBlob: null,
  format: 'docx',
  size: 1,
  name: names[number] ?? '',
  comment: '',
  category: number % 2 === 0 ? 'even' : 'odd',
  tags: [],
  origin: 0,
  createdAt: now,
  deployedAt: now - number,
  deployOrder: 1,
  expireAt: 0,
  ...changes,
})

/** Whether a name matches a search, computed without a database. */
function matches(name: string, search: string): boolean {
  const [folded, text] = [foldedName(name), foldedName(search)]
  if (folded.includes(text)) return true
  const grams = trigrams(text, 10)
  const required = Math.max(2, Math.min(Math.ceil(grams.length * 0.45), grams.length - 4))
  return grams.length > 1 && grams.filter((gram) => folded.includes(gram)).length >= required
}

/** The search of names over each driver, which `open` gives with all tables. */
export function nameSearchContract(driver: string, open: () => Promise<Sql>): void {
  describe(`search of names: ${driver}`, () => {
    let sql: Sql
    const ids = async (search: string, account = 'a', includeVersions = false) =>
      (await listTemplates(sql, account, { search, includeVersions, limit: 1000 }, now)).map(
        ({ versionId }) => versionId,
      )
    const grams = async (name: string) =>
      (
        await sql.query({
          text: 'SELECT gram FROM template_grams WHERE account = ?1 AND name = ?2',
          values: ['a', foldedName(name)],
        })
      ).length
    const expected = (search: string, rows: readonly TemplateRow[]) =>
      rows.filter(({ name }) => matches(name, search)).map(({ versionId }) => versionId)
    const rows = names.map((_, number) => row(number))
    beforeAll(async () => {
      sql = await open()
      for (const each of rows) await saveTemplate(sql, each)
      await saveTemplate(sql, row(900, { account: 'b', name: 'unfindable thing zzz' }))
    }, 60_000)

    it.each(searches)('finds what contains or resembles "%s", in the order of the list', async (search) => {
      expect(await ids(search)).toEqual(expected(search, rows))
      expect(await ids(search, 'a', true)).toEqual(expected(search, rows))
      expect(await ids(search, 'c')).toEqual([])
    })

    it('finds an ID as well, and only among the rows that the other conditions allow', async () => {
      expect(await ids('1004')).toEqual([row(4).versionId])
      expect(await ids(row(5).versionId.toUpperCase())).toEqual([row(5).versionId])
      const even = { search: 'rechnung', category: 'even', includeVersions: false, limit: 2 }
      const page = await listTemplates(sql, 'a', even, now)
      const evenRows = rows.filter(({ category }) => category === 'even')
      expect(page.map(({ versionId }) => versionId)).toEqual(expected('rechnung', evenRows).slice(0, 2))
    })

    it('follows a changed name, and removes unused names from the index', async () => {
      const [first, second] = [
        row(901, { name: 'Bordereau', deployedAt: 5 }),
        row(902, { name: 'bordereau', deployedAt: 5 }),
      ]
      await saveTemplate(sql, first)
      await saveTemplate(sql, second)
      const key = { account: 'a', versionId: first.versionId, now }
      await changeTemplate(sql, key, { name: 'Quittance' })
      expect([await ids('bordereau'), await ids('quittance')]).toEqual([
        [second.versionId],
        [first.versionId],
      ])
      expect([await grams('bordereau'), await grams('quittance')]).toEqual([9, 9])
      expect(await changeTemplate(sql, { ...key, versionId: 'none' }, { name: 'Verworfen' })).toBe(false)
      expect(await grams('verworfen')).toBe(0)
      await saveTemplate(sql, { ...second, name: 'Facture' })
      expect([await grams('bordereau'), await grams('facture')]).toEqual([0, 7])
      for (const { versionId } of [first, second]) await deleteTemplates(sql, 'a', { versionId }, now - 9)
      expect(await removeSwept(sql, await findSweepable(sql, now, 10), now)).toHaveLength(2)
      expect([await grams('quittance'), await grams('facture')]).toEqual([0, 0])
    })

    it('finds the same before and after old names are added to the index', async () => {
      await sql.batch([
        { text: 'DELETE FROM template_grams', values: [] },
        { text: 'UPDATE templates SET name_indexed = 0', values: [] },
      ])
      expect(await ids('4711')).toEqual(expected('4711', rows))
      while (await indexNames(sql));
      const [left] = await sql.query({
        text: 'SELECT COUNT(*) AS count FROM templates WHERE name_indexed = 0',
        values: [],
      })
      expect(left).toEqual({ count: 0 })
      for (const search of searches)
        expect([search, await ids(search)]).toEqual([search, expected(search, rows)])
      expect(await grams('Rechnung Rechnung 0')).toBeGreaterThan(5)
    })
  })
}

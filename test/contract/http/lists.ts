import { beforeAll, expect, it } from 'vitest'
import { type Client, type Uploaded, unique } from './client.ts'

/** Specification 4.8 and 7. */
export function listCases(client: () => Client): void {
  const category = unique('list')
  const uploaded: Uploaded[] = []
  beforeAll(async () => {
    for (let at = 0; at < 5; at++) {
      const fields = {
        category,
        name: `Rechnung Größe ${at}`,
        origin: String(at % 2),
        tags: `["${category}-${at % 2}"]`,
      }
      uploaded.push(await client().version(`v${at}`, { ...fields, deployedAt: String(1_600_000_000 + at) }))
    }
    await client().version('newer', {
      id: uploaded[4]!.id,
      category,
      name: 'Rechnung neu',
      deployedAt: '1600000100',
    })
  })
  const list = (query: string) => client().get(`/templates?category=${category}&${query}`)
  const versions = (answer: { body: { data: Uploaded[] } }) => answer.body.data.map((item) => item.versionId)
  const names = (answer: { body: { data: { name: string }[] } }) => answer.body.data.map((item) => item.name)

  it('lists deployed versions only, newest deployment first', async () => {
    const answer = await list('')
    expect(answer.status).toBe(200)
    expect(answer.body.success).toBe(true)
    expect(names(answer)).toEqual([
      'Rechnung neu',
      'Rechnung Größe 3',
      'Rechnung Größe 2',
      'Rechnung Größe 1',
      'Rechnung Größe 0',
    ])
    expect([answer.body.hasMore, answer.body.nextCursor]).toEqual([false, ''])
  })

  it('includeVersions lists all versions of an id', async () => {
    const id = uploaded[4]!.id
    expect((await client().get(`/templates?id=${id}`)).body.data).toHaveLength(1)
    expect((await client().get(`/templates?id=${id}&includeVersions=true`)).body.data).toHaveLength(2)
    for (const yes of ['true', 'True', '1', ''])
      expect((await list(`includeVersions=${yes}`)).body.data).toHaveLength(6)
    for (const no of ['false', 'FALSE', '0'])
      expect((await list(`includeVersions=${no}`)).body.data).toHaveLength(5)
  })

  it('pages with a cursor, each row once, stable while rows are added', async () => {
    const seen: string[] = []
    let cursor = ''
    for (let page = 0; page < 10; page++) {
      const answer = await list(`limit=2&cursor=${encodeURIComponent(cursor)}`)
      seen.push(...versions(answer))
      if (page === 0) await client().version('added', { category, name: 'Rechnung added' })
      cursor = answer.body.nextCursor
      if (!answer.body.hasMore) break
      expect(answer.body.data).toHaveLength(2)
    }
    expect(cursor).toBe('')
    expect(seen).toHaveLength(5)
    expect(new Set(seen).size).toBe(5)
    await client().delete(`/template/${(await list('search=added')).body.data[0].id}`)
  })

  it('filters by versionId and origin', async () => {
    expect(versions(await list(`versionId=${uploaded[1]!.versionId}`))).toEqual([uploaded[1]!.versionId])
    expect((await list('origin=1')).body.data).toHaveLength(2)
    expect((await list('origin=4')).body.data).toHaveLength(0)
  })

  it('search is fuzzy on the name and exact on ids', async () => {
    for (const search of ['RECHNUNG GRÖSSE 3', 'größe 3', 'grosse 3'])
      expect(names(await list(`search=${encodeURIComponent(search)}`))).toContain('Rechnung Größe 3')
    const accents = await list(`search=${encodeURIComponent('grösse')}`)
    expect(accents.body.data.length).toBeGreaterThan(0)
    const typo = await list('search=Rechnugn%20neu')
    expect(names(typo)).toContain('Rechnung neu')
    for (const search of ['rechnugn', 'rehcnung', 'rechnng', 'rechnungg', '%20%20rechnung%20'])
      expect([search, names(await list(`search=${search}`))]).toEqual([
        search,
        expect.arrayContaining(['Rechnung neu']),
      ])
    for (const search of ['%20', '%09%20', '%00'])
      expect([search, (await list(`search=${search}`)).body.data.length]).toEqual([
        search,
        (await list('')).body.data.length,
      ])
    expect((await list('search=zebra')).body.data).toEqual([])
    expect((await list('search=%25')).body.data).toEqual([])
    expect(versions(await list(`search=${uploaded[2]!.versionId}`))).toEqual([uploaded[2]!.versionId])
    expect(versions(await list(`search=${uploaded[2]!.id}`))).toEqual([uploaded[2]!.versionId])
    expect((await list(`search=${uploaded[2]!.id.slice(0, 10)}`)).body.data).toEqual([])
  })

  it('categories and tags are those of deployed templates, by name', async () => {
    const categories = (await client().get('/templates/categories')).body
    expect(categories.success).toBe(true)
    const found = names({ body: categories })
    expect(found).toContain(category)
    expect(found).toEqual([...new Set(found)].sort())
    const tags = names(await client().get('/templates/tags'))
    expect(tags).toEqual([...new Set(tags)].sort())
    expect(tags).toEqual(expect.arrayContaining([`${category}-0`, `${category}-1`]))
  })

  it('a category is gone with its last template', async () => {
    const one = unique('alone')
    const { id } = await client().version('x', { category: one, tags: JSON.stringify([one]) })
    await client().delete(`/template/${id}`)
    expect((await client().get('/templates/categories')).text).not.toContain(one)
    expect((await client().get('/templates/tags')).text).not.toContain(one)
  })

  it('parameters outside their rules are refused', async () => {
    const rows: readonly [string, RegExp][] = [
      ['limit=101', /"limit" must be less than or equal to 100$/],
      ['limit=0', /"limit" must be greater than or equal to 1$/],
      ['limit=ten', /"limit" must be an integer/],
      ['origin=5', /"origin" must be an integer between 0 and 4/],
      ['includeVersions=maybe', /"includeVersions" must be a boolean/],
      ['cursor=abc', /"cursor"/],
      [`search=${'x'.repeat(201)}`, /"search"/],
    ]
    for (const [query, message] of rows) {
      const answer = await client().get(`/templates?${query}`)
      expect([query, answer.status]).toEqual([query, 400])
      expect(answer.body.error).toMatch(/^Invalid search filters\. Error: /)
      expect(answer.body.error).toMatch(message)
    }
  })

  it('a cursor that was tampered with is refused', async () => {
    const { nextCursor } = (await list('limit=1')).body
    const changed = (nextCursor[0] === 'A' ? 'B' : 'A') + nextCursor.slice(1)
    const end = nextCursor.slice(0, -2) + (nextCursor.endsWith('AA') ? 'BB' : 'AA')
    for (const cursor of [changed, end]) {
      const answer = await list(`limit=1&cursor=${cursor}`)
      expect([answer.status, answer.body.success]).toEqual([400, false])
    }
  })

  it('lists have an ETag: 304 while it matches, a new one after a change', async () => {
    const category = unique('etag')
    const { versionId } = await client().version('e', { category, tags: `["${category}"]` })
    for (const path of [`/templates?category=${category}`, '/templates/categories', '/templates/tags']) {
      const first = await client().get(path)
      const etag = first.headers.get('etag') ?? ''
      expect([path, etag]).toEqual([path, expect.stringMatching(/^W\/"[0-9a-f]{32}"$/)])
      expect(first.headers.get('cache-control')).toBe('private, no-cache')
      const again = await client().get(path, { 'if-none-match': `"other", ${etag}` })
      expect([path, again.status, again.text, again.headers.get('etag')]).toEqual([path, 304, '', etag])
    }
    const before = (await client().get(`/templates?category=${category}`)).headers.get('etag') ?? ''
    await client().patch(`/template/${versionId}`, { name: 'changed' })
    const after = await client().get(`/templates?category=${category}`, { 'if-none-match': before })
    expect([after.status, after.body.data[0].name]).toEqual([200, 'changed'])
  })
}

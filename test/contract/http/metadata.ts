import { expect, it } from 'vitest'
import { type Client, unique } from './client.ts'

const now = () => Math.floor(Date.now() / 1000)

/** Specification 3.1, 3.2, 4.6, 4.7 and 7. */
export function metadataCases(client: () => Client): void {
  it('PATCH answers with the version id and the fields given', async () => {
    const { id, versionId } = await client().version('p')
    const answer = await client().patch(`/template/${id}`, {
      name: 'New',
      comment: 'Why',
      category: 'Letters',
      tags: ['b', 'a', 'a'],
    })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      success: true,
      data: { versionId, name: 'New', comment: 'Why', category: 'Letters', tags: ['a', 'b'] },
    })
    const [item] = (await client().get(`/templates?versionId=${versionId}`)).body.data
    expect(item).toMatchObject({ name: 'New', comment: 'Why', category: 'Letters', tags: ['a', 'b'] })
  })

  it('PATCH by Template ID changes the deployed version, by Version ID that version', async () => {
    const first = await client().version('1', { deployedAt: '1600000000' })
    const second = await client().version('2', { id: first.id, deployedAt: '1600000001' })
    expect((await client().patch(`/template/${first.id}`, { name: 'x' })).body.data.versionId).toBe(
      second.versionId,
    )
    const old = await client().patch(`/template/${first.versionId}`, { name: 'y' })
    expect(old.body.data.versionId).toBe(first.versionId)
  })

  it('tags [] clears the list', async () => {
    const { versionId } = await client().version('t', { tags: '["a"]' })
    await client().patch(`/template/${versionId}`, { tags: [] })
    expect((await client().get(`/templates?versionId=${versionId}`)).body.data[0].tags).toEqual([])
  })

  it('timestamps may come as text', async () => {
    const { id } = await client().version('t', { deployedAt: '1600000000' })
    const answer = await client().patch(`/template/${id}`, { deployedAt: '1730000000' })
    expect([answer.status, answer.body.data.deployedAt]).toEqual([200, 1_730_000_000])
  })

  it('deployedAt earlier than or equal to the deployed one is refused', async () => {
    const first = await client().version('1', { deployedAt: '1600000000' })
    const second = await client().version('2', { id: first.id, deployedAt: '1700000000' })
    for (const [ref, deployedAt] of [
      [first.versionId, 1_650_000_000],
      [first.versionId, 1_700_000_000],
      [second.versionId, 1_700_000_000],
      [first.id, 1_600_000_000],
    ] as const) {
      const answer = await client().patch(`/template/${ref}`, { deployedAt })
      expect(answer.status).toBe(400)
      expect(answer.body.error).toMatch(
        /^Invalid template metadata\. Error: New "deployedAt" cannot be earlier than the previous value \(1700000000\) for the deployed template\..*42000000000/,
      )
    }
  })

  it('a later deployedAt, or now, deploys an older version', async () => {
    const first = await client().version('old')
    await client().version('new', { id: first.id })
    const answer = await client().patch(`/template/${first.versionId}`, { deployedAt: 42_000_000_000 })
    expect(answer.status).toBe(200)
    expect(Math.abs(answer.body.data.deployedAt - now())).toBeLessThan(5)
    expect((await client().get(`/template/${first.id}`)).text).toBe('old')
  })

  it('id moves a version; the old Template ID then names the version before it, or nothing', async () => {
    const source = await client().version('s1', { deployedAt: '1600000000' })
    const later = await client().version('s2', { id: source.id, deployedAt: '1600000005' })
    const target = String(2_000_000_000 + Math.floor(Math.random() * 1e15))
    const moved = await client().patch(`/template/${source.id}`, { id: target })
    expect(moved.body.data).toEqual({ versionId: later.versionId, id: target })
    expect((await client().get(`/template/${target}`)).text).toBe('s2')
    expect((await client().get(`/template/${source.id}`)).text).toBe('s1')
    await client().patch(`/template/${source.id}`, { id: String(BigInt(target) + 1n) })
    expect((await client().get(`/template/${source.id}`)).status).toBe(404)
  })

  it('a move onto an equal deployedAt is a conflict, unless it deploys anew', async () => {
    const one = await client().version('a', { deployedAt: '1600000000' })
    const two = await client().version('b', { deployedAt: '1600000000' })
    const answer = await client().patch(`/template/${one.versionId}`, { id: two.id })
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatch(/^Invalid template metadata\. Error: "deployedAt"/)
    const fresh = await client().patch(`/template/${one.versionId}`, {
      id: two.id,
      deployedAt: 42_000_000_000,
    })
    expect(fresh.status).toBe(200)
    expect((await client().get(`/template/${two.id}`)).text).toBe('a')
  })

  it('a version that is not deployed conflicts with no other', async () => {
    const older = await client().version('mover', { deployedAt: '1600000000' })
    const there = await client().version('same time', { deployedAt: '1600000000' })
    await client().version('deployed', { id: there.id, deployedAt: '1600000009' })
    const moved = await client().patch(`/template/${older.versionId}`, { id: there.id })
    expect([moved.status, moved.body.data]).toEqual([200, { versionId: older.versionId, id: there.id }])
    expect((await client().get(`/template/${there.id}`)).text).toBe('deployed')
    expect((await client().get(`/templates?id=${there.id}`)).body.data).toHaveLength(1)

    const draft = await client().version('draft', { deployedAt: '0' })
    await client().version('draft 2', { id: draft.id, deployedAt: '0' })
    const kept = await client().patch(`/template/${draft.versionId}`, { deployedAt: 0, name: 'kept' })
    expect([kept.status, kept.body.data]).toEqual([
      200,
      { versionId: draft.versionId, deployedAt: 0, name: 'kept' },
    ])
    expect((await client().patch(`/template/${draft.versionId}`, { deployedAt: 5 })).status).toBe(200)
    expect((await client().get(`/template/${draft.id}`)).text).toBe('draft')
  })

  it('of two moves at once onto one deployedAt one is a conflict', async () => {
    const target = await client().version('t', { deployedAt: '1500000000' })
    const movers = await Promise.all(
      Array.from({ length: 6 }, () => client().version('m', { deployedAt: '1600000000' })),
    )
    const answers = await Promise.all(
      movers.map(({ versionId }) => client().patch(`/template/${versionId}`, { id: target.id })),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400, 400, 400, 400, 400])
  })

  it('expireAt in the future changes nothing until then, and 0 cancels it', async () => {
    const { id } = await client().version('soon')
    await client().patch(`/template/${id}`, { expireAt: now() + 3600 })
    expect((await client().get(`/template/${id}`)).status).toBe(200)
    const instant = now() + 2
    await client().patch(`/template/${id}`, { expireAt: instant })
    await client().patch(`/template/${id}`, { expireAt: 0 })
    const other = await client().version('expires')
    await client().patch(`/template/${other.id}`, { expireAt: instant })
    await expect.poll(async () => (await client().get(`/template/${other.id}`)).status).toBe(404)
    expect(now()).toBeGreaterThanOrEqual(instant)
    expect((await client().get(`/template/${id}`)).status).toBe(200)
    expect((await client().patch(`/template/${other.versionId}`, { expireAt: 0 })).status).toBe(404)
  })

  it('expireAt omitted stays untouched', async () => {
    const { id, versionId } = await client().version('stay', { expireAt: '9000000000' })
    await client().patch(`/template/${id}`, { name: 'n' })
    expect((await client().get(`/templates?versionId=${versionId}`)).body.data[0].expireAt).toBe(
      9_000_000_000,
    )
  })

  it('expireAt in the past deletes', async () => {
    const { id } = await client().version('past')
    await client().patch(`/template/${id}`, { expireAt: 1 })
    expect((await client().get(`/template/${id}`)).status).toBe(404)
  })

  it('DELETE by Template ID removes all versions', async () => {
    const first = await client().version('1')
    const second = await client().version('2', { id: first.id })
    const answer = await client().delete(`/template/${first.id}`)
    expect([answer.status, answer.body]).toEqual([200, { success: true, message: 'Template deleted' }])
    for (const ref of [first.id, first.versionId, second.versionId])
      expect((await client().get(`/template/${ref}`)).status).toBe(404)
    expect((await client().delete(`/template/${first.id}`)).status).toBe(404)
  })

  it('DELETE by Version ID removes that version, and the Template ID names the version before it', async () => {
    const first = await client().version('1')
    const second = await client().version('2', { id: first.id })
    await client().delete(`/template/${second.versionId}`)
    expect((await client().get(`/template/${first.id}`)).text).toBe('1')
    expect((await client().delete(`/template/${second.versionId}`)).status).toBe(404)
  })

  it('fields that cannot be changed are refused by name', async () => {
    const { id } = await client().version('o')
    for (const field of [
      'origin',
      'sample',
      'versioning',
      'size',
      'constructor',
      'toString',
      'hasOwnProperty',
    ]) {
      const answer = await client().patch(`/template/${id}`, { [field]: 1, name: 'x' })
      expect([answer.status, answer.body.error]).toEqual([
        400,
        `Invalid template metadata. Error: "${field}" is not allowed.`,
      ])
    }
  })

  it('an empty PATCH is refused', async () => {
    const { id } = await client().version('e')
    for (const body of ['{}', '', '[]']) {
      const answer = await client().patch(`/template/${id}`, body)
      expect([answer.status, answer.body.error]).toEqual([
        400,
        'Invalid template metadata. Error: No valid attribute provided.',
      ])
    }
  })

  it('values outside their rules are refused with field and rule', async () => {
    const { id } = await client().version('r')
    const rows: readonly [Record<string, unknown>, RegExp][] = [
      [{ name: 'x'.repeat(201) }, /"name" must be a string of at most 200 characters/],
      [{ comment: 7 }, /"comment" must be a string/],
      [{ category: 'x'.repeat(201) }, /"category" must be a string of at most 200 characters/],
      [{ tags: 'a' }, /"tags" must be an array of strings/],
      [{ tags: ['x'.repeat(60), 'y'.repeat(41)] }, /"tags" .*100 characters in total/],
      [{ tags: Array.from({ length: 10_000 }, (_, at) => String(at)) }, /"tags"/],
      [{ tags: [1] }, /"tags"/],
      [{ expireAt: -1 }, /"expireAt" must be an integer between 0 and 9007199254740991/],
      [{ expireAt: 1.5 }, /"expireAt" must be an integer/],
      [{ expireAt: '9007199254740992' }, /"expireAt" must be an integer/],
      [{ deployedAt: 'soon' }, /"deployedAt" must be an integer/],
      [{ deployedAt: now() + 5000 }, /"deployedAt"/],
      [{ id: 'abc' }, /"id" must be a Template ID/],
      [{ id: '' }, /"id" must be a Template ID/],
      [{ id: '9223372036854775808' }, /"id" must be a Template ID/],
      [{ id: 'a'.repeat(64) }, /"id" must be a Template ID/],
      [{ id: 12 }, /"id" must be a Template ID/],
    ]
    for (const [body, message] of rows) {
      const answer = await client().patch(`/template/${id}`, body)
      expect([JSON.stringify(body).slice(0, 60), answer.status]).toEqual([
        JSON.stringify(body).slice(0, 60),
        400,
      ])
      expect(answer.body.error).toMatch(/^Invalid template metadata\. Error: /)
      expect(answer.body.error).toMatch(message)
    }
  })

  it('exactly 200 and 100 characters fit', async () => {
    const { id } = await client().version('fit')
    const answer = await client().patch(`/template/${id}`, {
      name: 'é'.repeat(200),
      tags: ['x'.repeat(60), 'y'.repeat(40)],
    })
    expect(answer.status).toBe(200)
  })

  it('NUL and lone surrogates in texts are harmless', async () => {
    const { versionId } = await client().version('junk')
    const name = unique('n')
    const answer = await client().patch(`/template/${versionId}`, `{"name":"${name}\\u0000\\ud800!"}`)
    expect(answer.status).toBe(200)
    expect((await client().get(`/templates?versionId=${versionId}`)).body.data[0].name).toBe(`${name}\ufffd!`)
  })
}

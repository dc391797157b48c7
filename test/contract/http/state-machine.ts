import { expect, it } from 'vitest'
import type { Answer, Client } from './client.ts'

/**
 * Specification 3 as a simple model, and the service beside it: rounds of random operations, up to three at once on the
 * same two Template IDs. Each answer must be the one of some order of the round's operations; all orders that fit what
 * was answered so far are kept, and at least one must be left. A failing seed is in the name of its test.
 */
interface Version {
  readonly text: string
  templateId: string
  deployedAt: number // seconds; 0: never chosen
  order: number // of two of the same second the later one wins
  visible: boolean
}
interface Model {
  readonly versions: Map<string, Version>
  clock: number
}
interface Operation {
  readonly says: string
  send(client: Client): Promise<Answer>
  /** Does it to the model; false when the answer is not the one that the model gives. */
  fits(model: Model, answer: Answer): boolean
}

const seeds = [1, 2, 3, 5, 8, 13, 21, 34]
const rounds = 12
const deployNow = 42_000_000_000
/** Few and in the past, so that they meet. */
const moments = [1_600_000_000, 1_600_000_001, 1_600_000_002, 1_600_000_003]

export function stateMachineCases(client: () => Client): void {
  for (const seed of seeds) {
    it(`seed ${seed}: simultaneous operations leave a state that some order of them would`, async () => {
      const random = mulberry(seed)
      const ids = [freshId(), freshId()] as const
      let models: readonly Model[] = [{ versions: new Map(), clock: 0 }]
      const reported: string[] = []
      let serial = 0
      for (let round = 0; round < rounds; round++) {
        const known = [...models[0]!.versions.keys()]
        const chosen = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
          choose(random, ids, known, `v${seed}-${serial++}`),
        )
        const answers = await Promise.all(chosen.map((operation) => operation.send(client())))
        reported.push(chosen.map(({ says }, at) => `${says} -> ${answers[at]!.status}`).join(' | '))
        models = orders(chosen.length).flatMap((order) =>
          models.flatMap((model) =>
            after(
              model,
              order.map((at) => [chosen[at]!, answers[at]!] as const),
            ),
          ),
        )
        expect(models.length, reported.join('\n')).toBeGreaterThan(0)
        for (const look of looks(ids)) {
          const answer = await look.send(client())
          models = models.filter((model) => look.fits(model, answer))
          expect(models.length, `${reported.join('\n')}\n${look.says} -> ${answer.text}`).toBeGreaterThan(0)
        }
        models = distinct(models)
      }
    })
  }

  it('of many calls that delete the same version exactly one succeeds', async () => {
    const { versionId } = await client().version('once')
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client().delete(`/template/${versionId}`)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(404)])
  })

  it('of many calls that deploy at the same moment under one id exactly one succeeds', async () => {
    const first = await client().version('base', { deployedAt: '1500000000' })
    const drafts = await Promise.all(
      Array.from({ length: 8 }, (_, at) => client().version(`d${at}`, { id: first.id, deployedAt: '0' })),
    )
    const answers = await Promise.all(
      drafts.map(({ versionId }) => client().patch(`/template/${versionId}`, { deployedAt: 1_600_000_000 })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)])
  })

  it('many uploads of the same file at once are one template that can be fetched', async () => {
    const text = `same ${Math.random()}`
    const ids = await Promise.all(Array.from({ length: 10 }, () => client().hashed(text)))
    expect(new Set(ids).size).toBe(1)
    expect((await client().get(`/template/${ids[0]}`)).text).toBe(text)
    expect((await client().get(`/templates?versionId=${ids[0]}`)).body.data).toHaveLength(1)
  })
}

function choose(
  random: () => number,
  ids: readonly [string, string],
  known: readonly string[],
  text: string,
): Operation {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
  const id = pick(ids)
  const version = known.length === 0 ? undefined : pick(known)
  const kind = pick(version === undefined ? ['upload'] : kinds)
  switch (kind) {
    case 'upload':
      return upload(id, text, pick([undefined, undefined, 0, ...moments]))
    case 'deploy':
      return patch(version!, { deployedAt: pick([deployNow, ...moments]) })
    case 'move':
      return patch(pick([version!, id]), { id: pick(ids) })
    case 'expire':
      return patch(version!, { expireAt: pick([1000, 9_000_000_000, 0]) })
    case 'delete':
      return remove(version!)
    case 'delete-all':
      return remove(id)
    default:
      return render(pick([id, version!]))
  }
}
const kinds = [
  'upload',
  'upload',
  'upload',
  'deploy',
  'deploy',
  'move',
  'move',
  'expire',
  'delete',
  'delete-all',
  'render',
  'render',
]

function upload(id: string, text: string, deployedAt: number | undefined): Operation {
  return {
    says: `upload ${short(id)} at ${deployedAt ?? 'now'}`,
    send: (client) =>
      client.form(
        { versioning: 'true', id, ...(deployedAt === undefined ? {} : { deployedAt: String(deployedAt) }) },
        { bytes: text },
      ),
    fits(model, { status, body }) {
      if (status !== 200) return false
      const at = Number(body.data.deployedAt)
      if (deployedAt !== undefined && at !== deployedAt) return false
      model.versions.set(body.data.versionId, {
        text,
        templateId: id,
        deployedAt: at,
        order: model.clock++,
        visible: true,
      })
      return true
    },
  }
}

function patch(ref: string, change: { deployedAt?: number; id?: string; expireAt?: number }): Operation {
  return {
    says: `patch ${short(ref)} ${JSON.stringify(change)}`,
    send: (client) => client.patch(`/template/${ref}`, change),
    fits(model, { status, body }) {
      const found = resolve(model, ref)
      if (found === undefined) return status === 404
      const target = change.id ?? found.templateId
      const rival = deployed(model, target)
      if (change.deployedAt !== undefined && change.deployedAt < deployNow) {
        if (rival !== undefined && change.deployedAt <= rival.deployedAt) return status === 400
      }
      if (target !== found.templateId && found.deployedAt > 0 && rival?.deployedAt === found.deployedAt)
        return status === 400
      if (status !== 200) return false
      found.templateId = target
      if (change.deployedAt !== undefined) {
        found.deployedAt = Number(body.data.deployedAt)
        found.order = model.clock++
      }
      if (change.expireAt === 1000) found.visible = false
      return true
    },
  }
}

function remove(ref: string): Operation {
  return {
    says: `delete ${short(ref)}`,
    send: (client) => client.delete(`/template/${ref}`),
    fits(model, { status }) {
      const all = [...model.versions].filter(
        ([versionId, each]) => each.visible && (versionId === ref || each.templateId === ref),
      )
      for (const [, each] of all) each.visible = false
      return status === (all.length === 0 ? 404 : 200)
    },
  }
}

/** The document comes with a second call, as it would an hour later, whatever became of the template. */
function render(ref: string): Operation {
  return {
    says: `render ${short(ref)}`,
    send: async (client) => {
      const answer = await client.post(`/render/${ref}`, { data: {} })
      return answer.status === 200 ? client.get(`/render/${answer.body.data.renderId}`) : answer
    },
    fits(model, { status, text }) {
      const found = resolve(model, ref)
      return found === undefined ? status === 404 : status === 200 && text === found.text
    },
  }
}

/** What can be seen from outside, by itself. */
function looks(ids: readonly string[]): readonly Operation[] {
  return ids.flatMap((id) => [
    {
      says: `list ${short(id)}`,
      send: (client) => client.get(`/templates?id=${id}&includeVersions=true`),
      fits(model, { body }) {
        const wanted = [...model.versions]
          .filter(([, each]) => each.visible && each.templateId === id)
          .map(([versionId, { deployedAt }]) => ({ versionId, deployedAt }))
          .sort((a, b) => b.deployedAt - a.deployedAt || (a.versionId < b.versionId ? -1 : 1))
        const found = (body.data as { versionId: string; deployedAt: number }[]).map(
          ({ versionId, deployedAt }) => ({ versionId, deployedAt }),
        )
        return JSON.stringify(found) === JSON.stringify(wanted)
      },
    },
    render(id),
  ])
}

function resolve(model: Model, ref: string): Version | undefined {
  if (ref.length !== 64) return deployed(model, ref)
  const found = model.versions.get(ref)
  return found?.visible ? found : undefined
}

function deployed(model: Model, id: string): Version | undefined {
  return [...model.versions.values()]
    .filter((each) => each.visible && each.templateId === id && each.deployedAt > 0)
    .sort((a, b) => b.deployedAt - a.deployedAt || b.order - a.order)[0]
}

function after(model: Model, steps: readonly (readonly [Operation, Answer])[]): readonly Model[] {
  const copy = {
    versions: new Map([...model.versions].map(([id, each]) => [id, { ...each }])),
    clock: model.clock,
  }
  return steps.every(([operation, answer]) => operation.fits(copy, answer)) ? [copy] : []
}

/** Without those that say the same. */
function distinct(models: readonly Model[]): readonly Model[] {
  const seen = new Map<string, Model>()
  for (const model of models) {
    const rows = [...model.versions].sort(([a], [b]) => (a < b ? -1 : 1))
    const ranks = rows.map(([, each]) => each.order).sort((a, b) => a - b)
    const text = JSON.stringify(rows.map(([id, each]) => [id, { ...each, order: ranks.indexOf(each.order) }]))
    if (!seen.has(text)) seen.set(text, model)
  }
  return [...seen.values()].slice(0, 200)
}

function orders(count: number): readonly (readonly number[])[] {
  if (count === 1) return [[0]]
  return orders(count - 1).flatMap((order) =>
    Array.from({ length: count }, (_, at) => [...order.slice(0, at), count - 1, ...order.slice(at)]),
  )
}

function freshId(): string {
  return String(1_000_000_000 + Math.floor(Math.random() * 1e15))
}

function short(ref: string): string {
  return ref.length === 64 ? ref.slice(0, 6) : `#${ref.slice(-3)}`
}

/** mulberry32: small, and the same everywhere. */
function mulberry(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

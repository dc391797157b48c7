import { describe, expect, it } from 'vitest'
import { useDataOf } from '../../../shared/studio/cases.ts'
import { Session } from '../../../shared/studio/session.ts'
import type { StudioEvent } from '../../../shared/studio/state.ts'
import { save } from '../../../shared/studio/stored.ts'

type Answer = Response | Promise<Response>
type Route = (path: string, init: RequestInit) => Answer | undefined

const json = (value: unknown, status = 200) => Response.json(value, { status })
const bytes = (text: string) => new TextEncoder().encode(text)

/** What the service answers to the calls that every site lets through; `more` is asked first. */
function open(more: Route = () => undefined) {
  const calls: string[] = []
  const bodies: Record<string, unknown>[] = []
  const notices: StudioEvent[] = []
  const answer: Route = (path, init) => {
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : {}
    if (path === 'render/template') bodies.push(body)
    const own = more(path, init)
    if (own !== undefined) return own
    if (path === 'render/template') return json({ data: { renderId: `r${bodies.length}` } })
    if (path.startsWith('render/')) return new Response(path, { headers: { 'content-type': 'text/plain' } })
    return json({ success: false, error: 'Not passed on' }, 403)
  }
  const fetchOverride = async (url: string | URL | Request, init: RequestInit = {}) => {
    const path = String(url).replace('https://service.example/', '')
    calls.push(`${init.method ?? 'GET'} ${path}`)
    const found = await answer(path, init)!
    init.signal?.throwIfAborted()
    return found
  }
  const origin = 'https://service.example'
  const config = { mode: 'embedded', origin, token: '', version: 5, theme: 'auto', fetchOverride } as const
  const session = new Session(config, (notice) => void notices.push(notice))
  return { session, calls, bodies, notices, config, types: () => notices.map(({ type }) => type) }
}

const model =
  (data: unknown): Route =>
  (path) => {
    if (path === 'template/schema') return json({ data: { schema: {}, sample: { data } } })
    return path === 'template/lint' ? json({ data: { errors: [], warnings: [] } }) : undefined
  }

describe('a site that passes on few calls', () => {
  it('sees documents without lists, problems and conversions', async () => {
    const { session, calls, bodies } = open()
    await session.openFile('a.md', bytes('Hello'))
    expect(session.state.preview).toMatchObject({ kind: 'made', file: { mime: 'text/plain' } })
    expect(session.state.checks).toBeUndefined()
    expect(session.state.outputs).toEqual([{ name: 'pdf', common: true, converters: [] }])
    expect(bodies).toEqual([{ convertTo: 'pdf', data: {}, extension: 'md', template: btoa('Hello') }])
    expect(calls).toContain('POST render/template')
  })

  it('opens a stored template that is in no list', async () => {
    const { session, notices } = open((path) => {
      if (path === 'template/12')
        return new Response('x', {
          headers: { 'content-disposition': 'attachment; filename="My%20note.txt"' },
        })
      return undefined
    })
    await session.openStored('12')
    expect(session.state.template).toMatchObject({
      name: 'My note',
      kind: { type: 'txt' },
      stored: { id: '12' },
    })
    expect(notices[0]).toMatchObject({ type: 'template:loaded', detail: { id: '12', type: 'txt', size: 1 } })
  })
})

describe('formats and engines of plugins', () => {
  const pairs = [
    { from: 'ics', to: 'html', converters: ['A'], engines: ['Agenda'] },
    { from: 'ics', to: 'pdf', converters: ['A', 'C'], engines: ['Agenda', 'Chromium'] },
  ]

  it('a file is of the type that the service converts, with its outputs and their engines', async () => {
    const { session, bodies } = open((path) => (path === 'conversions' ? json({ data: pairs }) : undefined))
    await session.openFile('Team.ics', bytes('BEGIN:VCALENDAR'))
    expect(session.state.template).toMatchObject({ name: 'Team', kind: { type: 'ics' } })
    expect(session.state.outputs.map(({ name, titles }) => [name, titles])).toEqual([
      ['pdf', { A: 'Agenda', C: 'Chromium' }],
      ['html', { A: 'Agenda' }],
    ])
    expect(bodies[0]).toMatchObject({ extension: 'ics', convertTo: 'pdf' })
    expect(session.fits('other.ics', bytes('x'))).toBe(true)
  })

  it('a name that the service does not convert decides nothing', async () => {
    const { session } = open((path) => (path === 'conversions' ? json({ data: pairs }) : undefined))
    await session.openFile('Team.xyz', bytes('BEGIN:VCALENDAR'))
    expect(session.state.template?.kind.type).toBe('')
  })
})

describe('data and templates', () => {
  it('data that came with a template go with it', async () => {
    let sample = { first: 1 } as Record<string, number>
    const { session } = open((path, init) => model(sample)(path, init))
    await session.openFile('a.txt', bytes('{d.first}'))
    expect(session.state.options.data).toEqual({ first: 1 })
    sample = { second: 2 }
    await session.openFile('b.txt', bytes('{d.second}'))
    expect(session.state.options.data).toEqual({ second: 2 })
  })

  it('data that were typed stay', async () => {
    const { session } = open(model({ made: 'up' }))
    await session.openFile('a.txt', bytes('{d.name}'))
    expect(session.hasOwnData).toBe(false)
    session.setOptions({ data: { name: 'Ann' } })
    expect(session.hasOwnData).toBe(true)
    await session.openFile('b.txt', bytes('{d.name}'))
    expect(session.state.options.data).toEqual({ name: 'Ann' })
    await session.useSample()
    expect([session.state.options.data, session.hasOwnData]).toEqual([{ made: 'up' }, false])
  })

  it('the data of a case replace all parts, and are not what was typed', async () => {
    const { session } = open(model({ made: 'up' }))
    await session.openFile('a.txt', bytes('{d.name}'))
    session.setOptions({ complement: { company: 'Typed' }, lang: 'de' })
    expect(session.hasOwnData).toBe(true)
    const request = { data: { name: 'Ann' }, enum: { STATUS: ['open'] }, lang: 'fr' }
    session.change({
      cases: [
        { name: 'Ann', request },
        { name: 'odd', request: { data: 'text' } },
      ],
    })
    await useDataOf(session, 'Ann')
    const { options, casesNote } = session.state
    expect(options).toEqual({ data: request.data, enum: request.enum, lang: 'de', convertTo: 'pdf' })
    expect([casesNote, session.hasOwnData]).toEqual(['The data of “Ann” are in use.', false])
    await useDataOf(session, 'odd')
    expect(session.state.casesNote).toBe('Render option "data" must be an object or an array.')
    expect(session.state.options.data).toEqual({ name: 'Ann' })
  })

  it('the site gets no event for what it set itself', async () => {
    const { session, types } = open()
    session.setOptions({ lang: 'de' }, 'site')
    expect(types()).toEqual([])
    session.setOptions({ lang: 'fr' })
    expect(types()).toEqual(['options:updated'])
  })

  it('an event has the bytes of a changed template, except with versioning', async () => {
    const { session, notices, config } = open(model({}))
    await session.openFile('a.txt', bytes('one'))
    session.setText('two')
    expect(notices.at(-1)).toMatchObject({
      type: 'template:updated',
      detail: { type: 'txt', dataURI: `data:text/plain;base64,${btoa('two')}` },
    })
    expect(session.state.template).toMatchObject({ changed: true, name: 'a' })
    session.configure({ ...config, mode: 'embedded-versioning' })
    const before = notices.length
    session.replaceFile(bytes('three'))
    expect(notices).toHaveLength(before)
    session.destroy()
  })
})

describe('answers that come late', () => {
  it('what was opened last stays open', async () => {
    const held: (() => void)[] = []
    const { session } = open((path) => {
      if (path === 'template/1')
        return new Promise((resolve) => held.push(() => resolve(new Response('slow'))))
      return path === 'template/2' ? new Response('quick') : undefined
    })
    const slow = session.openStored('1')
    await session.openStored('2')
    held[0]!()
    await slow
    expect(session.state.template?.stored?.id).toBe('2')
  })

  it('a preview that was replaced does not return', async () => {
    const held: (() => void)[] = []
    const { session, bodies } = open((path, init) => {
      if (path === 'render/r1') return new Promise((resolve) => held.push(() => resolve(new Response('old'))))
      return model({})(path, init)
    })
    const first = session.openFile('a.txt', bytes('one'))
    await expect.poll(() => held.length).toBe(1)
    session.setText('two')
    await session.renew()
    held[0]!()
    await first
    expect(session.state.preview).toMatchObject({ kind: 'made' })
    const { preview } = session.state
    expect(preview.kind === 'made' && (await preview.file.blob.text())).toBe('render/r2')
    expect(bodies.map(({ template }) => atob(String(template)))).toEqual(['one', 'two'])
  })
})

describe('tokens', () => {
  it('what was refused for want of one opens when it comes', async () => {
    const { session, config } = open((path, init) => {
      const { authorization } = init.headers as Record<string, string>
      if (authorization !== 'Bearer good') return json({ success: false, error: 'Unauthorized' }, 401)
      if (path === 'template/12') return new Response('Hello')
      return path === 'template/12_sample.json' ? json([{ data: { a: 1 } }]) : undefined
    })
    await expect(session.openStored('12')).rejects.toMatchObject({ status: 401, message: 'Unauthorized' })
    expect([session.state.needsToken, session.state.template]).toEqual([true, undefined])
    session.configure({ ...config, token: 'good' })
    await expect.poll(() => session.state.preview.kind).toBe('made')
    expect([session.state.needsToken, session.state.options.data]).toEqual([false, { a: 1 }])
  })

  it('go to the service alone, not to other addresses', async () => {
    const { session, calls } = open()
    await expect(session.openUrl('data:text/plain,Hello')).resolves.toBeUndefined()
    expect(session.state.template?.kind.type).toBe('txt')
    expect(calls.some((call) => call.includes('data:'))).toBe(false)
    await session.openUrl('https://service.example/template/9').catch(() => undefined)
    expect(calls).toContain('GET template/9')
  })
})

describe('saving', () => {
  const fields = {
    name: 'Note',
    comment: '',
    category: 'a',
    tags: ['x'],
    withSample: true,
    deploy: false,
    asVersion: true,
  }

  it('a form whose file comes last; the first version is always deployed', async () => {
    const forms: (readonly [string, unknown])[][] = []
    const { session, notices } = open((path, init) => {
      if (path !== 'template' || !(init.body instanceof FormData)) return model({ a: 1 })(path, init)
      forms.push([...init.body.entries()])
      return json({ data: { id: '7', versionId: 'v1', type: 'txt', createdAt: 1, deployedAt: 1 } })
    })
    await session.openFile('note.txt', bytes('Hello'))
    await save(session, fields)
    await save(session, fields)
    expect(
      forms.map((form) => form.map(([name, value]) => [name, value instanceof File ? value.name : value])),
    ).toEqual([
      [
        ['name', 'Note'],
        ['comment', ''],
        ['tags', '["x"]'],
        ['origin', '1'],
        ['category', 'a'],
        ['versioning', 'true'],
        ['sample', '[{"data":{"a":1}}]'],
        ['template', 'template.txt'],
      ],
      [
        ['name', 'Note'],
        ['comment', ''],
        ['tags', '["x"]'],
        ['origin', '1'],
        ['category', 'a'],
        ['id', '7'],
        ['deployedAt', '0'],
        ['sample', '[{"data":{"a":1}}]'],
        ['template', 'template.txt'],
      ],
    ])
    expect(notices.at(-1)).toEqual({
      type: 'template:saved',
      detail: {
        versionId: 'v1',
        id: '7',
        createdAt: 1,
        expireAt: 0,
        deployedAt: 1,
        size: 5,
        type: 'txt',
        name: 'Note',
        comment: '',
        tags: ['x'],
        origin: 1,
        sample: [{ data: { a: 1 } }],
      },
    })
  })

  it('a service without a database answers with a hash', async () => {
    const { session } = open((path) =>
      path === 'template'
        ? json({ data: { templateId: 'f'.repeat(64), templateExtension: 'txt' } })
        : undefined,
    )
    await session.openFile('note.txt', bytes('Hello'))
    await save(session, fields)
    expect(session.state.template?.stored).toMatchObject({ id: null, versionId: 'f'.repeat(64), type: 'txt' })
  })

  it('what the service refuses is thrown, and the template stays as it is', async () => {
    const { session } = open((path) =>
      path === 'template' ? json({ success: false, error: 'Too large' }, 413) : undefined,
    )
    await session.openFile('note.txt', bytes('Hello'))
    await expect(save(session, fields)).rejects.toThrow('Too large')
    expect(session.state.template?.stored).toBeUndefined()
  })
})

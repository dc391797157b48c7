import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../contract/http/client.ts'
import { startNode } from '../../helpers/cluster.ts'
import { ask } from '../../helpers/pdf.ts'
import { useTemporary } from '../../helpers/temporary.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

/**
 * The examples as a stranger uses them: copied to a folder outside of the repository, named by SERVICE_PLUGINS,
 * loaded by a service in a process of its own and used over HTTP.
 */
const temporary = useTemporary()
const root = new URL('../../..', import.meta.url).pathname
const examples = join(root, 'plugins/examples/')

async function service(names: readonly string[], files: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder('platen-examples')
  for (const name of names) await cp(join(examples, name), join(folder, name), { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const plugins = [...names, ...Object.keys(files)].map((name) => `./${name}`).join()
  const kept = join(folder, 'kept')
  const node = await startNode({
    SERVICE_WORKDIR: folder,
    SERVICE_PLUGINS: plugins,
    SERVICE_MERGE_WORKERS: '1',
    FOLDER_STORAGE: kept,
  }).catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true })
    throw error
  })
  const stop = async () => {
    await node.kill()
    await rm(folder, { recursive: true, force: true })
  }
  return { node, client: createClient(node.url, {}, [node.url], false), kept, stop }
}

const calendar = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  "BEGIN:VEVENT{d.events[i].title:print('')}",
  'SUMMARY:{d.events[i].title}',
  'DTSTART:{d.events[i].start:formatD(YYYYMMDD)}',
  'END:VEVENT',
  '{d.events[i+1]}',
  'END:VCALENDAR',
  '',
].join('\r\n')
const templateText = Buffer.from(calendar).toString('base64')
const data = {
  events: [
    { title: 'Board & tea', start: '2026-11-23' },
    { title: 'Launch', start: '2026-12-01' },
  ],
}

describe('an outside format and an outside engine', () => {
  let running: Awaited<ReturnType<typeof service>>
  beforeAll(async () => {
    running = await service(['calendar-format', 'agenda-engine'])
  })
  afterAll(() => running.stop())
  const render = (more: object) =>
    running.client.post('/render/template?download=true', {
      template: templateText,
      data,
      ...more,
    })

  it('a calendar is a template, recognized by its content', async () => {
    const out = await render({})
    expect(out.headers.get('content-type')).toContain('text/calendar')
    expect(out.text.split('\r\n')).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'BEGIN:VEVENT',
      'SUMMARY:Board & tea',
      'DTSTART:20261123',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'SUMMARY:Launch',
      'DTSTART:20261201',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ])
  })

  it('becomes a page, by the letter of the engine and with its options', async () => {
    const convertTo = { formatName: 'html', formatOptions: { AgendaTitle: 'This <week>' } }
    const out = await render({ convertTo, converter: 'A' })
    expect(out.text).toContain('<h1>This &lt;week&gt;</h1>')
    expect(out.text).toContain('<tr><td>20261123</td><td>Board &amp; tea</td></tr>')
  })

  it('checks the options by the schema of the engine', async () => {
    const convertTo = { formatName: 'html', formatOptions: { AgendaTitle: [5] } }
    const out = await render({ convertTo })
    expect([out.status, out.body.error]).toEqual([
      500,
      expect.stringContaining('AgendaTitle: must be a string'),
    ])
  })

  for (const converter of [undefined, 'A', 'C'])
    it(`goes on to PDF through another engine, with converter ${converter}`, async () => {
      const answer = await fetch(`${running.node.url}/render/template?download=true`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ template: templateText, data, convertTo: 'pdf', converter }),
      })
      const bytes = new Uint8Array(await answer.arrayBuffer())
      expect(answer.status, Buffer.from(bytes).toString()).toBe(200)
      const text = await ask(temporary(), bytes, 'pdftotext', '-layout', '@', '-')
      expect(text.replace(/\s+/g, ' ')).toContain('20261201 Launch')
    })

  it('is in the list of conversions, with all engines that take part', async () => {
    const { data: pairs } = (await running.client.get('/conversions')).body
    const of = (to: string) =>
      pairs.find((pair: { from: string; to: string }) => pair.from === 'ics' && pair.to === to)
    expect(of('html')).toMatchObject({ converters: ['A'], engines: ['Agenda'] })
    expect(of('pdf').converters).toEqual(expect.arrayContaining(['A', 'C', 'L']))
  })

  it('speaks to the caller of the service', async () => {
    const template = Buffer.from('BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n').toString('base64')
    const out = await render({ template, convertTo: 'html' })
    expect([out.status, out.body.error]).toEqual([
      500,
      expect.stringContaining('The calendar has no events.'),
    ])
  })
})

describe('the types of the package', () => {
  it('compile in a project of their own, which knows the package by its name alone', async () => {
    const folder = temporaryFolder('platen-types')
    try {
      const names = (await readdir(examples, { withFileTypes: true })).filter((entry) => entry.isDirectory())
      for (const { name } of names) await cp(join(examples, name), join(folder, name), { recursive: true })
      await mkdir(join(folder, 'node_modules/@types'), { recursive: true })
      // As `npm install <folder>` does.
      await symlink(root, join(folder, 'node_modules/platen'))
      await symlink(join(root, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'))
      await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
      await writeFile(join(folder, 'tsconfig.json'), documentedSettings())
      const compiler = join(root, 'node_modules/typescript-native/bin/tsc')
      const done = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' })
      expect([done.status, done.stdout, done.stderr]).toEqual([0, '', ''])
      await writeFile(
        join(folder, 'wrong.ts'),
        "import { textTemplate } from 'platen/plugin'\ntextTemplate(5)\n",
      )
      const refused = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' })
      expect(refused.stdout).toContain("wrong.ts(2,14): error TS2345: Argument of type 'number'")
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

/** The tsconfig.json of docs/plugins.md. */
function documentedSettings(): string {
  const page = readFileSync(join(root, 'docs/plugins.md'), 'utf8')
  return /```json\n(\{ "compilerOptions"[\s\S]*?)\n```/.exec(page)?.[1] ?? ''
}

describe('an outside storage', () => {
  it('keeps templates and documents in its folder', async () => {
    const { client, kept, stop } = await service(['folder-storage'])
    try {
      const id = await client.hashed('Dear {d.name}')
      expect(await readdir(join(kept, 'templates'))).toEqual([id])
      const stored = await client.post(`/render/${id}`, { data: { name: 'Ada' } })
      const { renderId } = stored.body.data
      expect(await readdir(join(kept, 'renders'))).toEqual([renderId])
      expect((await client.get(`/render/${renderId}`)).text).toBe('Dear Ada')
    } finally {
      await stop()
    }
  })

  it('excludes a second one: the service does not start, and names both', async () => {
    const other = `
    import { defineStorage } from 'platen/plugin'
    export default defineStorage({ kind: 'storage', contract: 1, id: 'other', deleteTemplate() {} })`
    await expect(service(['folder-storage'], { 'other.mjs': other })).rejects.toThrow(
      'The storage plugins "folder-storage" and "other" exclude each other',
    )
  })
})

describe('an outside middleware', () => {
  it('runs before requests, and refuses with a PluginError', async () => {
    const middleware = `
    import { defineMiddleware, PluginError } from 'platen/plugin'
    export default defineMiddleware({
      kind: 'middleware', contract: 1, id: 'tenants',
      before: [
        (request, response) => response.setHeader('x-tenants', 'checked'),
        (request) => {
          if (request.headers['x-tenant'] === 'none') throw new PluginError('plugin.forbidden', 'Which tenant?')
          if (request.headers['x-tenant'] === 'odd') throw new TypeError('secret details')
        },
      ],
    })`
    const { client, stop } = await service([], { 'tenants.mjs': middleware })
    const status = async (tenant: string) => {
      const answer = await client.send('GET', '/status', { headers: { 'x-tenant': tenant } })
      return [answer.status, answer.headers.get('x-tenants'), answer.body.error]
    }
    try {
      expect(await status('a')).toEqual([200, 'checked', undefined])
      expect(await status('none')).toEqual([403, 'checked', 'Which tenant?'])
      expect(await status('odd')).toEqual([500, 'checked', 'The hook before of plugin tenants failed.'])
    } finally {
      await stop()
    }
  })
})

describe('an outside engine that cannot work', () => {
  it('stops the start when no format declares its output', async () => {
    const engine = `
    import { defineEngine, ignoredOptions, noSettings } from 'platen/plugin'
    export default defineEngine({
      kind: 'engine', contract: 1, id: 'morse', title: 'Morse', sides: ['origin'],
      conversions: [{ from: 'txt', to: 'morse', fidelity: 'exact', cost: 1 }],
      settings: noSettings, options: ignoredOptions, create: () => ({}),
    })`
    await expect(service([], { 'morse.mjs': engine })).rejects.toThrow(
      'Engine "morse" converts to morse, which no format declares',
    )
  })

  it('is named in the answer when it fails, without what it threw', async () => {
    const engine = `
    export default [
      { kind: 'format', id: 'morse', family: 'text', extensions: ['morse'], mime: ['text/x-morse'] },
      {
        kind: 'engine', contract: 1, id: 'morse', title: 'The Morse writer', sides: ['origin'],
        conversions: [{ from: 'txt', to: 'morse', fidelity: 'exact', cost: 1 }],
        settings: { json: {}, parse: () => ({ ok: true, value: {} }) },
        options: { json: {}, parse: () => ({ ok: true, value: {} }) },
        create: () => ({ convert() { throw new TypeError('secret details') } }),
      },
    ]`
    const { client, stop } = await service([], { 'morse.mjs': engine })
    try {
      const out = await client.post('/render/template?download=true', {
        template: Buffer.from('SOS').toString('base64'),
        data: {},
        convertTo: 'morse',
      })
      expect([out.status, out.body.error]).toEqual([
        500,
        expect.stringContaining('The Morse writer failed while converting txt to morse.'),
      ])
      expect(out.text).not.toContain('secret')
    } finally {
      await stop()
    }
  })
})

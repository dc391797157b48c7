import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createConfinement } from '../../../origin/processes/confine.ts'
import { createUsers } from '../../../origin/processes/users.ts'
import { canMakeNamespaces } from '../../helpers/allowed.ts'
import { useTemporary } from '../../helpers/temporary.ts'

const run = promisify(execFile)
const inWorld = fileURLToPath(new URL('in-world.ts', import.meta.url))
const withoutNamespaces = fileURLToPath(new URL('../../helpers/without-namespaces.pl', import.meta.url))
const slowPerl = '#!/bin/sh\nsleep 7\nexec /usr/bin/perl "$@"\n'

/** What the service may do: make namespaces, as far as this machine allows it, or not, as in a container. */
const worlds: readonly [string, readonly string[]][] = [
  ['with namespaces', []],
  ['without namespaces', ['perl', withoutNamespaces]],
]

const place = useTemporary()
let folder = ''
const called: string[] = []
const server = createServer((request, response) => {
  called.push(request.url ?? '')
  response.writeHead(404).end()
})
server.on('upgrade', (request, socket) => {
  called.push(`upgrade ${request.url}`)
  socket.destroy()
})
let port = 0
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => void server.close())
beforeEach(() => {
  called.length = 0
  folder = place()
  mkdirSync(join(folder, 'own'), { recursive: true })
  for (const one of [join(folder, '..'), folder, join(folder, 'own')]) chmodSync(one, 0o755)
  writeFileSync(join(folder, 'secret.txt'), 'only for root')
  chmodSync(join(folder, 'secret.txt'), 0o600)
  writeFileSync(join(folder, 'public.txt'), 'for everybody')
  chmodSync(join(folder, 'public.txt'), 0o644)
})

async function inside(world: readonly string[], what: string, environment: Record<string, string> = {}) {
  const [command = '', ...args] = [
    ...world,
    process.execPath,
    inWorld,
    what,
    folder,
    String(port),
    'required',
  ]
  const { stdout } = await run(command, args, { env: { ...process.env, ...environment } })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
}

describe.each(worlds)('%s', (name, world) => {
  it('a test program finds a user of its own, no network and no files of others', async () => {
    const sandbox = name === 'with namespaces' && canMakeNamespaces()
    const user = process.getuid?.() === 0 ? 'own' : 'service'
    expect(await inside(world, 'trial')).toEqual({ isolation: { user, network: true, files: true, sandbox } })
  })

  it('a slow system delays the test and never weakens the isolation', async () => {
    const slow = join(folder, 'slow')
    mkdirSync(slow)
    writeFileSync(join(slow, 'perl'), slowPerl, { mode: 0o755 })
    chmodSync(slow, 0o755)
    chmodSync(join(slow, 'perl'), 0o755)
    // The world itself is made by the usual perl.
    const own = world.length === 0 ? [] : ['/usr/bin/perl', ...world.slice(1)]
    const trial = await inside(own, 'trial', { PATH: `${slow}:${process.env['PATH']}` })
    expect(trial).toMatchObject({ isolation: { network: true, files: true } })
  })

  it('an office reads no file and calls no address that a document names, and none of its processes is root', async () => {
    const section = (file: string) =>
      `<text:section text:name="${file}"><text:section-source xlink:href="file://${join(folder, file)}" text:filter-name="Text"/><text:p>-</text:p></text:section>`
    const picture = `<text:p><draw:frame svg:width="2cm" svg:height="2cm" text:anchor-type="as-char"><draw:image xlink:href="http://127.0.0.1:${port}/picture.png"/></draw:frame></text:p>`
    const namespaces = 'office text drawing svg-compatible'.split(' ').map((one) => {
      const prefix = { drawing: 'draw', 'svg-compatible': 'svg' }[one] ?? one
      return `xmlns:${prefix}="urn:oasis:names:tc:opendocument:xmlns:${one}:1.0"`
    })
    writeFileSync(
      join(folder, 'own', 'links.fodt'),
      `<office:document ${namespaces.join(' ')} xmlns:xlink="http://www.w3.org/1999/xlink" office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text><text:p>Begin</text:p>${section('secret.txt')}${section('public.txt')}${picture}<text:p>End</text:p></office:text></office:body></office:document>`,
    )
    const { text, users } = await inside(world, 'office')
    expect(text).toMatch(/Begin[\s\S]*End/)
    expect(text).not.toMatch(/only for root|for everybody/)
    expect(called).toEqual([])
    expect(users.length).toBeGreaterThan(0)
    expect(users).not.toContain(0)
  })

  it.each([
    ['in its fences', 'browser'],
    ['by its own settings alone, where the network is open', 'bare'],
  ])('a browser makes no call that a page asks for: %s', async (_, what) => {
    const at = `http://127.0.0.1:${port}`
    const file = `file://${join(folder, 'public.txt')}`
    writeFileSync(
      join(folder, 'page.html'),
      `<!doctype html><head><meta http-equiv=refresh content="0;url=${at}/refresh">
      <link rel=dns-prefetch href="//127.0.0.1:${port}"><link rel=preconnect href="${at}">
      <link rel=prefetch href="${at}/prefetch"><link rel=preload as=image href="${at}/preload">
      <link rel=prerender href="${at}/prerender"><link rel=stylesheet href="${at}/style.css">
      <link rel=icon href="${at}/icon"><link rel=manifest href="${at}/manifest"><link rel=modulepreload href="${at}/m.js">
      <style>@import "${at}/import.css"; @font-face { font-family: f; src: url(${at}/font) } body { font-family: f; background: url(${at}/background) }</style></head>
      <body ping="${at}/ping"><img src="${at}/img" srcset="${at}/srcset 2x"><picture><source srcset="${at}/source"><img></picture>
      <iframe src="${at}/frame"></iframe><iframe src="${file}"></iframe><iframe src="view-source:${at}/view"></iframe>
      <iframe srcdoc="<img src='${at}/srcdoc'><script>fetch('${at}/srcdoc-script')</script>"></iframe>
      <iframe src="data:text/html,<script>new WebSocket('ws://127.0.0.1:${port}/data')</script><img src='${at}/data'>"></iframe>
      <object data="${at}/object"></object><embed src="${at}/embed"><video src="${at}/video" poster="${at}/poster"></video>
      <audio src="${at}/audio" autoplay></audio><svg><image href="${at}/svg"/><use href="${at}/use#a"/></svg>
      <form action="${at}/form" id=f><input type=image src="${at}/input"></form>
      <script src="${at}/script"></script><script>fetch('${at}/fetch'); new WebSocket('ws://127.0.0.1:${port}/ws');
      navigator.serviceWorker.register('${at}/worker'); navigator.sendBeacon('${at}/beacon'); new EventSource('${at}/events');
      new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${port}' }] }).createDataChannel('x'); document.forms[0].submit()</script>
      <p>Done</p></body>`,
    )
    const { users, size } = await inside(world, what)
    expect(size).toBeGreaterThan(1000)
    expect(called).toEqual([])
    expect(users.length).toBeGreaterThan(0)
    expect(users).not.toContain(0)
  })
})

describe('what cannot be isolated', () => {
  const of = (launch: readonly string[] | undefined, wanted: 'required' | 'best') =>
    createConfinement(wanted, launch)

  it('does not start where isolation is required, and reports what is missing', async () => {
    // Stands for a system whose kernel has neither Landlock nor seccomp: what is asked for is left away.
    const weak = join(folder, 'weak.pl')
    writeFileSync(
      weak,
      'shift while $ARGV[0] ne "--"; shift; $) = $( = "65534 65534"; $< = $> = 65534; exec @ARGV',
    )
    chmodSync(weak, 0o644)
    const required = of(['perl', weak], 'required')
    await expect(required.confine('true', [])).rejects.toMatchObject({
      code: 'convert.not-isolated',
      message: expect.stringContaining('here it could reach the network and read files of others'),
      hint: expect.stringContaining('SERVICE_ISOLATION'),
    })
    const { isolation } = await of(['perl', weak], 'best').confine('true', [])
    expect(isolation).toMatchObject({ network: false, files: false })
  })

  it('never starts as root', async () => {
    const root = join(folder, 'root.pl')
    writeFileSync(root, 'shift while $ARGV[0] ne "--"; shift; exec @ARGV')
    await expect(of(['perl', root], 'best').confine('true', [])).rejects.toMatchObject({
      code: 'convert.not-isolated',
    })
  })

  it('does not start before the test has a result, and is tried again', async () => {
    const broken = join(folder, 'sometimes.sh')
    const flag = join(folder, 'works')
    const launcher = fileURLToPath(new URL('../../../origin/processes/confine.pl', import.meta.url))
    writeFileSync(broken, `[ -e ${flag} ] || kill -9 $$\nexec perl ${launcher} "$@"\n`)
    const confinement = of(['sh', broken], 'best')
    await expect(confinement.confine('true', [])).rejects.toMatchObject({ code: 'convert.not-isolated' })
    writeFileSync(flag, '')
    expect((await confinement.confine('true', [])).isolation.network).toBe(true)
  })

  it('ends with status 125 when a restriction is missing that was there before', async () => {
    const launcher = fileURLToPath(new URL('../../../origin/processes/confine.pl', import.meta.url))
    const ended = run('perl', [launcher, `arch=${process.arch}`, 'uid=60578', 'need=roof', '--', 'true'])
    await expect(ended).rejects.toMatchObject({
      code: 125,
      stderr: expect.stringContaining('confine: the fence'),
    })
  })
})

describe('users', () => {
  it('are given to one program at a time', () => {
    const users = createUsers()
    const taken = Array.from({ length: 606 }, () => users.take())
    expect(new Set(taken).size).toBe(606)
    expect(() => users.take()).toThrow('none of the users')
    users.giveBack(taken[5] ?? 0)
    expect(users.take()).toBe(taken[5])
  })
})

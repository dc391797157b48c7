/**
 * Walks one warm render (the letter, DOCX to PDF) as an exploring debugger would: lists the files of ours that the main thread
 * of the origin enters, in the order in which it first does, and the returns to a room (a folder such as `shared/api`) that it
 * had already left.
 *
 *   node_modules/.bin/node test/run/walk.ts        engine I, then engine L
 *   node_modules/.bin/node test/run/walk.ts I      the engine of this letter only; `walk.test.ts` bounds it
 *
 * The rooms are left and entered where a file is entered for the first time; going back to a file that is known is no new
 * reading. A worker attaches to the main thread: a first render gives the functions that run, and in a second one each has a
 * breakpoint. What runs beside a render is left out: the walk begins when the warm-up of the engines has ended, and the
 * queue's own look for work does not count.
 */
import { readFileSync } from 'node:fs'
import { type Debugger, Session } from 'node:inspector/promises'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { originTarget } from '../helpers/origin-target.ts'

const root = new URL('../../', import.meta.url)
const letter = new URL('test/fixtures/templates/letter/', root)
/** The queue looks for work all the time. */
const background = ['origin/storage/queue-sqlite.ts', 'origin/storage/records-sqlite.ts']

if (isMainThread) {
  const target = await originTarget()
  for (const engine of process.argv[2] === undefined ? ['I', 'L'] : [process.argv[2]]) {
    const worker = new Worker(new URL(import.meta.url), { workerData: [target.url, engine] })
    const code = await new Promise<number>((resolve) => worker.on('exit', resolve))
    if (code !== 0) process.exitCode = code
  }
  await target.stop()
  process.exit()
} else {
  const [url, converter] = workerData as [string, string]
  await walk(url, converter)
}

async function walk(url: string, converter: string): Promise<void> {
  const template = await upload(url)
  const render = () => renderLetter(url, template, converter)
  // Plans, fonts and processes are ready after this.
  for (let warm = 0; warm < 3; warm++) await render()

  // Answers of the inspector do not keep a worker alive.
  setInterval(() => undefined, 1000)
  const session = new Session()
  session.connectToMainThread()
  await untilQuiet(session)
  const functions = await calledFunctions(session, render)
  const files = await entered(session, functions, render)
  session.disconnect()

  const rooms = files.map(roomOf)
  const returns = files.filter(
    (_, at) => rooms[at] !== rooms[at - 1] && rooms.slice(0, at).includes(rooms[at]!),
  )
  for (const file of files) console.log(`${returns.includes(file) ? 'back to ' : '        '}${file}`)
  console.log(
    `Engine ${converter}: ${files.length} files, ${new Set(rooms).size} rooms, ${returns.length} returns to a room already left`,
  )
  process.exit(0)
}

async function upload(url: string): Promise<string> {
  const form = new FormData()
  form.set('template', new Blob([readFileSync(new URL('template.docx', letter))]), 'letter.docx')
  const answer = await fetch(`${url}/template`, { method: 'POST', body: form })
  const { data } = (await answer.json()) as { data: { templateId: string } }
  return data.templateId
}

async function renderLetter(url: string, template: string, converter: string): Promise<void> {
  const data: unknown = JSON.parse(readFileSync(new URL('data.json', letter), 'utf8'))
  const answer = await fetch(`${url}/render/${template}?download=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data, convertTo: 'pdf', converter }),
  })
  const bytes = new Uint8Array(await answer.arrayBuffer())
  if (new TextDecoder().decode(bytes.subarray(0, 5)) !== '%PDF-') throw new Error(`no PDF: ${answer.status}`)
}

type Start = { readonly scriptId: string; readonly offset: number; readonly file: string }

/** Waits until nothing but the queue runs: offices go on warming up after their first documents. */
async function untilQuiet(session: Session): Promise<void> {
  for (let tries = 0; tries < 60; tries++) {
    const running = await calledFunctions(session, () => new Promise((resolve) => setTimeout(resolve, 1000)))
    if (running.every(({ file }) => background.includes(file))) return
  }
}

/** Where the functions of ours begin that run during a render, or other work. */
async function calledFunctions(session: Session, work: () => Promise<void>): Promise<readonly Start[]> {
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await work()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  await session.post('Profiler.stopPreciseCoverage')
  await session.post('Profiler.disable')
  return result
    .filter(({ url }) => isOurs(url))
    .flatMap(({ scriptId, url, functions }) =>
      functions
        .filter(({ ranges: [range] }) => range !== undefined && range.count > 0 && range.startOffset > 0)
        .map(({ ranges }) => ({
          scriptId,
          offset: ranges[0]!.startOffset,
          file: url.slice(root.href.length),
        })),
    )
}

/** The files of these functions in the order in which a render enters them. */
async function entered(
  session: Session,
  functions: readonly Start[],
  render: () => Promise<void>,
): Promise<readonly string[]> {
  const urls = new Map<string, string>()
  session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url))
  await session.post('Debugger.enable')
  const seen = new Set<string>()
  session.on('Debugger.paused', ({ params }: { params: Debugger.PausedEventDataType }) => {
    const [file = '', ...callers] = params.callFrames.map(({ location }) => urls.get(location.scriptId) ?? '')
    const isQueue = [file, ...callers].some((url) => url.endsWith('/queue-sqlite.ts'))
    if (isOurs(file) && !isQueue) seen.add(file.slice(root.href.length))
    void session.post('Debugger.resume')
  })
  const sources = new Map<string, string>()
  for (const { scriptId, offset } of functions) {
    let source = sources.get(scriptId)
    if (source === undefined) {
      source = (await session.post('Debugger.getScriptSource', { scriptId })).scriptSource
      sources.set(scriptId, source)
    }
    const before = source.slice(0, offset).split('\n')
    const location = { scriptId, lineNumber: before.length - 1, columnNumber: before.at(-1)?.length ?? 0 }
    const { locations } = await session.post('Debugger.getPossibleBreakpoints', {
      start: location,
      restrictToFunction: true,
    })
    const first = locations[0]
    // Two functions may begin at one place.
    if (first !== undefined)
      await session.post('Debugger.setBreakpoint', { location: first }).catch(() => undefined)
  }
  await render()
  await session.post('Debugger.disable')
  return [...seen]
}

function isOurs(url: string): boolean {
  return url.startsWith(root.href) && !/\/node_modules\/|\/test\//.test(url.slice(root.href.length - 1))
}

/** `shared/api`, `plugins/formats`, `origin`: what the map of the architecture names. */
function roomOf(file: string): string {
  const [top = '', second = ''] = file.split('/')
  return top === 'shared' || top === 'plugins' ? `${top}/${second}` : top
}

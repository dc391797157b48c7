import { type ChildProcess, spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import libreofficeConvert from 'libreoffice-convert'
import { readConfig } from '../../../origin/config.ts'
import { createServices } from '../../../origin/services.ts'
import { bytesOf, fromBytes } from '../../../shared/plugin/byte-source.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

/** Turns one DOCX into a PDF; several calls may run at once. */
export interface ConvertPeer {
  convert(path: string): Promise<void>
  stop(): Promise<void>
}

/** The product's own engine, as a request uses it: bytes in, bytes out. */
export async function productPeer(letter: string, factories: number): Promise<ConvertPeer> {
  const dataDir = temporaryFolder('bench-product')
  const { config } = readConfig([], { SERVICE_LOG_LEVEL: 'error', SERVICE_FACTORIES: String(factories) })
  const services = await createServices({ ...config, dataDir, stateless: true })
  await services.converter.warm()
  return {
    async convert(path) {
      const converted = await services.converter.convert({
        source: fromBytes(readFileSync(path)),
        from: 'docx',
        to: 'pdf',
        letter,
        deadline: Date.now() + 60_000,
        signal: AbortSignal.timeout(60_000),
      })
      mustBePdf(await bytesOf(converted.value))
    },
    async stop() {
      await services.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Bare warm UNO loops, one process each; a call takes the first that is free. */
export async function unoLoopPeer(processes: number): Promise<ConvertPeer> {
  const folder = temporaryFolder('bench-uno')
  const free = Array.from({ length: processes }, (_, n) => startLoop(join(folder, `profile-${n}`)))
  const loops = [...free]
  const waiting: ((loop: Loop) => void)[] = []
  let serial = 0
  return {
    async convert(path) {
      const loop = free.pop() ?? (await new Promise<Loop>((resolve) => waiting.push(resolve)))
      const target = join(folder, `${serial++}.pdf`)
      await loop.ask(`${loop.ownCopy(path)}\t${target}\n`)
      mustBePdf(readFileSync(target))
      rmSync(target)
      const next = waiting.shift()
      if (next === undefined) free.push(loop)
      else next(loop)
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface Loop {
  /** The office locks a file while it is open: two processes cannot read the same one. */
  ownCopy(path: string): string
  ask(line: string): Promise<void>
  stop(): Promise<void>
}

function startLoop(profile: string): Loop {
  const script = new URL('./uno-loop.py', import.meta.url).pathname
  const child: ChildProcess = spawn('/usr/bin/python3', [script, profile], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const answers = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]()
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const copies = `${profile}-files`
  mkdirSync(copies, { recursive: true })
  return {
    ownCopy(path) {
      const copy = join(copies, basename(path))
      if (!existsSync(copy)) copyFileSync(path, copy)
      return copy
    },
    async ask(line) {
      child.stdin?.write(line)
      const { done } = await answers.next()
      if (done === true) throw new Error('The UNO loop died.')
    },
    async stop() {
      child.stdin?.end()
      await ended
    },
  }
}

/** One office process for each call. */
export async function processPerCallPeer(): Promise<ConvertPeer> {
  return {
    async convert(path) {
      mustBePdf(await callOffice(readFileSync(path)))
    },
    async stop() {},
  }
}

function callOffice(source: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    libreofficeConvert.convert(source, '.pdf', undefined, (error, pdf) =>
      error === null ? resolve(pdf) : reject(error),
    ),
  )
}

function mustBePdf(bytes: Uint8Array): void {
  if (new TextDecoder('latin1').decode(bytes.subarray(0, 5)) !== '%PDF-') throw new Error('Not a PDF.')
}

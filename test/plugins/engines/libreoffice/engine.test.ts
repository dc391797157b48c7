import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../../../shared/errors/app-error.ts'
import type { ErrorCode } from '../../../../shared/errors/catalogue.ts'
import { notOfKind } from '../../../helpers/content-kind.ts'
import { kill } from '../../../helpers/kill.ts'
import { createOffice, type Office, officeHost } from './office.ts'
import { flat, flatDrawing, flatSheet, flatSlides, flatText, longText, sampleOf } from './samples.ts'

let office: Office
beforeAll(async () => {
  office = createOffice({}, officeHost({ warmsUp: true }))
  await office.engine.start?.()
})
afterAll(() => office.engine.stop?.())

const make = async (source: Uint8Array, from: string, to: string) =>
  (await office.convert(source, from, to)).bytes
const sample = (format: string) => sampleOf(format, make)
const codeOf = (running: Promise<unknown>): Promise<ErrorCode | string> =>
  running.then(
    () => 'no error',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  )
/** The bridge is what the pool knows; the office is its only child. */
const bridgePid = (of: Office): number => of.engine.stats()?.pids[0] ?? 0
/** 0 while there is none. */
function officePid(of: Office): number {
  const bridge = bridgePid(of)
  const list = `/proc/${bridge}/task/${bridge}/children`
  return existsSync(list) ? Number(readFileSync(list, 'utf8').trim().split(' ')[0]) : 0
}
/** Waits for an office that has nothing to do, warm-up included. */
async function quiet(of: Office): Promise<number> {
  await until(() => of.engine.stats()?.busy === 0 && officePid(of) > 0)
  await sleep(100)
  await until(() => of.engine.stats()?.busy === 0 && officePid(of) > 0)
  return officePid(of)
}
const isRunning = (pid: number): boolean =>
  existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
/** Resolves when it is true, or with false after a time that only a hang takes. */
async function until(condition: () => boolean, ms = 120_000): Promise<boolean> {
  const end = performance.now() + ms
  while (performance.now() < end) {
    if (condition()) return true
    await sleep(20)
  }
  return condition()
}
const isPdf = async (bytes: Uint8Array) => (await notOfKind('pdf', bytes)) === undefined

describe('when the office fails', () => {
  it('answers with the document although the office is killed while it converts', async () => {
    const victim = await quiet(office)
    const running = office.convert(longText(12_000), 'fodt', 'pdf')
    await sleep(300)
    kill(victim)
    expect(await isPdf((await running).bytes)).toBe(true)
    expect(officePid(office)).not.toBe(victim)
  })

  it('answers with the document although the bridge is killed while it converts', async () => {
    const running = office.convert(longText(12_000), 'fodt', 'pdf')
    await sleep(300)
    const child = officePid(office)
    kill(bridgePid(office))
    expect(await isPdf((await running).bytes)).toBe(true)
    expect(await until(() => !isRunning(child))).toBe(true)
  })

  it('fails a document that crashes the office twice, and serves the next one', async () => {
    const running = codeOf(office.convert(longText(30_000), 'fodt', 'pdf', { deadlineMs: 60_000 }))
    let victim = 0
    // Two over UNO, two by the command line in a unit beside which the office is killed.
    for (let killed = 0; killed < 4; ) {
      await until(
        () => office.engine.stats()?.busy === 1 && officePid(office) > 0 && officePid(office) !== victim,
      )
      await sleep(400)
      // It may be between two offices by now.
      const found = officePid(office)
      if (found === 0) continue
      victim = found
      kill(victim)
      killed += 1
    }
    expect(await running).toBe('convert.crashed')
    expect(await isPdf((await office.convert(flatText, 'fodt', 'pdf')).bytes)).toBe(true)
  })

  it('replaces an office that was killed while idle', async () => {
    const victim = await quiet(office)
    kill(victim)
    expect(await until(() => officePid(office) > 0 && officePid(office) !== victim)).toBe(true)
  })

  it('ends a job at its deadline although the office hangs, and serves the next', async () => {
    const hung = await quiet(office)
    kill(hung, 'SIGSTOP')
    // It would hang for ever.
    expect(await codeOf(office.convert(flatText, 'fodt', 'pdf', { deadlineMs: 1500 }))).toBe(
      'convert.timeout',
    )
    expect(await isPdf((await office.convert(flatText, 'fodt', 'pdf')).bytes)).toBe(true)
    expect(isRunning(hung)).toBe(false)
  })

  it('gives up a document that needs more memory than a process may use', async () => {
    const small = createOffice({ memoryLimitMb: 300, recycleMb: 300 })
    try {
      expect(await codeOf(small.convert(longText(200_000), 'fodt', 'pdf', { deadlineMs: 60_000 }))).toBe(
        'convert.memory',
      )
    } finally {
      await small.engine.stop?.()
    }
  })
})

describe('documents with comments', () => {
  const comment =
    '<text:p>Commented<office:annotation office:name="1"><dc:creator xmlns:dc="http://purl.org/dc/elements/1.1/">Ada</dc:creator><dc:date xmlns:dc="http://purl.org/dc/elements/1.1/">2026-03-01T10:00:00</dc:date><text:p>Is this right?</text:p></office:annotation> text<office:annotation-end office:name="1"/></text:p>'

  // The office makes a window for each comment a moment after it has loaded the text, and its packages without a user
  // interface lack what that window is made of.
  it.each(['pdf', 'docx', 'sxw', 'html'])('do not bring the office down: %s', async (to) => {
    const source = flat('text', 'text', comment.repeat(3))
    const docx = (await office.convert(source, 'fodt', 'docx')).bytes
    const before = await quiet(office)
    for (let round = 0; round < 3; round++) {
      for (const [bytes, from] of [
        [source, 'fodt'],
        [docx, 'docx'],
      ] as const)
        expect(await notOfKind(to, (await office.convert(bytes, from, to)).bytes)).toBeUndefined()
      await sleep(60)
    }
    expect(officePid(office)).toBe(before)
  })

  it('keep them', async () => {
    const { bytes } = await office.convert(flat('text', 'text', comment), 'fodt', 'pdf')
    expect(Buffer.from(bytes).toString('latin1')).toMatch(/\/Subtype\s*\/Text/)
  })
})

describe('cancelling', () => {
  it('takes a waiting job out of the queue without touching the one that runs', async () => {
    await quiet(office)
    const control = new AbortController()
    const first = office.convert(longText(6_000), 'fodt', 'pdf')
    const second = codeOf(office.convert(flatText, 'fodt', 'pdf', { signal: control.signal }))
    await sleep(50)
    const restarts = office.engine.stats()?.restarts
    control.abort(new Error('gone'))
    expect(await second).toBe('Error: gone')
    expect(await isPdf((await first).bytes)).toBe(true)
    expect(office.engine.stats()?.restarts).toBe(restarts)
  })

  it('refuses what does not fit into the queue', async () => {
    const narrow = createOffice({ queueSize: 1 })
    try {
      await narrow.engine.start?.()
      const codes = await Promise.all(
        [1, 2, 3, 4].map(() => codeOf(narrow.convert(longText(3_000), 'fodt', 'pdf'))),
      )
      expect(codes.filter((code) => code === 'no error').length).toBeGreaterThanOrEqual(1)
      expect(codes.filter((code) => code === 'convert.busy').length).toBeGreaterThanOrEqual(2)
    } finally {
      await narrow.engine.stop?.()
    }
  })
})

describe('documents that cannot be read', () => {
  const formats = ['docx', 'doc', 'odt', 'xlsx', 'xls', 'ods', 'pptx', 'ppt', 'odp', 'odg', 'pdf']
  it.each(formats)(
    'a truncated %s ends in a document error, or in what is left of it with nothing hidden',
    async (format) => {
      const whole = await sample(format)
      const cut = whole.subarray(0, Math.floor(whole.length * 0.6))
      const to = format === 'pdf' ? 'odg' : 'pdf'
      expect(await codeOf(office.convert(cut, format, to))).toBe('convert.document')
    },
  )

  it.each([
    ['docx', 'docx'],
    ['xlsx', 'xlsx'],
    ['pptx', 'pptx'],
    ['odt', 'odt'],
    ['ods', 'ods'],
    ['odp', 'odp'],
    ['doc', 'doc'],
    ['xls', 'xls'],
  ])('a %s with a password is reported as encrypted', async (format) => {
    const sealed = readFileSync(new URL(`../../../fixtures/office/sealed.${format}`, import.meta.url))
    expect(await codeOf(office.convert(new Uint8Array(sealed), format, 'pdf'))).toBe('convert.password')
  })

  it('a PDF with a password is reported as encrypted', async () => {
    const sealed = readFileSync(new URL('../../../fixtures/office/sealed.pdf', import.meta.url))
    expect(await codeOf(office.convert(new Uint8Array(sealed), 'pdf', 'png'))).toBe('convert.password')
  })

  it.each([
    ['xlsx', 'docx'],
    ['docx', 'odt'],
    ['doc', 'xls'],
    ['pptx', 'xlsx'],
  ])('a %s that is declared as %s is a document error', async (real, said) => {
    expect(await codeOf(office.convert(await sample(real), said, 'pdf'))).toBe('convert.document')
  })

  it('an empty file is a document error', async () => {
    expect(await codeOf(office.convert(new Uint8Array(0), 'docx', 'pdf'))).toBe('convert.document')
  })
})

describe('documents that reach out', () => {
  it('fetches nothing: pictures, sections and sheets of other places stay closed', async () => {
    let hits = 0
    const server = createServer((_, response) => {
      hits += 1
      response.end('secret')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      const text = flat(
        'text',
        'text',
        `<text:p><draw:frame text:anchor-type="as-char" svg:width="2cm" svg:height="2cm"><draw:image xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad" xlink:href="${base}/a.png"/></draw:frame></text:p>
         <text:section text:name="S"><text:section-source xlink:type="simple" xlink:href="${base}/a.odt"/><text:p>x</text:p></text:section>`,
      )
      await office.convert(text, 'fodt', 'pdf', { options: { hardRefresh: true } })
      await office.convert(`<html><body><img src="${base}/a.png"><p>x</p></body></html>`, 'html', 'pdf')
      const cell = `of:=WEBSERVICE(&quot;${base}/&quot;)`
      const sheet = flat(
        'spreadsheet',
        'spreadsheet',
        `<table:table table:name="S"><table:table-row><table:table-cell table:formula="${cell}" office:value-type="string"/></table:table-row></table:table>`,
      )
      await office.convert(sheet, 'fods', 'csv', { options: { hardRefresh: true } })
      expect(hits).toBe(0)
    } finally {
      server.close()
    }
  })

  it('reads no file of this machine into a document', async () => {
    const name = '/etc/hostname'
    const secret = existsSync(name) ? readFileSync(name, 'utf8').trim() : 'no such file'
    const text = flat(
      'text',
      'text',
      `<text:section text:name="S"><text:section-source xlink:type="simple" xlink:href="file://${name}" text:filter-name="Text"/><text:p>kept</text:p></text:section>`,
    )
    for (const hardRefresh of [false, true]) {
      const { bytes } = await office.convert(text, 'fodt', 'txt', { options: { hardRefresh } })
      expect(new TextDecoder().decode(bytes)).not.toContain(secret)
    }
    const sheet = flat(
      'spreadsheet',
      'spreadsheet',
      `<table:table table:name="S"><table:table-row><table:table-cell table:formula="of:=WEBSERVICE(&quot;file://${name}&quot;)" office:value-type="string"/><table:table-cell table:formula="of:='file://${name}'#$hostname.A1" office:value-type="string"/></table:table-row></table:table>`,
    )
    const { bytes } = await office.convert(sheet, 'fods', 'csv', { options: { hardRefresh: true } })
    expect(new TextDecoder().decode(bytes)).not.toContain(secret)
  })

  it('runs no macro', async () => {
    const marker = `${office.folder}/macro-ran`
    const basic = `Sub Main\nOpen "${marker}" For Output As #1\nClose #1\nEnd Sub`
    const scripts = `<office:scripts><office:script script:language="ooo:Basic"><ooo:libraries xmlns:ooo="http://openoffice.org/2004/office"><ooo:library-embedded ooo:name="Standard"><ooo:module ooo:name="M"><ooo:source-code>${basic}</ooo:source-code></ooo:module></ooo:library-embedded></ooo:libraries></office:script><office:event-listeners><script:event-listener script:language="ooo:script" script:event-name="dom:load" xlink:href="vnd.sun.star.script:Standard.M.Main?language=Basic&amp;location=document" xlink:type="simple"/></office:event-listeners></office:scripts>`
    await office.convert(flat('text', 'text', '<text:p>x</text:p>', scripts), 'fodt', 'pdf')
    expect(existsSync(marker)).toBe(false)
  })
})

describe('over many documents', () => {
  it('keeps its processes, files and memory', async () => {
    const own = createOffice({ factories: 2 }, officeHost({ warmsUp: true }))
    const mixed = [
      ['fodt', 'pdf', flatText],
      ['fods', 'xlsx', flatSheet],
      ['fodp', 'pdf', flatSlides],
      ['fodg', 'png', flatDrawing],
      ['fodt', 'docx', flatText],
      ['fodt', 'html', flatText],
    ] as const
    const round = (count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, at) => mixed[at % mixed.length] ?? mixed[0]).map(
          ([from, to, text]) => own.convert(text, from, to),
        ),
      )
    const resident = () =>
      Math.max(
        ...(own.engine.stats()?.pids ?? []).map((pid) =>
          rssOf(Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim())),
        ),
      )
    try {
      await own.engine.start?.()
      await round(30)
      // The second office may still start when the first has made all of them.
      await expect.poll(() => own.engine.stats()?.ready).toBe(2)
      const before = { files: filesIn(own.folder), memory: resident(), pids: own.engine.stats()?.pids }
      await round(60)
      expect(own.engine.stats()?.pids).toEqual(before.pids)
      expect(own.engine.stats()?.restarts).toBe(0)
      expect(filesIn(own.folder) - before.files).toBeLessThan(10)
      expect(resident() / before.memory).toBeLessThan(1.2)
    } finally {
      const pids = own.engine.stats()?.pids ?? []
      await own.engine.stop?.()
      expect(pids.filter(isRunning)).toEqual([])
      expect(readdirSync(own.folder).filter((name) => name.startsWith('platen-'))).toEqual([])
    }
  })
})

function filesIn(folder: string): number {
  return readdirSync(folder, { recursive: true }).length
}

function rssOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}

import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { inThreads } from '../../origin/layout-pool.ts'
import instant from '../../plugins/engines/instant/index.ts'
import { bytesOf, fromBytes } from '../../shared/plugin/byte-source.ts'
import type { Engine } from '../../shared/plugin/contract.ts'
import { testHost } from '../helpers/host.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const dataDir = temporaryFolder('layout-pool')
const plugin = inThreads(instant)
const settings = plugin.settings.parse({ dataDir, threads: 2 })
if (!settings.ok) throw new Error('These settings are good.')
const engine = plugin.create(settings.value, testHost()) as Engine<Readonly<Record<string, unknown>>>
afterAll(async () => {
  await engine.stop?.()
  rmSync(dataDir, { recursive: true, force: true })
})

const letter = readFileSync(new URL('../fixtures/templates/letter/template.docx', import.meta.url))
const job = (bytes: Uint8Array) => ({
  source: fromBytes(bytes),
  from: 'docx',
  to: 'pdf',
  options: {},
  deadline: Date.now() + 200_000,
})
const never = new AbortController().signal

describe('the instant engine in threads', () => {
  it('lays out several documents at once, each to the same bytes', async () => {
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => engine.convert(job(letter), never)))
    const files = await Promise.all(outcomes.map(async ({ value }) => Buffer.from(await bytesOf(value))))
    expect(files.every((file) => file.equals(files[0]!))).toBe(true)
    const path = join(dataDir, 'letter.pdf')
    writeFileSync(path, files[0]!)
    expect(execFileSync('pdftotext', [path, '-'], { encoding: 'utf8' })).toContain('Kind regards,')
  })

  it('draws text as it does without them', async () => {
    const request = {
      lines: ['One', 'Two'],
      family: 'Helvetica',
      bold: true,
      italic: false,
      colour: 0xcc0000,
    }
    const drawn = await engine.drawText?.(request, never)
    expect(drawn?.warnings).toEqual([])
    const path = join(dataDir, 'lines.pdf')
    writeFileSync(path, drawn?.value ?? '')
    expect(execFileSync('pdftotext', [path, '-'], { encoding: 'utf8' })).toBe('One\n\n\fTwo\n\n\f')
    const dotted = { ...request, lines: ['\u{f1234}'], archive: 2 as const }
    await expect(engine.drawText?.(dotted, never)).rejects.toMatchObject({ code: 'pdf.promise' })
  })

  it('reports what is wrong with a file, and serves the next one', async () => {
    const torn = engine.convert(job(letter.subarray(0, 2000)), never)
    await expect(torn).rejects.toMatchObject({ name: 'AppError', blame: 'document' })
    expect((await engine.convert(job(letter), never)).value.size).toBeGreaterThan(1000)
  })

  it('returns at once when the caller aborts, and serves the next one', async () => {
    const gone = new AbortController()
    const running = engine.convert(job(letter), gone.signal)
    gone.abort(new Error('gone'))
    await expect(running).rejects.toThrow('gone')
    expect((await engine.convert(job(letter), never)).value.size).toBeGreaterThan(1000)
  })
})

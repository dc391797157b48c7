import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { kill } from '../helpers/kill.ts'
import { processesBelow } from '../helpers/processes.ts'
import {
  expectEnded,
  long,
  namesOf,
  type Origin,
  pause,
  type Receiver,
  randomOf,
  rowsIn,
  send,
  startOrigin,
  startReceiver,
  temporary,
} from './world.ts'

/** Of each part at full length: more than 60 kills and 200 accepted renders together. */
const kills = long ? 15 : 1
const jobs = long ? 50 : 8

const inBase64 = (path: string) => readFileSync(new URL(`../fixtures/${path}`, import.meta.url), 'base64')
const letter = inBase64('templates/letter/template.docx')
const sheet = inBase64('real/aspose-cells__FinancialPlan.xlsx')
const pages = inBase64('pdf/letter-tagged.pdf')
const page = btoa(`<h1>{d.name}</h1><table>${'<tr><td>a<td>b</tr>'.repeat(2_000)}</table>`)
const office = (name: string) => ({ template: letter, data: { name }, convertTo: 'pdf', converter: 'L' })
const browser = (name: string) => ({ template: page, data: { name }, convertTo: 'pdf', converter: 'C' })
const secondOffice = (name: string) => ({ template: sheet, data: { name }, convertTo: 'pdf', converter: 'O' })
const large = { PixelWidth: 3_000, PixelHeight: 4_000 }
const picture = (name: string) => ({
  template: pages,
  data: { name },
  convertTo: { formatName: 'png', formatOptions: large },
})

const isPdf = (text: string) => text.startsWith('%PDF-') && /%%EOF\s*$/.test(text)
const isPng = (text: string) => text.slice(1, 4) === 'PNG' && text.includes('IEND')

/** What is killed, how its command line is recognised, the renders that it works on, and whether a document is complete. */
const parts: readonly [string, RegExp, (name: string) => object, (text: string) => boolean][] = [
  ['the office', /soffice\.bin/, office, isPdf],
  ['the helper of the office', /python3.*bridge/, office, isPdf],
  ['the browser', /chrom/, browser, isPdf],
  ['the second office', /ssconvert|calligra|abiword/, secondOffice, isPdf],
  ['a program of Poppler', /pdfto|pdfinfo|pdfimages/, picture, isPng],
  ['the origin with all its threads, and its engines', /server\.ts/, office, isPdf],
]

describe('a process that is killed at random moments', () => {
  let receiver: Receiver
  // Each try has a receiver of its own, which has received nothing yet.
  beforeEach(async () => {
    receiver = await startReceiver()
  })
  afterEach(() => receiver.stop())

  it.each(parts)(
    '%s: no render is lost, none ends twice, no process is left',
    async (what, like, body, isWhole) => {
      const random = randomOf(20_261_123)
      const { folder, remove } = await temporary()
      let origin: Origin = await startOrigin(folder)
      const accepted = [
        ...(await send(
          origin.url,
          receiver,
          namesOf(jobs, `${parts.findIndex(([one]) => one === what)}`),
          body,
        )),
      ]
      expect(accepted).toHaveLength(jobs)
      let killed = 0
      while (killed < kills) {
        const open = accepted.filter(({ name }) => !receiver.reported.has(name))
        if (open.length === 0) {
          // The renders ended faster than the kills came.
          const more = namesOf(jobs, `${what.length}-${killed}-${accepted.length}`)
          accepted.push(...(await send(origin.url, receiver, more, body)))
        }
        await pause(200 + 1_800 * random())
        const found = processesBelow(origin.pid).filter(({ args }) => like.test(args))
        const victim = found[Math.floor(random() * found.length)]
        if (victim === undefined) continue
        if (victim.pid === origin.pid) {
          await origin.kill()
          origin = await startOrigin(folder)
        } else
          try {
            kill(victim.pid)
          } catch {
            continue // It had ended by itself.
          }
        killed++
      }
      const { done, failed, twice } = await expectEnded(origin.url, receiver, accepted, { isWhole })
      if (long)
        console.log(
          `${what}: ${killed} kills, ${done} done, ${failed} told as failed, ${twice} told twice with one id`,
        )
      expect(done + failed).toBe(accepted.length)
      // A document whose program is killed is tried once more, then reported as failed.
      expect(failed).toBeLessThanOrEqual(killed)
      const after = await send(origin.url, receiver, namesOf(3, `${what.length}-after`), body)
      expect(await expectEnded(origin.url, receiver, after, { isWhole })).toMatchObject({ done: 3 })
      await expect.poll(() => rowsIn(folder, 'queue_jobs'), { timeout: 60_000 }).toBe(0)
      expect(rowsIn(folder, 'jobs', 'ended_at IS NULL')).toBe(0)
      await origin.stop()
      const left = () => processesBelow(1).filter(({ args }) => args.includes(folder))
      await expect.poll(left, { timeout: 60_000 }).toEqual([])
      await remove()
    },
  )
})

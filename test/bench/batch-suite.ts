import { cpus, loadavg } from 'node:os'
import { Platen } from '../../client/built/index.js'
import { letterData, letterTemplate } from '../helpers/bench-templates.ts'
import { openOrigin, processorMs, resident } from './origin-process.ts'
import { markdownTable, short } from './statistics.ts'

const defaultCount = 20_000
/** Documents before the measurement: caches are full and the code is compiled. */
const warmUp = 400
const barPerSecond = 150
const barMegabytes = 50

/**
 * A batch of letters, DOCX to PDF by engine I, from the client to an origin and back. `count` is the number of letters. The
 * processor time of both says how many a machine of this many cores can make when nothing else runs on it; the clock says
 * how many it made.
 */
export async function batchSuite(count = String(defaultCount)): Promise<object> {
  const letters = Number(count)
  if (!Number.isSafeInteger(letters) || letters < 1) throw new RangeError(`Not a number of letters: ${count}`)
  const origin = await openOrigin()
  try {
    const pid = origin.pid ?? process.pid
    const platen = new Platen({ url: origin.url })
    const template = await letterTemplate()
    async function* items(length: number) {
      for (let index = 0; index < length; index++) yield { ...letterData, number: index }
    }
    const run = async (length: number) => {
      let most = { origin: 0, client: 0 }
      let documents = 0
      for await (const { bytes } of platen.batch(template, {
        items: items(length),
        convertTo: 'pdf',
        converter: 'I',
      })) {
        if (bytes?.[0] !== 0x25) throw new Error('A document is no PDF.')
        if (++documents % 50 === 0)
          most = {
            origin: Math.max(most.origin, resident(pid)),
            client: Math.max(most.client, process.memoryUsage.rss() / 1024),
          }
      }
      if (documents !== length) throw new Error(`${documents} documents for ${length} letters.`)
      return most
    }
    const before = await run(Math.min(warmUp, letters))
    const [started, originMs, clientMs] = [performance.now(), processorMs(pid), processorMs(process.pid)]
    const after = await run(letters)
    const perSecond = (letters * 1000) / (performance.now() - started)
    const ms = {
      origin: (processorMs(pid) - originMs) / letters,
      client: (processorMs(process.pid) - clientMs) / letters,
    }
    const possible = (cpus().length * 1000) / (ms.origin + ms.client)
    const growth = {
      origin: (after.origin - before.origin) / 1024,
      client: (after.client - before.client) / 1024,
    }
    const rows = [
      ['letters a second, by the clock', short(perSecond), String(barPerSecond)],
      [`letters a second that ${cpus().length} idle cores allow`, short(possible), String(barPerSecond)],
      ['processor ms for a letter: origin, client', `${short(ms.origin)}, ${short(ms.client)}`, '–'],
      ['MB more than after the warm-up: origin', growth.origin.toFixed(0), String(barMegabytes)],
      ['MB more than after the warm-up: client', growth.client.toFixed(0), String(barMegabytes)],
    ]
    const load = loadavg()[0] ?? 0
    console.log(
      `\n## Batch of ${letters} letters\n\nLoad of the machine: ${short(load)}\n\n${markdownTable(['', 'measured', 'bar'], rows)}`,
    )
    return { letters, perSecond, possible, processorMs: ms, growthMegabytes: growth, load }
  } finally {
    await origin.stop()
  }
}

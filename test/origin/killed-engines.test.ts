import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { AppError } from '../../shared/errors/app-error.ts'
import { bytesOf, fromBytes } from '../../shared/plugin/byte-source.ts'
import { fixture } from '../cases/hostile/conversions.ts'
import { notOfKind } from '../helpers/content-kind.ts'
import { kill } from '../helpers/kill.ts'
import { useServices } from '../helpers/origin-services.ts'
import { processesBelow } from '../helpers/processes.ts'

const services = useServices({ warm: true })

async function convert(from: string, to: string, letter: string | undefined, source: Uint8Array) {
  const made = await services().converter.convert({
    source: fromBytes(source),
    from,
    to,
    ...(letter !== undefined && { letter }),
    deadline: Date.now() + 200_000,
    signal: AbortSignal.timeout(200_000),
  })
  return bytesOf(made.value)
}

const page = new TextEncoder().encode(`<h1>T</h1><table>${'<tr><td>a<td>b</tr>'.repeat(800)}</table>`)
const sheet = fixture('real/aspose-cells__FinancialPlan.xlsx')
const letter = fixture('templates/letter/template.docx')
const file = fixture('pdf/letter-tagged.pdf')
const work = [
  ['docx', 'pdf', 'L', letter],
  ['xlsx', 'pdf', 'L', sheet],
  ['html', 'pdf', 'C', page],
  ['html', 'png', 'C', page],
  ['pdf', 'png', undefined, file],
  ['pdf', 'docx', undefined, file],
  ['xlsx', 'pdf', 'O', sheet],
] as const

/** Programs of engines that run below this process. */
function programs(): readonly number[] {
  const like = /soffice|python3|chrom|pdfto|calligra|ssconvert|abiword/
  return processesBelow(process.pid)
    .filter(({ pid, args }) => pid !== process.pid && like.test(args))
    .map(({ pid }) => pid)
}

/** An engine that is killed three times while it starts is reported as unavailable, until the next request tries again. */
const reported = ['whole', 'convert.crashed', 'convert.failed', 'convert.engine-off']

it('when engines are killed at any moment, each caller gets a complete document or an error, and the engines work again', async () => {
  // The same choices each time, at moments that the machine decides.
  let seed = 20_261_121
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((seed / 2 ** 31) * below)
  }
  let working = true
  const killed = (async () => {
    let count = 0
    while (working && count < 8) {
      await sleep(150 + next(500))
      const found = programs()
      const victim = found[next(found.length)]
      if (victim === undefined || !working) continue
      try {
        kill(victim)
        count++
      } catch {
        // It had ended by itself.
      }
    }
    return count
  })()
  const rounds = Array.from({ length: 2 }, () => work).flat()
  const outcomes = await Promise.all(
    rounds.map(async ([from, to, engine, source]) => {
      try {
        const bytes = await convert(from, to, engine, source)
        const wrong = await notOfKind(to, bytes)
        return wrong === undefined ? 'whole' : `${from} to ${to}: ${wrong}`
      } catch (error) {
        return error instanceof AppError ? error.code : String(error)
      }
    }),
  )
  working = false
  expect(await killed).toBeGreaterThan(3)
  for (const outcome of outcomes) expect(outcome).toBeOneOf(reported)
  expect(outcomes.filter((one) => one === 'whole').length).toBeGreaterThan(rounds.length / 2)
  for (const [from, to, engine, source] of work)
    expect(await notOfKind(to, await convert(from, to, engine, source))).toBeUndefined()
})

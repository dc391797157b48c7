/**
 * Sends bent bodies to an origin and measures its serving thread: the CPU time of the longest turn of its event loop, how
 * long it stood still at worst, which other programs of the machine add to, and what its process holds afterwards. Fails
 * when an answer is wrong or a turn is too long: `node test/fuzz/bodies.ts [bodies] [seed]`.
 */
import { fuzzedRequests } from '../helpers/fuzzed-bodies.ts'
import { heavyBodies } from '../helpers/heavy-bodies.ts'
import { startMeasuredOrigin } from '../helpers/measured-origin.ts'
import { sendFuzzed, wrongWith } from '../helpers/send-fuzzed.ts'

const [count = 20_000, seed = 1] = process.argv.slice(2).map(Number)
const heavyMegabytes = [8, 58]
const atOnce = 4
const maxTurnMs = 100

const origin = await startMeasuredOrigin({ measureDelay: true })
let failed = 0
let long = 0
try {
  const requests = fuzzedRequests(count, seed)
  const line = async () => {
    for (const request of requests) {
      const wrong = await sendFuzzed(origin.url, request).then(wrongWith, (error: unknown) => String(error))
      if (wrong === undefined) continue
      failed++
      console.log(`${wrong}\n  ${request.what}`)
    }
  }
  await origin.figures()
  await Promise.all(Array.from({ length: atOnce }, line))
  tell(`${count} bodies, seed ${seed}`, await origin.figures())
  for (const megabytes of heavyMegabytes)
    for (const [name, make] of Object.entries(heavyBodies)) {
      const body = new TextEncoder().encode(make(megabytes * 1_048_576))
      await origin.figures()
      const answer = await sendFuzzed(origin.url, {
        what: name,
        method: 'POST',
        path: '/render/template?download=true',
        headers: { 'content-type': 'application/json' },
        body,
        pieceBytes: 65_536,
      }).catch((error: unknown) => ({ status: 0, body: String(error) }))
      tell(`${megabytes} MB, ${name}: ${answer.status}`, await origin.figures())
    }
} finally {
  await origin.stop()
}
console.log(
  failed === 0 ? 'Every answer was a document or an error of the catalogue.' : `${failed} wrong answers.`,
)
process.exit(failed + long === 0 ? 0 : 1)

function tell(what: string, figures: Awaited<ReturnType<typeof origin.figures>>): void {
  const { cpuMs, delayMs, longestTurnMs, rssMb } = figures
  const isLong = longestTurnMs > maxTurnMs
  if (isLong) long++
  console.log(
    `${what}: longest turn ${longestTurnMs.toFixed(0)} ms${isLong ? ` (over ${maxTurnMs})` : ''}, delay ${delayMs.toFixed(0)} ms, CPU ${cpuMs.toFixed(0)} ms, RSS ${rssMb.toFixed(0)} MB`,
  )
}

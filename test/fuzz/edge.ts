/**
 * Sends all hostile files to a Worker, merged and converted only, then bent bodies and files: each must end in a document or
 * an error of the catalogue within its deadline, and no isolate may die: `node test/fuzz/edge.ts [bodies] [files] [seed]`.
 */
import { bodyOf, hostileFiles, spoiltFiles } from '../cases/hostile/requests.ts'
import { fuzzedRequests } from '../helpers/fuzzed-bodies.ts'
import { fuzzedFiles } from '../helpers/fuzzed-files.ts'
import { renderOf, renderOfFile, startHostileEdge } from '../helpers/hostile-edge.ts'

const [bodies = 20_000, files = 500, seed = 1] = process.argv.slice(2).map(Number)

const edge = await startHostileEdge()
let [sent, wrong, highest] = [0, 0, 0]
const send = async (request: Parameters<typeof edge.wrongWith>[0]) => {
  const found = await edge.wrongWith(request)
  sent++
  if (sent % 50 === 0) highest = Math.max(highest, edge.megabytes())
  if (found === undefined) return
  wrong++
  console.log(`${found}\n  ${request.what}`)
}
try {
  for (const file of [...hostileFiles, ...spoiltFiles])
    for (const isMerged of [true, false]) {
      const what = `${file.name}: ${file.from} to ${file.to}, ${isMerged ? 'merged' : 'converted'}`
      await send(renderOf(what, await bodyOf(file, isMerged)))
    }
  console.log(`${sent} hostile files, ${wrong} wrong answers, at most ${highest.toFixed(0)} MB`)
  for (const request of fuzzedRequests(bodies, seed)) await send(request)
  for (const file of fuzzedFiles(files, seed)) await send(renderOfFile(file))
  console.log(`${sent} requests, seed ${seed}, ${wrong} wrong answers, at most ${highest.toFixed(0)} MB`)
} finally {
  await edge.stop()
}
process.exit(wrong === 0 ? 0 : 1)

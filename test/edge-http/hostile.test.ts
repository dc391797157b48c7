/**
 * Hostile files and bent bodies through the Worker, in the heap that an isolate has: each ends in a document or an error of the
 * catalogue within its deadline, and no isolate dies. `node test/fuzz/edge.ts` sends all of them, and as many bent ones as asked.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bodyOf, hostileFiles, spoiltFiles } from '../cases/hostile/requests.ts'
import { fuzzedRequests } from '../helpers/fuzzed-bodies.ts'
import { fuzzedFiles } from '../helpers/fuzzed-files.ts'
import { renderOf, renderOfFile, startHostileEdge } from '../helpers/hostile-edge.ts'

const maxMegabytes = 700
const seed = 20_261_128
/** Of the files that were spoilt, each of these is sent. */
const spoiltEach = 5

let edge: Awaited<ReturnType<typeof startHostileEdge>>
beforeAll(async () => {
  edge = await startHostileEdge()
})
afterAll(() => edge?.stop())

/** Half of them are merged first, the others converted only. */
const rows = [...hostileFiles, ...spoiltFiles.filter((_, index) => index % spoiltEach === 0)].map(
  (file, index) => [file.name, file.from, file.to, index % 2 === 0, file] as const,
)

describe('a document or an error of the catalogue, from an isolate that lives on', () => {
  it.each(rows)('%s: %s to %s, merged: %s', async (name, _from, _to, isMerged, file) => {
    expect(await edge.wrongWith(renderOf(name, await bodyOf(file, isMerged)))).toBeUndefined()
  })

  it('bent bodies', async () => {
    const wrong: string[] = []
    for (const request of fuzzedRequests(150, seed)) {
      const found = await edge.wrongWith(request)
      if (found !== undefined) wrong.push(`${found}: ${request.what}`)
    }
    expect(wrong).toEqual([])
  })

  it('bent files', async () => {
    const wrong: string[] = []
    for (const file of fuzzedFiles(60, seed)) {
      const found = await edge.wrongWith(renderOfFile(file))
      if (found !== undefined) wrong.push(`${found}: ${file.what}`)
    }
    expect(wrong).toEqual([])
  })

  it('its memory is bounded', () => expect(edge.megabytes()).toBeLessThan(maxMegabytes))
})

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { lifecycleCommand } from '../../../origin/cli/lifecycle.ts'
import { testConfig } from '../../helpers/origin-config.ts'
import { type S3Server, startS3 } from '../../helpers/s3.ts'

let s3: S3Server
beforeAll(async () => {
  s3 = await startS3()
})
afterAll(() => s3.stop())
afterEach(() => vi.restoreAllMocks())

/** Runs the command for these stores; its exit code and the lines that it prints. */
async function run(blobsUrl: readonly string[]) {
  const lines: string[] = []
  for (const name of ['log', 'error'] as const)
    vi.spyOn(console, name).mockImplementation((line: string) => void lines.push(line))
  const { config, remove } = await testConfig({ blobsUrl: [...blobsUrl] })
  const code = await lifecycleCommand.run(() => config, [])
  await remove()
  return { code, lines }
}
const bucketOf = (url: string) => new URL(url).hostname
const ids = (url: string) =>
  [...(s3.lifecycles.get(bucketOf(url)) ?? '').matchAll(/<ID>([^<]*)<\/ID>/g)].map(([, id]) => id)

describe('platen lifecycle', () => {
  it('sets rules for unfinished uploads and for all files of a second bucket, and keeps rules of others', async () => {
    const [templates, renders] = [await s3.bucket(), await s3.bucket()]
    s3.lifecycles.set(
      bucketOf(templates),
      '<LifecycleConfiguration><Rule><ID>mine</ID><Status>Enabled</Status><Filter><Prefix>logs/</Prefix></Filter><Expiration><Days>30</Days></Expiration></Rule></LifecycleConfiguration>',
    )
    for (let time = 0; time < 2; time++) {
      const { code, lines } = await run([templates, renders])
      expect([code, lines.length]).toEqual([0, 2])
    }
    expect(ids(templates)).toEqual(['mine', 'platen-unfinished-uploads'])
    expect(ids(renders)).toEqual(['platen-unfinished-uploads', 'platen-expired'])
    const rules = s3.lifecycles.get(bucketOf(renders))
    expect(rules).toContain('<DaysAfterInitiation>1</DaysAfterInitiation>')
    expect(rules).toContain('<Days>3</Days>')
    expect(rules).toContain('<Prefix>files/</Prefix>')
    expect(s3.lifecycles.get(bucketOf(templates))).not.toContain('<Days>3</Days>')
  })

  it.each<[string, readonly string[], string]>([
    ['files in a folder', [], 'SERVICE_BLOBS_URL'],
    ['a store that does not answer', ['s3://k:s@bucket?endpoint=http://127.0.0.1:1'], 'did not accept'],
    ['a store of Azure', ['azure://account:a2V5@container'], 'docs/cluster.md'],
  ])('reports what to do about %s', async (_, blobsUrl, words) => {
    const { code, lines } = await run(blobsUrl)
    expect(code).toBe(1)
    expect(lines).toEqual([expect.stringContaining(words)])
  })
})

import { execFileSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readBucketIndex } from '../../../plugins/engines/instant/fonts/bucket-index.ts'
import { coverageOf, hasCharacter } from '../../../plugins/engines/instant/fonts/sfnt/face-record.ts'
import { platen } from '../../helpers/platen-cli.ts'
import { useTemporary } from '../../helpers/temporary.ts'

const temporary = useTemporary()
const wrangler = new URL('../../../node_modules/wrangler/bin/wrangler.js', import.meta.url).pathname

it('uploads fonts of this machine to a bucket once, collections in slices, with an index of their characters', async () => {
  const folder = temporary()
  await mkdir(folder, { recursive: true })
  const place = join(folder, 'bucket')
  const sync = (...families: readonly string[]) =>
    platen(
      folder,
      ...['fonts', 'sync', '--to', 'local', '--persist-to', place],
      ...families.flatMap((family) => ['--family', family]),
    )
  expect(await sync('Noto Sans Thai', 'Noto Serif CJK JP')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^(\d+) fonts, of which \1 are new/),
  })
  expect((await sync('Noto Sans Thai')).out).toMatch(/^2 fonts, of which 0 are new/)
  const get = (key: string) =>
    execFileSync(
      process.execPath,
      [wrangler, 'r2', 'object', 'get', `platen/${key}`, '--pipe', '--local', '--persist-to', place],
      { maxBuffer: 50_000_000, stdio: ['ignore', 'pipe', 'ignore'] },
    )
  const files = readBucketIndex(get('fonts/index.json').toString())
  const keys = files.map(({ key }) => key)
  expect(keys).toContain('fonts/Noto Sans Thai-Bold.ttf')
  expect(keys).toContain('fonts/Noto Serif CJK JP-Regular.otf')
  // Everyday characters are in the first slice; those of the second level of JIS X 0208 in a later one.
  const slicesWith = (character: string) =>
    files
      .filter(({ entries: [entry] }) => entry?.family === 'Noto Serif CJK JP' && entry.weight === 400)
      .flatMap(({ entries: [entry] }, index) =>
        entry?.record && hasCharacter(coverageOf(entry.record), character.codePointAt(0) ?? 0) ? [index] : [],
      )
  expect([...'日本語のカタカナ、'].map(slicesWith)).toEqual([...'日本語のカタカナ、'].map(() => [0]))
  expect(slicesWith('熙')).toEqual([1])
})

it.each([
  [['sync'], /^--to takes remote or local/],
  [['sink', '--to', 'local'], /^The only action is sync/],
  [['sync', '--to', 'moon'], /^--to takes remote or local/],
])('platen fonts %j is a mistake', async (args, message) => {
  const folder = temporary()
  await mkdir(folder, { recursive: true })
  expect(await platen(folder, 'fonts', ...args)).toMatchObject({
    code: 2,
    err: expect.stringMatching(message),
  })
})

import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)

it('the Worker carries every migration: edge/migrations.ts', () => {
  const listed = readFileSync(new URL('edge/migrations.ts', root), 'utf8').match(/\d{4}_\w+\.sql(?=', sql)/g)
  expect(listed).toEqual(readdirSync(new URL('shared/records/migrations', root)).sort())
})

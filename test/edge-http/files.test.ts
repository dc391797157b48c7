import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { conversionsText } from '../../origin/write-conversions.ts'

const root = new URL('../../', import.meta.url)

it('the Worker carries every migration: edge/migrations.ts', () => {
  const listed = readFileSync(new URL('edge/migrations.ts', root), 'utf8').match(/\d{4}_\w+\.sql(?=', sql)/g)
  expect(listed).toEqual(readdirSync(new URL('shared/records/migrations', root)).sort())
})

it('the Worker knows what this origin converts: node_modules/.bin/node origin/write-conversions.ts', () => {
  expect(readFileSync(new URL('edge/origin-conversions.json', root), 'utf8')).toBe(conversionsText())
})

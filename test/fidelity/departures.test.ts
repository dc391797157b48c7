import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { libreOffice } from '../../plugins/engines/instant/compat/libreoffice.ts'
import { word } from '../../plugins/engines/instant/compat/word.ts'
import { departureOf, possibleDepartures, withoutRules } from './departures.ts'

test('each file of departures is named after a rule', () => {
  const rules = readdirSync(new URL('departures/', import.meta.url)).map((file) =>
    file.replace(/\.json$/, ''),
  )
  expect(rules.length).toBeGreaterThan(0)
  for (const rule of rules) expect({ ...word, ...libreOffice }).toHaveProperty(rule)
})

test('rules are off for as long as the work takes', async () => {
  const kept = libreOffice.minSideWidth
  const during = await withoutRules(['minSideWidth'], async () => libreOffice.minSideWidth)
  expect(during).not.toBe(kept)
  expect(libreOffice.minSideWidth).toBe(kept)
  const failed = withoutRules(['minSideWidth'], () => Promise.reject(new Error('broken')))
  await expect(failed).rejects.toThrow('broken')
  expect(libreOffice.minSideWidth).toBe(kept)
})

test('a rule that does not exist is refused', async () => {
  await expect(withoutRules(['noSuchRule'], async () => 1)).rejects.toThrow('There is no rule noSuchRule.')
})

test('a document that no file names is tried without each rule and without all of them', () => {
  const tried = possibleDepartures()
  expect(tried).toContainEqual(['loneLinesStay'])
  expect(tried.at(-1)).toHaveLength(tried.length - 1)
})

test('most documents have no departure', () => {
  expect(departureOf('a.docx')).toEqual([])
  expect(departureOf('dotnet__2003_Consumer_Confidence_Report.docx')).toEqual([
    'continuousSectionsChangePages',
  ])
})

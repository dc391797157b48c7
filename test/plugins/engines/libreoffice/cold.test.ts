import { chmodSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../shared/errors/app-error.ts'
import { notOfKind } from '../../../helpers/content-kind.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'
import { createOffice } from './office.ts'
import { flatSheet, flatText, longText } from './samples.ts'

const folder = temporaryFolder('cold-test')
const noUno = join(folder, 'python')
writeFileSync(noUno, '#!/bin/sh\nexit 1\n')
chmodSync(noUno, 0o755)

const codeOf = (running: Promise<unknown>) =>
  running.then(
    () => 'no error',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  )

describe('without a Python that speaks UNO', () => {
  const office = createOffice({ python: noUno })

  it.each([
    ['fodt', 'pdf', flatText, {}],
    ['fodt', 'docx', flatText, {}],
    ['fods', 'csv', flatSheet, { fieldSeparator: ';' }],
  ])('converts %s to %s in a process of its own', async (from, to, source, options) => {
    const { bytes } = await office.convert(source, from, to, { options })
    expect(await notOfKind(to, bytes)).toBeUndefined()
    if (to === 'csv') expect(new TextDecoder().decode(bytes)).toContain('Größe;20;40')
    expect(readdirSync(office.folder)).toEqual([])
  })

  it('is listed as unavailable', async () => {
    expect(await office.engine.health?.()).toEqual({
      ok: true,
      using: `a process for each call, about 30 times slower: no Python with UNO (python3-uno): ${noUno} has no UNO module`,
    })
  })

  it('honours typed PDF options', async () => {
    const { bytes } = await office.convert(flatText, 'fodt', 'pdf', { options: { SelectPdfVersion: 15 } })
    expect(new TextDecoder('latin1').decode(bytes.subarray(0, 8))).toBe('%PDF-1.5')
  })

  it('ends at the deadline and on a broken document', async () => {
    expect(await codeOf(office.convert(longText(30_000), 'fodt', 'pdf', { deadlineMs: 1500 }))).toBe(
      'convert.timeout',
    )
    expect(await codeOf(office.convert('no zip', 'docx', 'pdf'))).toBe('convert.document')
    expect(readdirSync(office.folder)).toEqual([])
  })
})

describe('without LibreOffice', () => {
  it('reports it and converts nothing', async () => {
    const office = createOffice({ soffice: join(folder, 'nothing-here') })
    await office.engine.start?.()
    expect(await office.engine.health?.()).toEqual({
      ok: false,
      because: 'LibreOffice is not at the configured path',
    })
    expect(await codeOf(office.convert(flatText, 'fodt', 'pdf'))).toBe('convert.engine-off')
    await office.engine.stop?.()
  })
})

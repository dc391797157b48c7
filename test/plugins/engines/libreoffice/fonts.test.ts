import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { fontAliases, sans } from '../../../../plugins/engines/instant/fonts/aliases.ts'
import { writeFontConfig } from '../../../../plugins/engines/libreoffice/fonts.ts'
import { fontConfOf } from './font-conf.ts'

const file = new URL('../../../../plugins/engines/libreoffice/fonts.conf', import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'font-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('fonts of the office', () => {
  it('stand in for each other as in the instant engine (UPDATE=1 rewrites fonts.conf)', () => {
    const wanted = fontConfOf(fontAliases, sans)
    if (process.env['UPDATE'] === '1') writeFileSync(file, wanted)
    expect(readFileSync(file, 'utf8')).toBe(wanted)
  })

  it.each([
    ['Arial', 'Liberation Sans'],
    ['Calibri', 'Carlito'],
    ['Cambria', 'Caladea'],
    ['Times New Roman', 'Liberation Serif'],
    ['Courier New', 'Liberation Mono'],
    ['Tahoma', 'Liberation Sans'],
    ['No Such Family', 'Liberation Sans'],
    ['DejaVu Sans', 'DejaVu Sans'],
    ['Times', 'Liberation Serif'],
    ['Helvetica', 'Liberation Sans'],
    ['Palatino Linotype', 'Liberation Serif'],
  ])('%s is set in %s', async (family, expected) => {
    const { path } = await writeFontConfig(folder, undefined, folder)
    const found = execFileSync('fc-match', ['-f', '%{family}', family], {
      env: { ...process.env, FONTCONFIG_FILE: path },
    })
    expect(found.toString().split(',')[0]).toBe(expected)
  })
})

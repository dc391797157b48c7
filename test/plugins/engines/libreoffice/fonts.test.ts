import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fontAliases, mono, sans, serif } from '../../../../plugins/engines/instant/fonts/aliases.ts'
import { writeFontConfig } from '../../../../plugins/engines/libreoffice/fonts.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'
import { fontConfOf } from './font-conf.ts'

const file = new URL('../../../../plugins/engines/libreoffice/fonts.conf', import.meta.url)
const folder = temporaryFolder('font-test')
const program = join(folder, 'office', 'soffice.bin')

describe('fonts of the office', () => {
  it('stand in for each other as in the instant engine (UPDATE=1 rewrites fonts.conf)', () => {
    const wanted = fontConfOf(fontAliases, { sans, serif, mono })
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
    ['Palatino Linotype', 'TeX Gyre Pagella'],
    ['Century Gothic', 'TeX Gyre Adventor'],
    ['Verdana', 'DejaVu Sans'],
    ['Georgia', 'Caladea'],
    ['Bitstream Vera Serif', 'DejaVu Serif'],
  ])('%s is set in %s', async (family, expected) => {
    const { path } = await writeFontConfig({ program, folder, fontsDir: undefined, index: folder })
    const found = execFileSync('fc-match', ['-f', '%{family}', family], {
      env: { ...process.env, FONTCONFIG_FILE: path },
    })
    expect(found.toString().split(',')[0]).toBe(expected)
  })

  it('of the operator are seen by the user of the office, also below a folder that only root may enter', async () => {
    chmodSync(folder, 0o755)
    const closed = join(folder, 'closed')
    const operator = join(closed, 'fonts')
    mkdirSync(operator, { recursive: true })
    copyFileSync(
      '/usr/share/fonts/truetype/liberation/LiberationMono-Regular.ttf',
      join(operator, 'operator.ttf'),
    )
    chmodSync(closed, 0o700)
    const { path, folders } = await writeFontConfig({
      program,
      folder,
      fontsDir: operator,
      index: join(folder, 'index'),
    })
    const isRoot = process.getuid?.() === 0
    const files = execFileSync('fc-list', ['--format', '%{file}\n'], {
      env: { ...process.env, FONTCONFIG_FILE: path },
      ...(isRoot && { uid: 65_534, gid: 65_534 }),
    })
    expect(files.toString().split('\n')).toContain(join(folders[0] ?? '', 'operator.ttf'))
    expect(folders).toContain(isRoot ? join(folder, 'fonts') : operator)
  })
})

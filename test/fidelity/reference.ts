import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import { nodeCodec } from '../../origin/codec.ts'
import { systemHyphenation } from '../../origin/hyphenation.ts'
import { writeFontConfig } from '../../plugins/engines/libreoffice/fonts.ts'
import { defaultLimits } from '../../shared/template/limits.ts'
import { unlessMissing } from '../helpers/programs.ts'
import { readers } from './engine.ts'

/**
 * LibreOffice's PDF of each document, made once and kept by content. One process converts all that are missing; a
 * document that stops it is tried alone.
 */
export async function referencePdfs(files: readonly string[], cache: string): Promise<Map<string, string>> {
  mkdirSync(cache, { recursive: true })
  const aliases = readFileSync(new URL('../../plugins/engines/libreoffice/fonts.conf', import.meta.url))
  const dictionaries = systemHyphenation
    .flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : []))
    .sort()
    .join()
  const found = new Map<string, string>()
  const missing: { file: string; pdf: string }[] = []
  for (const file of files) {
    const bytes = readFileSync(file)
    const hash = createHash('sha256').update(aliases).update(bytes)
    if (asksForHyphens(file, bytes)) hash.update(dictionaries)
    const digest = hash.digest('hex').slice(0, 24)
    const pdf = join(cache, `${digest}.pdf`)
    found.set(file, pdf)
    if (!existsSync(pdf)) missing.push({ file, pdf })
  }
  if (missing.length > 0) await convertAll(missing)
  for (const { file, pdf } of missing) {
    if (!existsSync(pdf)) await convertAll([{ file, pdf }])
    if (!existsSync(pdf)) found.delete(file)
  }
  return found
}

function asksForHyphens(file: string, bytes: Uint8Array): boolean {
  try {
    const reader = readers[extname(file).toLowerCase()]
    return reader?.read(bytes, { codec: nodeCodec, limits: defaultLimits }).value.settings.hyphenate === true
  } catch {
    return false
  }
}

async function convertAll(jobs: readonly { readonly file: string; readonly pdf: string }[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'reference-'))
  try {
    const copies = jobs.map(({ file }, index) => {
      const copy = join(folder, `${index}${extname(file)}`)
      copyFileSync(file, copy)
      return copy
    })
    // The service's office sets missing families in the faces the instant engine takes, too.
    const fonts = await writeFontConfig(folder, undefined, join(folder, 'font-index'))
    execFileSync(
      'soffice',
      [
        '--headless',
        `-env:UserInstallation=file://${join(folder, 'profile')}`,
        '--convert-to',
        'pdf',
        '--outdir',
        folder,
        ...copies,
      ],
      {
        stdio: 'ignore',
        timeout: 60_000 + jobs.length * 15_000,
        env: { ...process.env, FONTCONFIG_FILE: fonts.path },
      },
    )
    jobs.forEach(({ pdf }, index) => {
      const made = join(folder, `${basename(copies[index]!, extname(copies[index]!))}.pdf`)
      if (existsSync(made)) {
        copyFileSync(made, `${pdf}.part`)
        renameSync(`${pdf}.part`, pdf)
      }
    })
  } catch (error) {
    unlessMissing(error) // What cannot be converted is left out of the table; the caller says so.
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

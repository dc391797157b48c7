import { mkdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { platen } from '../../helpers/platen-cli.ts'
import { useTemporary } from '../../helpers/temporary.ts'

const temporary = useTemporary()

it('platen doctor names each engine, what engine O found, and how much can be converted', async () => {
  const folder = temporary()
  await mkdir(folder)
  const { code, out } = await platen(folder, 'doctor')
  expect(out).toMatch(/^ok +L LibreOffice$/m)
  expect(out).toMatch(/^ok +O Alternative office: Calligra, AbiWord, Gnumeric$/m)
  expect(out).toMatch(/^\d{3,} direct conversions from \d+ formats\. GET \/conversions lists them\.$/m)
  expect(code).toBe(0)
})

import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'
import { createOffice } from './office.ts'

const folder = temporaryFolder('installation-test')

it('a Python that starts slowly is tried again, a missing one is not', async () => {
  const python = join(folder, 'python')
  const asked = join(folder, 'asked')
  writeFileSync(
    python,
    `#!/bin/sh\nif [ ! -e ${asked} ]; then touch ${asked}; exec sleep 100; fi\nexec /usr/bin/python3 "$@"\n`,
  )
  chmodSync(python, 0o755)
  const { engine } = createOffice({ python, bootTimeoutMs: 5_000 })
  expect(await engine.health?.()).toMatchObject({
    using: expect.stringContaining('did not answer within 5 s'),
  })
  expect(await engine.health?.()).toEqual({ ok: true })

  const other = createOffice({ python: join(folder, 'none') })
  const missing = { using: expect.stringContaining('is not installed') }
  expect(await other.engine.health?.()).toMatchObject(missing)
  writeFileSync(join(folder, 'none'), '#!/bin/sh\nexec /usr/bin/python3 "$@"\n', { mode: 0o755 })
  expect(await other.engine.health?.()).toMatchObject(missing)
})

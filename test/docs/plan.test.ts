import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { nodesOf, readPage, root } from '../helpers/markdown-pages.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

it('docs/architecture.md shows what platen plan prints', async () => {
  const blocks = nodesOf(readPage('docs/architecture.md').tree, 'code').map(({ value }) => value)
  const at = blocks.findIndex((block) => block.startsWith('# txt'))
  const folder = temporaryFolder('platen-plan')
  try {
    await writeFile(join(folder, 'order.txt'), `${blocks[at - 1]}\n`)
    const args = [join(root, 'origin/cli/main.ts'), 'plan', 'order.txt']
    const output = await new Promise<string>((resolve, reject) => {
      execFile(process.execPath, args, { cwd: folder }, (error, out) =>
        error === null ? resolve(out) : reject(error),
      )
    })
    expect(output.trimEnd()).toBe(blocks[at])
  } finally {
    await rm(folder, { recursive: true })
  }
})

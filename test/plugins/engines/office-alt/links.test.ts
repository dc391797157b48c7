import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fromBytes } from '../../../../shared/plugin/byte-source.ts'
import { docxOf } from '../../../helpers/docx.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'
import { createAlternative } from './alternative.ts'

const folder = temporaryFolder('office-alt-links')
chmodSync(folder, 0o755)

describe('links of a document', () => {
  it('are dropped before a program sees it', async () => {
    const program = join(folder, 'x2t')
    const look =
      'import sys, zipfile; sys.exit(b"about:invalid" not in zipfile.ZipFile(sys.argv[1]).read("word/_rels/document.xml.rels"))'
    writeFileSync(program, `#!/bin/sh\npython3 -c '${look}' "$1" && printf '%%PDF-1.4\\n%%%%EOF\\n' > "$2"\n`)
    chmodSync(program, 0o755)
    const linked = await docxOf('<w:p/>', {
      'word/_rels/document.xml.rels':
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="file:///etc/passwd" TargetMode="External"/></Relationships>',
    })
    const { engine } = createAlternative({ x2t: program })
    const source = fromBytes(linked)
    const job = { source, from: 'docx', to: 'pdf', options: { names: [] }, deadline: Date.now() + 30_000 }
    const { warnings } = await engine.convert(job, new AbortController().signal)
    expect(warnings.map(({ code }) => code)).toContain('office.link-dropped')
  })
})

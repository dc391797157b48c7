import plugin from '../../../../plugins/engines/chromium/index.ts'
import { engineContract } from '../../../contract/engine.ts'
import { originHost } from '../../../helpers/engines.ts'
import { drawing, page, xmlPage } from './samples.ts'

const samples: Readonly<Record<string, string>> = { html: page, xhtml: xmlPage, svg: drawing }

/** The headless shell, which is looked for first, and the whole browser. */
const programs = [undefined, '/usr/bin/chromium']

for (const browser of programs)
  engineContract({
    plugin,
    settings: { queueSize: 1000, ...(browser !== undefined && { browser }) },
    host: originHost(),
    sample: async (from) => new TextEncoder().encode(samples[from]),
    slow: {
      from: 'html',
      to: 'pdf',
      source: () => new TextEncoder().encode(`<table>${'<tr><td>slow<td>page</tr>'.repeat(150_000)}</table>`),
    },
    varies: 'PDF files hold the time they were made at',
  })

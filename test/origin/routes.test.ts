import { expect, test } from 'vitest'
import { plugins } from '../../origin/plugins.ts'
import { buildGraph, findRoutes } from '../../shared/convert/graph.ts'
import { createRegistry } from '../../shared/plugin/registry.ts'

const registry = createRegistry(plugins)
const graph = buildGraph(registry.engines())

/** The formats that a document passes, and the engine behind each arrow. */
function routeOf(from: string, to: string, letter?: string): string {
  const [route] = findRoutes(graph, {
    from,
    to,
    ...(letter && { letter }),
    family: registry.format(from)?.family,
  })
  return (route ?? []).map((arrow) => `${arrow.engine} ${arrow.to}`).join(', ')
}

/** Costs and fidelities of all engines together must make these; a new arrow that takes one over shows here. */
test.each([
  ['html pdf', 'chromium pdf'],
  ['html docx', 'web fodt, libreoffice docx'],
  ['html xlsx', 'web fods, libreoffice xlsx'],
  ['html txt', 'web txt'],
  ['html md', 'web md'],
  // Not by a page of PDF, however poor the export is.
  ['html docbook', 'web docbook'],
  ['html doc6', 'libreoffice doc6'],
  ['pdf docbook', 'poppler html, web docbook'],
  ['md pdf', 'web fodt, libreoffice pdf'],
  ['md pdf C', 'web html, chromium pdf'],
  ['md docx', 'web fodt, libreoffice docx'],
  ['md html L', 'web html'],
  ['docx md', 'web md'],
  ['docx txt', 'libreoffice txt'],
  ['pptx md', 'web md'],
  ['odp md', 'web md'],
  ['pptx txt', 'web txt'],
  ['pptx html', 'libreoffice html'],
  ['ppt md', 'libreoffice pptx, web md'],
  ['pptx docx', 'libreoffice html, web fodt, libreoffice docx'],
  ['rtf md', 'libreoffice html, web md'],
  ['pdf docx', 'poppler fodt, libreoffice docx'],
  ['pdf docx L', 'poppler fodt, libreoffice docx'],
  ['pdf xlsx', 'poppler fods, libreoffice xlsx'],
  // "ooxml" of sheets is Excel's; as a source it is Word's, and would be an empty text.
  ['ods ooxml', 'tables ooxml'],
  ['ods odt', 'libreoffice html, web fodt, libreoffice odt'],
  ['ods docx', 'libreoffice html, web fodt, libreoffice docx'],
  ['xlsx docx', 'libreoffice html, web fodt, libreoffice docx'],
  ['pdf pptx', 'poppler fodp, libreoffice pptx'],
  ['pdf txt', 'poppler txt'],
  ['pdf md', 'poppler md'],
  ['pdf png L', 'poppler png'],
  ['pdf pdf', 'libreoffice pdf'],
  ['docx docx', 'libreoffice docx'],
  ['svg pdf', 'chromium pdf'],
  ['html docx C', ''],
])('%s', (asked, expected) => {
  const [from = '', to = '', letter] = asked.split(' ')
  expect(routeOf(from, to, letter)).toBe(expected)
})

/** InDesign documents: stories and spreads are XML parts. Source: template language 24.7. */
import { zipMimetype } from '../../../shared/office/sniff.ts'
import { defineFormat } from '../../../shared/plugin/contract.ts'

const mimetype = 'application/vnd.adobe.indesign-idml-package'

export default defineFormat({
  kind: 'format',
  id: 'idml',
  family: 'document',
  extensions: ['idml'],
  mime: [mimetype],
  sniff: async (source) => ((await zipMimetype(source)) === mimetype ? 'sure' : 'no'),
  template: { open: async (bytes, context) => (await import('./open.ts')).openIdml(bytes, context) },
})

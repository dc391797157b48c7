import plugin from '../../../../plugins/engines/libreoffice/index.ts'
import { engineContract } from '../../../contract/engine.ts'
import { officeHost } from './office.ts'
import { longText, sampleOf } from './samples.ts'

engineContract({
  plugin,
  settings: { factories: 2, queueSize: 2000 },
  host: officeHost(),
  sample: sampleOf,
  slow: { from: 'fodt', to: 'pdf', source: () => new TextEncoder().encode(longText(60_000)) },
  varies: 'files hold the time they were made at and random ids',
})

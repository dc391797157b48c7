import type { EnginePlugin, Plugin } from '../shared/plugin/contract.ts'
import * as engines from './engines.ts'
import { formats } from './formats.ts'
import { inThreads } from './layout-pool.ts'
import * as threaded from './threaded.ts'

/** The built-in plugins of the origin. `SERVICE_PLUGINS` adds others without a change to any list. */
export const plugins: readonly Plugin[] = [
  ...formats,
  ...(Object.values(engines) as EnginePlugin[]),
  ...(Object.values(threaded) as EnginePlugin[]).map((engine) => inThreads(engine) as EnginePlugin),
]

import * as computing from '../plugins/engines/computing.ts'
import { formats } from '../plugins/formats/index.ts'
import type { EnginePlugin, Plugin } from '../shared/plugin/contract.ts'

/** The formats, and the engines that run in the Worker itself; `services.ts` adds the origin. */
export const plugins: readonly Plugin[] = [...formats, ...(Object.values(computing) as EnginePlugin[])]

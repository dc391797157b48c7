import * as computing from '../plugins/engines/computing.ts'
import type { EnginePlugin, Plugin } from '../shared/plugin/contract.ts'
import { formats } from './formats.ts'

/** The formats, and the engines that run in the Worker itself; `services.ts` adds the origin. */
export const plugins: readonly Plugin[] = [...formats, ...(Object.values(computing) as EnginePlugin[])]

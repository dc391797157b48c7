import idml from '../plugins/engines/idml/index.ts'
import instant from '../plugins/engines/instant/index.ts'
import web from '../plugins/engines/web/index.ts'
import type { EnginePlugin, Plugin } from '../shared/plugin/contract.ts'
import { formats } from './formats.ts'

/** The engines that run in the Worker itself; `services.ts` adds the origin. */
const engines: readonly EnginePlugin[] = [instant as EnginePlugin, web as EnginePlugin, idml as EnginePlugin]

export const plugins: readonly Plugin[] = [...formats, ...engines]

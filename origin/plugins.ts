import chromium from '../plugins/engines/chromium/index.ts'
import idml from '../plugins/engines/idml/index.ts'
import instant from '../plugins/engines/instant/index.ts'
import libreoffice from '../plugins/engines/libreoffice/index.ts'
import officeAlt from '../plugins/engines/office-alt/index.ts'
import poppler from '../plugins/engines/poppler/index.ts'
import raster from '../plugins/engines/raster/index.ts'
import tables from '../plugins/engines/tables/index.ts'
import tex from '../plugins/engines/tex/index.ts'
import web from '../plugins/engines/web/index.ts'
import type { EnginePlugin, Plugin } from '../shared/plugin/contract.ts'
import { formats } from './formats.ts'
import { inThreads } from './layout-pool.ts'

/** The built-in engines of the origin. `SERVICE_PLUGINS` adds others without a change to this file. */
const engines: readonly EnginePlugin[] = [
  libreoffice as EnginePlugin,
  chromium as EnginePlugin,
  officeAlt as EnginePlugin,
  poppler as EnginePlugin,
  inThreads(instant) as EnginePlugin,
  inThreads(web) as EnginePlugin,
  inThreads(idml) as EnginePlugin,
  raster as EnginePlugin,
  tables as EnginePlugin,
  tex as EnginePlugin,
]

export const plugins: readonly Plugin[] = [...formats, ...engines]

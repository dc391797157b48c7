/**
 * The engines that only the origin runs, one line each: they need programs or native modules. Those that only compute
 * are in `plugins/engines/computing.ts`.
 */
export { default as chromium } from '../plugins/engines/chromium/index.ts'
export { default as libreoffice } from '../plugins/engines/libreoffice/index.ts'
export { default as officeAlt } from '../plugins/engines/office-alt/index.ts'
export { default as poppler } from '../plugins/engines/poppler/index.ts'
export { default as raster } from '../plugins/engines/raster/index.ts'
export { default as tables } from '../plugins/engines/tables/index.ts'
export { default as tex } from '../plugins/engines/tex/index.ts'

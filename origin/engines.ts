/**
 * The engines that need programs or native modules, one line each. Those that run in threads are in `threaded.ts`.
 */
export { default as chromium } from '../plugins/engines/chromium/index.ts'
export { default as libreoffice } from '../plugins/engines/libreoffice/index.ts'
export { default as officeAlt } from '../plugins/engines/office-alt/index.ts'
export { default as raster } from '../plugins/engines/raster/index.ts'

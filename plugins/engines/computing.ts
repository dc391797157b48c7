/** The engines that only compute, one line each. They run in the Worker itself and in threads of the origin. */
export { default as idml } from './idml/index.ts'
export { default as instant } from './instant/index.ts'
export { default as web } from './web/index.ts'

/**
 * The engines that run in threads here: those that only compute, which both hosts have or only the origin, and those that compute
 * with what programs print. None may run on the thread that serves requests, since a document can keep it busy for minutes.
 */
export * from '../plugins/engines/computing.ts'
export { default as poppler } from '../plugins/engines/poppler/index.ts'
export { default as tables } from '../plugins/engines/tables/index.ts'
export { default as tex } from '../plugins/engines/tex/index.ts'

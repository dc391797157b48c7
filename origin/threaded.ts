/**
 * The engines that run in threads on the origin: those that only compute, on both hosts or only on the origin, and
 * those that compute with the output of programs. None may run on the thread that serves requests, since a document
 * can keep it busy for minutes.
 */
export * from '../plugins/engines/computing.ts'
export { default as poppler } from '../plugins/engines/poppler/index.ts'
export { default as tables } from '../plugins/engines/tables/index.ts'
export { default as tex } from '../plugins/engines/tex/index.ts'

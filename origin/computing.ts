/**
 * The engines that only compute, which run in threads here: those that both hosts have, and one line for each that only the
 * origin has. None may run on the thread that serves requests, since a document can keep it busy for minutes.
 */
export * from '../plugins/engines/computing.ts'
export { default as tables } from '../plugins/engines/tables/index.ts'
export { default as tex } from '../plugins/engines/tex/index.ts'

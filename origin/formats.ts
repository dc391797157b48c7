/**
 * The formats of the origin. They are separate from `plugins.ts` because merge workers load formats but no
 * engines.
 */
export { formats } from '../plugins/formats/index.ts'

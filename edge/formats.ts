/** The formats of the edge, which are the same as those of the origin. */
export { formats } from '../plugins/formats/index.ts'

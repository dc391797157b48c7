/** The formats of this side: those of the origin. */
export { formats } from '../plugins/formats/index.ts'

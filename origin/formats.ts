/** The formats of this side. Apart from `plugins.ts`, because merge workers load these and no engine. */
export { formats } from '../plugins/formats/index.ts'

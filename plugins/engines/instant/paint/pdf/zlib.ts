export { adler32, zlib } from '../../../../../shared/pdf/zlib.ts'

/** The operations of renders on signatures, behind one import that they make at its first use. */
export { signatureBytes, signContent, timeStampsOf } from './cms.ts'
export { prepareSignatures } from './request.ts'

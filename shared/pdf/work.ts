/** The operations of hosts on the PDFs of a render, behind one import that they make at its first use. */
export { composePdf, joinPdfs } from './join/compose.ts'
export { pdfLimits } from './model/limits.ts'
export { openPdf } from './read/open.ts'
export { signPdf } from './sign/sign-pdf.ts'
export { Unconformable } from './stage/conform/conform.ts'
export { lossesBetween, unknownLosses } from './stage/losses.ts'
export { createEncryption } from './stage/security/encryption.ts'
export { applyPdfStage } from './stage/stage.ts'

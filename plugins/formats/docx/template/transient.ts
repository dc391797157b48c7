/**
 * Whether an attribute serves only the revision history of Word. A copy of its element is written without it, or two
 * elements would share an identity. Source: ECMA-376-1, 17.3.1.22 (revision save ids); [MS-DOCX] 2.6.2.3 and 2.6.2.4.
 */
export const isTransient = (attribute: string): boolean =>
  attribute === 'w14:paraId' || attribute === 'w14:textId' || attribute.startsWith('w:rsid')

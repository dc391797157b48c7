const invoiceFile = /^(?:factur-x|zugferd-invoice|xrechnung)\.xml$/i

/** Whether a file of this name makes the PDF an electronic invoice, which is a PDF/A-3. */
export const isInvoiceFile = (name: string): boolean => invoiceFile.test(name)

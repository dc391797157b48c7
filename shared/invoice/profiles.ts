/** The profiles of electronic invoices, by the identifier of the specification (BT-24) in their documents. */

export interface Profile {
  /** The value of fx:ConformanceLevel in the metadata of a PDF. */
  readonly name: ProfileName
  /** The part of EN 16931 that a profile includes: 0 MINIMUM, 1 BASIC WL, 2 BASIC, 3 EN 16931, 4 EXTENDED. */
  readonly level: 0 | 1 | 2 | 3 | 4
  /** The value of fx:Version. */
  readonly version: string
  /** The identifier for new documents. */
  readonly identifier: string
}

export const profileNames = ['MINIMUM', 'BASIC WL', 'BASIC', 'EN 16931', 'EXTENDED', 'XRECHNUNG'] as const
export type ProfileName = (typeof profileNames)[number]

const profiles: readonly (readonly [pattern: RegExp, profile: Profile])[] = [
  [
    /(?:factur-x\.eu:1p0|zugferd\.de:2p0):minimum$/i,
    { name: 'MINIMUM', level: 0, version: '1.0', identifier: 'urn:factur-x.eu:1p0:minimum' },
  ],
  [
    /(?:factur-x\.eu:1p0|zugferd\.de:2p0):basicwl$/i,
    { name: 'BASIC WL', level: 1, version: '1.0', identifier: 'urn:factur-x.eu:1p0:basicwl' },
  ],
  [
    /(?:factur-x\.eu:1p0|zugferd\.de:2p0):basic$/i,
    {
      name: 'BASIC',
      level: 2,
      version: '1.0',
      identifier: 'urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basic',
    },
  ],
  [
    /(?:factur-x\.eu:1p0|zugferd\.de:2p0):extended$/i,
    {
      name: 'EXTENDED',
      level: 4,
      version: '1.0',
      identifier: 'urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended',
    },
  ],
  [
    /xrechnung_\d/i,
    {
      name: 'XRECHNUNG',
      level: 3,
      version: '3.0',
      identifier: 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0',
    },
  ],
  [
    /^urn:cen\.eu:en16931/i,
    { name: 'EN 16931', level: 3, version: '1.0', identifier: 'urn:cen.eu:en16931:2017' },
  ],
]

/** The profile of a document with this identifier; undefined for an unknown one. */
export function profileOf(identifier: string): Profile | undefined {
  const text = identifier.trim().slice(0, 300)
  const profile = profiles.find(([pattern]) => pattern.test(text))?.[1]
  const version = /xrechnung_(\d+\.\d+)/i.exec(text)?.[1]
  return profile === undefined || version === undefined ? profile : { ...profile, version }
}

export const profileNamed = (name: ProfileName): Profile => {
  const profile = profiles.find(([, profile]) => profile.name === name)?.[1]
  if (profile === undefined) throw new TypeError(`no profile ${name}`)
  return profile
}

const invoiceFile = /^(?:factur-x|zugferd-invoice|xrechnung)\.xml$/i

/** Whether a file with this name makes the PDF an electronic invoice, which must be PDF/A-3. */
export const isInvoiceFile = (name: string): boolean => invoiceFile.test(name)

/** The name of the invoice in a PDF. Factur-X 1.0, 6.2; ZUGFeRD 2.1, for XRechnung. */
export const fileNameOf = (profile: ProfileName): string =>
  profile === 'XRECHNUNG' ? 'xrechnung.xml' : 'factur-x.xml'

/**
 * The first one is written; readers accept the others. In MINIMUM and BASIC WL, the XML is not the complete invoice.
 * Factur-X 1.0, 6.2.2.
 */
export const relationshipsOf = ({ level }: Profile): readonly ('Alternative' | 'Data' | 'Source')[] =>
  level < 2 ? ['Data'] : ['Alternative', 'Data', 'Source']

import { Type } from 'typebox'

/**
 * The fields of a render body (specification 4.2). `data` and `complement` are missing from `renderFields`,
 * which are checked, because they remain unparsed JSON.
 */

const anyObject = (rule: string, description: string) =>
  Type.Record(Type.String(), Type.Unknown(), { 'x-rule': rule, description })
const text = (description: string) =>
  Type.String({ maxLength: 100_000, 'x-rule': 'must be a string of at most 100000 characters', description })
const shortText = (description: string) =>
  Type.String({ maxLength: 200, 'x-rule': 'must be a string of at most 200 characters', description })

const points = (description: string) => Type.Number({ minimum: 0, maximum: 14_400, description })
/** One signature of a PDF (specification 4.14). */
const signature = Type.Object(
  {
    key: Type.Optional(
      Type.String({
        maxLength: 100_000,
        description: 'PEM with key and certificates, or PKCS#12 as base64. Default: the key of the operator.',
      }),
    ),
    password: Type.Optional(Type.String({ maxLength: 1000, description: 'Of the PKCS#12.' })),
    reason: Type.Optional(shortText('Why it was signed.')),
    location: Type.Optional(shortText('Where it was signed.')),
    contact: Type.Optional(shortText('How to reach the signer.')),
    text: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: 'What a visible signature shows. Default: name, time, reason, location.',
      }),
    ),
    visible: Type.Optional(
      Type.Boolean({ description: 'Default: whether a tag with :sign, or page, x or y, names a place.' }),
    ),
    page: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Of a visible signature. Default: 1.' }),
    ),
    x: Type.Optional(points('Left edge, in points from the left of the page.')),
    y: Type.Optional(points('Upper edge, in points from the top of the page.')),
    width: Type.Optional(points('In points. Default: 180.')),
    height: Type.Optional(points('In points. Default: 48.')),
    timestamp: Type.Optional(
      Type.Union([Type.Boolean(), Type.String({ maxLength: 2000 })], {
        description: 'A time stamp of the server of the operator (true), or of this address (RFC 3161).',
      }),
    ),
  },
  { additionalProperties: false },
)

/** What an electronic invoice must be (specification of the profiles: Factur-X 1.0, XRechnung 3.0). */
const invoice = Type.Object(
  {
    template: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000_000,
        description:
          'The XML template that is filled with the same data and attached to the PDF: the ID of a stored one, or its text.',
      }),
    ),
    profile: Type.Optional(
      Type.Enum(['MINIMUM', 'BASIC WL', 'BASIC', 'EN 16931', 'EXTENDED', 'XRECHNUNG'], {
        description: 'The profile that the XML must declare. Default: any.',
      }),
    ),
    check: Type.Optional(
      Type.Enum(['errors', 'warnings'], {
        description: 'Whether a broken rule fails the render or is a warning. Default: errors.',
      }),
    ),
  },
  { additionalProperties: false },
)

const failOnValues = ['IMAGE_URL_ERROR'] as const

export const renderFields = {
  convertTo: Type.Union(
    [
      Type.String({ minLength: 1, maxLength: 50 }),
      Type.Object({
        formatName: Type.String({ minLength: 1, maxLength: 50 }),
        formatOptions: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      }),
    ],
    {
      'x-rule': 'must be a format name or an object { formatName, formatOptions }',
      description: 'Output format. Default: that of the template.',
    },
  ),
  converter: Type.String({
    pattern: '^([A-Z]|auto)$',
    'x-rule': 'must be the letter of an engine, such as "L", or "auto"',
    description:
      'Engine: L (default), O, C, I; auto: I where the document is within its limits, else the default. Only used with convertTo.',
  }),
  extension: Type.String({
    minLength: 1,
    maxLength: 20,
    'x-rule': 'must be the extension of a type of template, such as "md"',
    description:
      'What the template is, where its content leaves that open: md, csv, json, txt, xml. Default: what it looks like.',
  }),
  timezone: shortText('tz database identifier.'),
  lang: shortText('Locale of the document.'),
  variableStr: text('Predefined alias definitions.'),
  reportName: Type.String({
    maxLength: 10_000,
    'x-rule': 'must be a string of at most 10000 characters',
    description: 'File name without extension; tags accepted.',
  }),
  enum: anyObject('must be an object', 'Enumerations for convEnum.'),
  translations: Type.Record(Type.String(), Type.Record(Type.String(), Type.String()), {
    'x-rule': 'must be an object of locale to an object of texts',
    description: 'Localization dictionary.',
  }),
  currencySource: shortText('Currency of the amounts in the data.'),
  currencyTarget: shortText('Currency of the document.'),
  currencyRates: Type.Record(Type.String(), Type.Number(), {
    'x-rule': 'must be an object of currency code to number',
    description: 'Exchange rates.',
  }),
  hardRefresh: Type.Boolean({
    'x-rule': 'must be a boolean',
    description: 'Recompute pagination and tables of contents. Requires convertTo.',
  }),
  failOn: Type.Array(Type.Enum([...failOnValues]), {
    'x-rule': `must be an array of known values: ${failOnValues.join(', ')}`,
    description: 'Conditions that stop the render with an error.',
  }),
  sign: Type.Union([Type.Boolean(), signature, Type.Array(signature, { minItems: 1, maxItems: 5 })], {
    'x-rule': 'must be true, a signature, or an array of 1 to 5 signatures',
    description: 'Signs the PDF (PAdES): true with the key of the operator.',
  }),
  provenance: Type.Union(
    [
      Type.Boolean(),
      Type.Object(
        {
          salt: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 200,
              description: 'Keys the digests of data and complement, which are left out without it.',
            }),
          ),
          attach: Type.Optional(
            Type.Boolean({ description: 'Whether a PDF gets the manifest as an attachment. Default: true.' }),
          ),
        },
        { additionalProperties: false },
      ),
    ],
    {
      'x-rule': 'must be a boolean or an object { salt, attach }',
      description:
        'Makes a manifest of how the document was made: template, options, engines, fonts, digests.',
    },
  ),
  invoice: Type.Union([Type.Boolean(), invoice], {
    'x-rule': 'must be true, or an object { template, profile, check }',
    description:
      'The document must be an electronic invoice (Factur-X, ZUGFeRD, XRechnung), whose XML is checked: true, or with options.',
  }),
  batchSplitBy: Type.String({
    pattern: '^d(\\.[^.\\[\\]]+)?$',
    'x-rule': 'must be "d" or "d.<name of an array>"',
    description: 'One report for each element of this array.',
  }),
  dataUrl: Type.String({
    minLength: 1,
    maxLength: 2000,
    'x-rule': 'must be a URL of at most 2000 characters',
    description:
      'Where the items of a batch are read from, one JSON object on each line, in the place of data. Only with POST /render/{id}/stream or Accept: multipart/mixed.',
  }),
  batchOutput: Type.Enum(['zip', 'pdf'], {
    'x-rule': 'must be "zip" or "pdf"',
    description: 'A file for each report in an archive, or one PDF; that needs convertTo pdf. Default: zip.',
  }),
  batchReportName: text('Name of each file in the archive; tags accepted.'),
  batchOnError: Type.Enum(['fail', 'report'], {
    'x-rule': 'must be "fail" or "report"',
    description:
      'What a failing report does: fail the batch, or stand in errors.json of the archive. Default: fail.',
  }),
  preReleaseFeatureIn: Type.Integer({
    minimum: 0,
    maximum: 999_999_999,
    'x-rule': 'must be an integer between 0 and 999999999',
  }),
  isDebugActive: Type.Boolean({ 'x-rule': 'must be a boolean' }),
}

export const renderBody = Type.Object({
  data: Type.Optional(
    Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Array(Type.Unknown())], {
      description: 'Merged into the template. Left out: the file is only converted.',
    }),
  ),
  complement: Type.Optional(anyObject('must be an object', 'Extra data for {c.} tags.')),
  template: Type.Optional(
    Type.String({ description: 'Inline template as base64; required with /render/template.' }),
  ),
  ...Object.fromEntries(Object.entries(renderFields).map(([name, schema]) => [name, Type.Optional(schema)])),
})

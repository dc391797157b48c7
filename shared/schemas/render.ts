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
        description:
          'The private key with its certificates, as PEM or as base64 of PKCS#12. Default: the key of the operator.',
      }),
    ),
    password: Type.Optional(Type.String({ maxLength: 1000, description: 'Password of a PKCS#12 key.' })),
    reason: Type.Optional(shortText('Why the document was signed.')),
    location: Type.Optional(shortText('Where the document was signed.')),
    contact: Type.Optional(shortText('How to reach the signer.')),
    text: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: 'The text of a visible signature. Default: name, time, reason and location.',
      }),
    ),
    visible: Type.Optional(
      Type.Boolean({
        description:
          'Whether the signature is drawn on a page. Default: true where a tag with :sign, or page, x or y, gives its position.',
      }),
    ),
    page: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description: 'Page of a visible signature, from 1. Default: 1.',
      }),
    ),
    x: Type.Optional(points('Left edge of a visible signature, in points from the left edge of the page.')),
    y: Type.Optional(points('Top edge of a visible signature, in points from the top edge of the page.')),
    width: Type.Optional(points('Width in points. Default: 180.')),
    height: Type.Optional(points('Height in points. Default: 48.')),
    timestamp: Type.Optional(
      Type.Union([Type.Boolean(), Type.String({ maxLength: 2000 })], {
        description:
          'Adds a time stamp (RFC 3161): true to get it from the server of the operator, or the URL of another server.',
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
          'The XML template that is filled with the same data and attached to the PDF: the Template ID of a stored one, or its text.',
      }),
    ),
    profile: Type.Optional(
      Type.Enum(['MINIMUM', 'BASIC WL', 'BASIC', 'EN 16931', 'EXTENDED', 'XRECHNUNG'], {
        description: 'The profile that the XML must declare. Default: any.',
      }),
    ),
    check: Type.Optional(
      Type.Enum(['errors', 'warnings'], {
        description:
          'errors: a violated rule fails the render. warnings: it is reported as a warning. Default: errors.',
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
      description: 'Output format. Default: the format of the template.',
    },
  ),
  converter: Type.String({
    pattern: '^([A-Z]|auto)$',
    'x-rule': 'must be the letter of an engine, such as "L", or "auto"',
    description:
      'Letter of the engine: L (default), O, C or I. auto: I where it can draw the whole document, otherwise the default. Used only with convertTo.',
  }),
  extension: Type.String({
    minLength: 1,
    maxLength: 20,
    'x-rule': 'must be the extension of a type of template, such as "md"',
    description:
      'Format of the template where its content does not show it: md, csv, json, txt or xml. Default: guessed from the content.',
  }),
  timezone: shortText('Time zone of the document, as an identifier of the tz database such as Europe/Paris.'),
  lang: shortText('Locale of the document, such as fr-fr.'),
  variableStr: text('Alias definitions that the tags of the template can use.'),
  reportName: Type.String({
    maxLength: 10_000,
    'x-rule': 'must be a string of at most 10000 characters',
    description: 'File name of the document without its extension. May contain tags.',
  }),
  enum: anyObject('must be an object', 'Enumerations for the formatter :convEnum.'),
  translations: Type.Record(Type.String(), Type.Record(Type.String(), Type.String()), {
    'x-rule': 'must be an object of locale to an object of texts',
    description: 'Translations of the texts in {t()} tags and of :t, by locale.',
  }),
  currencySource: shortText('Currency of the amounts in the data.'),
  currencyTarget: shortText('Currency of the document.'),
  currencyRates: Type.Record(Type.String(), Type.Number(), {
    'x-rule': 'must be an object of currency code to number',
    description: 'Exchange rates by currency code, for :convCurr and :formatC.',
  }),
  hardRefresh: Type.Boolean({
    'x-rule': 'must be a boolean',
    description:
      'Lets the engine open the document and recompute its pagination and tables of contents. Requires convertTo.',
  }),
  failOn: Type.Array(Type.Enum([...failOnValues]), {
    'x-rule': `must be an array of known values: ${failOnValues.join(', ')}`,
    description: 'Conditions that fail the render instead of being reported as warnings.',
  }),
  sign: Type.Union([Type.Boolean(), signature, Type.Array(signature, { minItems: 1, maxItems: 5 })], {
    'x-rule': 'must be true, a signature, or an array of 1 to 5 signatures',
    description:
      'Signs the PDF (PAdES): true to sign with the key of the operator, one signature, or a list of them.',
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
              description:
                'Key of the digests of data and complement. Without it, the manifest omits both digests.',
            }),
          ),
          attach: Type.Optional(
            Type.Boolean({ description: 'Whether the manifest is attached to a PDF. Default: true.' }),
          ),
        },
        { additionalProperties: false },
      ),
    ],
    {
      'x-rule': 'must be a boolean or an object { salt, attach }',
      description:
        'Stores a manifest of how the document was made: template, options, engines, fonts and digests.',
    },
  ),
  invoice: Type.Union([Type.Boolean(), invoice], {
    'x-rule': 'must be true, or an object { template, profile, check }',
    description:
      'The document must be an electronic invoice (Factur-X, ZUGFeRD or XRechnung), and its XML is checked: true, or an object with options.',
  }),
  batchSplitBy: Type.String({
    pattern: '^d(\\.[^.\\[\\]]+)?$',
    'x-rule': 'must be "d" or "d.<name of an array>"',
    description: 'Makes a batch: one report for each item of this array.',
  }),
  dataUrl: Type.String({
    minLength: 1,
    maxLength: 2000,
    'x-rule': 'must be a URL of at most 2000 characters',
    description:
      'URL from which the items of a batch are read instead of from data, one JSON object on each line. Only with POST /render/{id}/stream or Accept: multipart/mixed.',
  }),
  batchOutput: Type.Enum(['zip', 'pdf'], {
    'x-rule': 'must be "zip" or "pdf"',
    description:
      'zip: an archive with a file for each report. pdf: one PDF with all reports, which requires convertTo pdf. Default: zip.',
  }),
  batchReportName: text('Name of each file in the archive. May contain tags.'),
  batchOnError: Type.Enum(['fail', 'report'], {
    'x-rule': 'must be "fail" or "report"',
    description:
      'fail: a report that fails also fails the batch. report: its error is listed in errors.json of the archive. Default: fail.',
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
      description: 'The data that is merged into the template. Without it, the file is only converted.',
    }),
  ),
  complement: Type.Optional(anyObject('must be an object', 'Further data, which {c.} tags read.')),
  template: Type.Optional(
    Type.String({ description: 'The template itself as base64. Required with /render/template.' }),
  ),
  ...Object.fromEntries(Object.entries(renderFields).map(([name, schema]) => [name, Type.Optional(schema)])),
})

import { Type } from 'typebox'

/**
 * The schemas of template metadata (specification 2.1, 4.4, 4.7), which all endpoints share.
 */

const maxTimestamp = 9_007_199_254_740_991
/** The maximum number of characters (code points) of all tags of a template together. */
export const maxTagCharacters = 100

const text = (name: string) =>
  Type.String({ maxLength: 200, 'x-rule': 'must be a string of at most 200 characters', description: name })

const timestamp = (description: string) =>
  Type.Integer({
    minimum: 0,
    maximum: maxTimestamp,
    'x-rule': `must be an integer between 0 and ${maxTimestamp}`,
    description,
  })

export const metadata = {
  id: Type.String({
    pattern: '^([1-9][0-9]{0,18})?$',
    'x-rule':
      'must be a Template ID: a decimal integer between 1 and 9223372036854775807 as a string, not a Version ID',
    description: 'Template ID whose history the version belongs to.',
  }),
  name: text('Name of the template.'),
  comment: text('Comment on the template or version.'),
  category: text('Groups templates like folders.'),
  tags: Type.Array(Type.String(), {
    'x-rule': `must be an array of strings with at most ${maxTagCharacters} characters in total`,
    description: 'Tags of the template. They are returned sorted and without duplicates.',
  }),
  deployedAt: timestamp(
    'Time of the deployment in UTC seconds, not in the future. A value of 42000000000 or more means now, 0 not deployed.',
  ),
  expireAt: timestamp('Time at which the template expires, in UTC seconds. 0: never.'),
}

export const sampleSchema = Type.Array(
  Type.Object(
    {
      data: Type.Optional(
        Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Array(Type.Unknown())]),
      ),
      complement: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      translations: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      enum: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    },
    { additionalProperties: false },
  ),
  { maxItems: 1, description: 'Sample data, with which the template can be tested.' },
)

export const uploadOnly = {
  versioning: Type.Boolean({ 'x-rule': 'must be a boolean' }),
  origin: Type.Integer({
    minimum: 0,
    maximum: 4,
    'x-rule': 'must be an integer between 0 and 4',
    description:
      'Where the template comes from: 0 API, 1 studio, 2 to 4 connectors. Cannot be changed later.',
  }),
  payload: Type.String({
    'x-rule': 'must be a string',
    description: 'Text that is hashed before the file, so that equal files get different templateIds.',
  }),
}

/** An upload as JSON. The multipart form has the same fields as strings, and the file as its last part. */
export const uploadBody = Type.Object({
  template: Type.String({ description: 'The file as base64, with or without the prefix of a data URI.' }),
  versioning: Type.Optional(uploadOnly.versioning),
  id: Type.Optional(metadata.id),
  name: Type.Optional(metadata.name),
  comment: Type.Optional(metadata.comment),
  tags: Type.Optional(metadata.tags),
  category: Type.Optional(metadata.category),
  sample: Type.Optional(sampleSchema),
  deployedAt: Type.Optional(metadata.deployedAt),
  expireAt: Type.Optional(metadata.expireAt),
  origin: Type.Optional(uploadOnly.origin),
  payload: Type.Optional(uploadOnly.payload),
})

export const patchBody = Type.Object(
  {
    id: Type.Optional(metadata.id),
    name: Type.Optional(metadata.name),
    comment: Type.Optional(metadata.comment),
    tags: Type.Optional(metadata.tags),
    category: Type.Optional(metadata.category),
    deployedAt: Type.Optional(metadata.deployedAt),
    expireAt: Type.Optional(metadata.expireAt),
  },
  { additionalProperties: false, minProperties: 1 },
)

export const listQuery = {
  id: Type.String({ 'x-rule': 'must be a string' }),
  versionId: Type.String({ 'x-rule': 'must be a string' }),
  category: Type.String({ maxLength: 200, 'x-rule': 'must be a string of at most 200 characters' }),
  origin: Type.Integer({ minimum: 0, maximum: 4, 'x-rule': 'must be an integer between 0 and 4' }),
  includeVersions: Type.Boolean({ 'x-rule': 'must be a boolean', default: false }),
  search: Type.String({ maxLength: 200, 'x-rule': 'must be a string of at most 200 characters' }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 100, 'x-rule': 'must be an integer' }),
  cursor: Type.String({ 'x-rule': 'must be a string' }),
}

export const templateItem = Type.Object({
  id: Type.Union([Type.String(), Type.Null()]),
  versionId: Type.String(),
  deployedAt: Type.Integer(),
  createdAt: Type.Integer(),
  expireAt: Type.Integer(),
  size: Type.Integer(),
  type: Type.String(),
  name: Type.String(),
  category: Type.String(),
  comment: Type.String(),
  tags: Type.Array(Type.String()),
  origin: Type.Integer(),
})

import { Type } from 'typebox'

/** The cases of a template and the answer of running them (specification 4.17). */

/** What the cases of one version may take. */
export const checkLimits = {
  bytes: 4 * 1024 * 1024, // all cases as JSON
  cases: 50,
  texts: 100, // of each kind in a case
  pictures: 10, // of a case
} as const

/** The share of a page that may differ where a case names none. It is less than a letter of usual size. */
export const defaultMaxChanged = 0.0005
/** Pages are drawn so wide, in pixels, for comparison. */
export const checkedWidth = 420

const maxPage = 10_000
const page = Type.Integer({ minimum: 1, maximum: maxPage })
const text = Type.String({ minLength: 1, maxLength: 1000 })
const texts = (description: string) =>
  Type.Array(
    Type.Union([text, Type.Object({ text, page: Type.Optional(page) }, { additionalProperties: false })]),
    {
      maxItems: checkLimits.texts,
      'x-rule': `must be at most ${checkLimits.texts} texts, or objects { text, page }`,
      description,
    },
  )

export const expectation = {
  contains: texts('Texts that the document contains, anywhere or on a page. White space does not count.'),
  excludes: texts('Texts that the document does not contain.'),
  pages: Type.Union(
    [
      page,
      Type.Object({ min: Type.Optional(page), max: Type.Optional(page) }, { additionalProperties: false }),
    ],
    {
      'x-rule': 'must be a number of pages, or an object { min, max }',
      description: 'Number of pages of the document.',
    },
  ),
  pictures: Type.Array(
    Type.Object(
      {
        page,
        png: Type.Optional(
          Type.String({
            maxLength: 1_000_000,
            description:
              'The expected page: a PNG as base64, as the response of a check contains it. Without it, the case fails and the response contains the picture.',
          }),
        ),
        maxChanged: Type.Optional(
          Type.Number({
            minimum: 0,
            maximum: 1,
            default: defaultMaxChanged,
            description: 'Fraction of the pixels that may differ.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    {
      maxItems: checkLimits.pictures,
      'x-rule': `must be at most ${checkLimits.pictures} objects { page, png, maxChanged }`,
      description: 'Pages that must look the same as a stored picture.',
    },
  ),
  error: Type.String({
    minLength: 1,
    maxLength: 100,
    'x-rule': 'must be the code of an error',
    description: 'The render must fail, and this is the code of its error or of one of its problems.',
  }),
}

export const caseName = Type.String({
  minLength: 1,
  maxLength: 100,
  'x-rule': 'must be a text of 1 to 100 characters',
  description: 'Name of the case, unique in its list.',
})

/** `request` is checked as the body of a render. */
const checkCase = Type.Object({
  name: caseName,
  request: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        'The body of the render, with fields such as data, convertTo and lang, but without a template or a batch.',
    }),
  ),
  expect: Type.Optional(
    Type.Object({
      contains: Type.Optional(expectation.contains),
      excludes: Type.Optional(expectation.excludes),
      pages: Type.Optional(expectation.pages),
      pictures: Type.Optional(expectation.pictures),
      error: Type.Optional(expectation.error),
    }),
  ),
})

export const checkCases = Type.Array(checkCase, { maxItems: checkLimits.cases })

const share = Type.Number({ minimum: 0, maximum: 1 })
const failure = Type.Object({
  kind: Type.Enum(['contains', 'excludes', 'pages', 'picture', 'error']),
  message: Type.String({ description: 'What differs, in a sentence.' }),
  expected: Type.Optional(Type.String()),
  actual: Type.Optional(
    Type.String({ description: 'An excerpt of the document, or the code of the error.' }),
  ),
  page: Type.Optional(Type.Integer()),
})

export const checkReport = Type.Object({
  passed: Type.Boolean(),
  cases: Type.Array(
    Type.Object({
      name: Type.String(),
      passed: Type.Boolean(),
      failures: Type.Array(failure),
      pages: Type.Optional(
        Type.Integer({ description: 'Number of pages of the document, where the case expects one.' }),
      ),
      pictures: Type.Optional(
        Type.Array(
          Type.Object({
            page: Type.Integer(),
            changed: Type.Optional(
              Type.Number({ ...share, description: 'Fraction of the pixels that differ.' }),
            ),
            areas: Type.Array(Type.Object({ left: share, top: share, width: share, height: share }), {
              description:
                'The areas that changed, as fractions of the page. An empty list: the whole page changed.',
            }),
            png: Type.Optional(
              Type.String({
                description: 'The page as it looks now, as a PNG in base64, where the request asks for it.',
              }),
            ),
          }),
        ),
      ),
    }),
  ),
})

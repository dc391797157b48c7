import { AppError } from '../errors/app-error.ts'
import type { ErrorCode } from '../errors/catalogue.ts'
import { errorBody } from '../errors/problem.ts'

/**
 * Example JSON responses for the OpenAPI document, by operation, status and name. Tests validate each of them
 * against the schema of its route.
 */

const version = {
  id: '911943881891573760',
  versionId: 'f74be7445de1bb10beaa4d11cb2783bdfd483a705e9653924a1caf87a828e910',
  type: 'docx',
  size: 18_211,
  createdAt: 1_795_261_164,
  deployedAt: 1_795_261_164,
}
const metadata = { name: 'Letter', category: 'Sales', comment: 'With logo', tags: ['letter', 'sales'] }
const sample = { data: { name: 'Name', lines: [{ price: 12.5 }, { price: 7 }] } }
const job = { jobId: 'AQAAzphluKiN4KgwzIb6mFlehPvP', createdAt: 1_795_261_164 }
const webhookCall = { delivered: true, status: '204', calledAt: 1_795_261_170 }
const renderId = 'AQAAnU2t1LkyVj7DkElOTldjL8Sp.pdf'
const works = { success: true, code: 200, message: 'OK', version: '0.1.0' }
const stopping = { success: false, code: 503, message: 'Stopping', version: '0.1.0' }

const checkCase = {
  name: 'paid in full',
  request: { data: { total: 0 }, convertTo: 'pdf' },
  expect: { contains: ['Nothing is due'], pages: 1 },
}
const checked = {
  passed: {
    success: true,
    data: { passed: true, cases: [{ name: checkCase.name, passed: true, failures: [] }] },
  },
  failed: {
    success: true,
    data: {
      passed: false,
      cases: [
        {
          name: checkCase.name,
          passed: false,
          failures: [{ kind: 'pages', message: 'The document has 2 pages.', expected: '1', actual: '2' }],
          pages: 2,
        },
      ],
    },
  },
}

export const examples: Readonly<Record<string, Readonly<Record<number, Readonly<Record<string, unknown>>>>>> =
  {
    render: {
      200: {
        stored: { success: true, data: { renderId } },
        asynchronous: {
          success: true,
          message: 'A render ID will be sent to your callback URL when the document is generated',
          data: { renderId: '' },
        },
        debugged: {
          success: true,
          data: { renderId, debug: { markers: ['{d.name}', '{d.lines[i].price}'], sample } },
        },
      },
      202: {
        accepted: {
          success: true,
          message: 'GET /jobs with the id in the header service-job-id says when the document is generated',
          data: { renderId: '' },
        },
      },
    },
    job: {
      200: {
        running: { success: true, data: { ...job, state: 'converting' } },
        done: { success: true, data: { ...job, state: 'done', endedAt: 1_795_261_170, renderId } },
      },
    },
    getChecks: {
      200: { cases: { success: true, data: { versionId: version.versionId, cases: [checkCase] } } },
    },
    putChecks: { 200: { stored: { success: true, data: { versionId: version.versionId, cases: 1 } } } },
    checkTemplate: { 200: checked },
    checkInlineTemplate: { 200: checked },
    cancelJob: {
      200: {
        cancelled: {
          success: true,
          data: {
            ...job,
            state: 'failed',
            endedAt: 1_795_261_166,
            error: 'The render was cancelled',
          },
        },
      },
    },
    listJobs: {
      200: {
        page: {
          success: true,
          data: [{ ...job, state: 'done', endedAt: 1_795_261_170, renderId, webhook: webhookCall }],
          hasMore: false,
          nextCursor: '',
        },
      },
    },
    repeatWebhook: {
      200: {
        delivered: {
          success: true,
          data: { ...job, state: 'done', endedAt: 1_795_261_170, renderId, webhook: webhookCall },
        },
      },
    },
    uploadTemplate: {
      200: {
        version: { success: true, data: version },
        byHash: { success: true, data: { templateId: version.versionId, templateExtension: 'docx' } },
      },
    },
    lintTemplate: {
      200: {
        problems: {
          success: true,
          data: {
            errors: [
              {
                code: 'template.formatter.unknown',
                message: 'Formatter "upercase" does not exist. Do you mean "upperCase"?',
                place: {
                  part: 'word/document.xml',
                  tag: '{d.name:upercase}',
                  snippet: 'Dear {d.name:upercase}',
                },
              },
            ],
            warnings: [
              {
                code: 'template.data.missing',
                message: 'd.city is not in the data: its tags print nothing.',
                where: 'd.city',
              },
            ],
          },
        },
      },
    },
    templateSchema: {
      200: {
        schema: {
          success: true,
          data: {
            schema: {
              $schema: 'https://json-schema.org/draft/2020-12/schema',
              type: 'object',
              properties: { name: { type: 'string' } },
            },
            sample: { data: { name: 'Name' } },
          },
        },
      },
    },
    diffTemplate: {
      200: {
        changed: {
          success: true,
          data: {
            from: {
              versionId: '0'.repeat(63).concat('1'),
              createdAt: 1_795_000_000,
              deployedAt: 1_795_000_000,
              type: 'docx',
            },
            to: {
              versionId: version.versionId,
              createdAt: version.createdAt,
              deployedAt: version.deployedAt,
              type: 'docx',
            },
            same: false,
            tags: {
              added: ['{d.sender}'],
              removed: [],
              changed: [{ from: '{d.name}', to: '{d.name:upperCase}' }],
            },
            text: [
              { kind: 'same', text: 'Dear ' },
              { kind: 'removed', text: '{d.name}' },
              { kind: 'added', text: '{d.name:upperCase}' },
            ],
            textCut: false,
            pages: {
              from: 1,
              to: 1,
              compared: 50,
              changed: [{ page: 1, areas: [{ left: 0.1, top: 0.2, width: 0.3, height: 0.02 }] }],
            },
          },
        },
      },
    },
    deleteTemplate: { 200: { deleted: { success: true, message: 'Template deleted' } } },
    patchTemplate: {
      200: {
        changed: { success: true, data: { versionId: version.versionId, name: 'Letter', expireAt: 0 } },
      },
    },
    listTemplates: {
      200: {
        page: {
          success: true,
          data: [{ ...version, ...metadata, expireAt: 0, origin: 0 }],
          hasMore: false,
          nextCursor: '',
        },
      },
    },
    listCategories: { 200: { categories: { success: true, data: [{ name: 'Legal' }, { name: 'Sales' }] } } },
    listTags: { 200: { tags: { success: true, data: [{ name: 'letter' }, { name: 'sales' }] } } },
    revokeToken: { 200: { revoked: { success: true, message: 'Token revoked' } } },
    status: { 200: { works }, 503: { stopping } },
    root: { 200: { works }, 503: { stopping } },
    listConversions: {
      200: {
        pairs: {
          success: true,
          data: [
            {
              from: 'docx',
              to: 'pdf',
              converters: ['L', 'I', 'O'],
              engines: ['LibreOffice', 'Instant layout engine'],
              fidelity: 'high',
              options: ['EncryptFile', 'Watermarks'],
            },
          ],
        },
      },
    },
    openapi: {
      200: { document: { openapi: '3.1.0', info: { title: 'platen', version: '0.1.0' }, paths: {} } },
    },
  }

/** Example values for the placeholders of error messages. */
const details: Readonly<Record<string, string | number>> = {
  limit: 20_971_520,
  seconds: 300,
  because: 'the server cannot be reached',
  line: 2,
  issue: '"name" must be a string of at most 200 characters',
  field: 'origin',
  others: '"data", "complement", "template"',
  cause: 'LibreOffice cannot convert txt to mp3',
  place: 'Expected "}" at character 17',
  encoding: 'br',
  allowed: 'GET, HEAD, OPTIONS',
  deployedAt: 1_795_261_164,
  index: 3,
  page: 7,
  from: 'odg',
  to: 'svg',
  ms: 60_000,
  needed: 3,
  remaining: 2,
  engine: 'LibreOffice',
  waited: 58,
  left: 2,
  name: 'paid in full',
  more: ', and 2 more',
  why: 'The text differs on page 1.',
}

/** The body of an error response, as `Api.refuse` sends it. */
export function errorExample(code: ErrorCode): object {
  return errorBody(new AppError(code as 'api.metadata', details as { issue: string }))
}

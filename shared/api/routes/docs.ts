import { AppError } from '../../errors/app-error.ts'
import { isDocId } from '../../ports/docs.ts'
import type { Services } from '../../services/services.ts'
import { type Call, nothing, type Reply } from '../call.ts'
import { matchesEtag } from '../etag.ts'
import type { Route } from '../route.ts'

const answers: Route['answers'] = [
  {
    status: 200,
    description: 'The page of the documentation.',
    types: ['text/html'],
    headers: {
      etag: 'Entity tag of the page.',
      'cache-control': 'no-cache.',
      'content-security-policy': 'Allows the style and the script of the page by their hashes.',
      'referrer-policy': 'no-referrer.',
    },
  },
  { status: 304, description: 'The page has not changed.' },
]

export const docsIndex: Route = {
  method: 'GET',
  path: '/docs',
  operation: 'docs',
  summary: 'The documentation, unless the operator has turned it off.',
  scope: 'open',
  answers,
  errors: ['api.not-found'],
  run: (services, _input, call) => pageReply(services, 'index', call),
}

export const docsPage: Route = {
  method: 'GET',
  path: '/docs/:page',
  operation: 'docsPage',
  summary: 'A page of the documentation.',
  described: false,
  scope: 'open',
  answers,
  errors: ['api.not-found'],
  run: (services, { params }, call) => pageReply(services, params['page'] ?? '', call),
}

async function pageReply({ docs }: Services, id: string, call: Call): Promise<Reply> {
  const page = docs !== undefined && isDocId(id) ? await docs.page(id) : undefined
  if (page === undefined) throw new AppError('api.not-found')
  const headers = {
    etag: page.etag,
    'cache-control': 'no-cache',
    'content-security-policy': page.policy,
    'referrer-policy': 'no-referrer',
  }
  if (matchesEtag(call, page.etag)) return { status: 304, headers, body: nothing }
  return {
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
    body: { kind: 'text', text: page.html },
  }
}

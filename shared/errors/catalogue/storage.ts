import type { CatalogueEntry } from '../entry.ts'

/** The response to the caller when a store fails, whatever the cause is. */
const failed = {
  status: 503,
  blame: 'us',
  message:
    'The storage of the service failed. Send the request again in a few seconds. If it keeps failing, the operator finds the cause in the log.',
  wire: 'w215',
} as const

/** Records, blobs and queues. The cause is logged and never part of the response. */
export const storageErrors = {
  'storage.records': failed,
  'storage.conflict': {
    status: 503,
    blame: 'us',
    message: 'Another request wrote the same record at the same time. Send the request again.',
    wire: 'w215',
  },
  'storage.blobs': failed,
  'storage.queue': failed,
  'storage.unavailable': {
    status: 503,
    blame: 'us',
    message: 'The service cannot reach its storage at the moment. Send the request again in a few seconds.',
    wire: 'w210',
  },
  'storage.unanswered': {
    status: 503,
    blame: 'us',
    message:
      'The service lost its storage while writing, so it is unknown whether this call took effect. Check before you send it again, or use an Idempotency-Key, so that it takes effect only once.',
    wire: 'w217',
  },
  'storage.damaged': {
    status: 500,
    blame: 'us',
    message: 'A stored file is damaged: its content is not what was stored. Upload or render it again.',
    wire: 'w211',
  },
  'storage.url': {
    status: 500,
    blame: 'us',
    message: '{option} is not an address that this service supports.',
    hint: 'Write it like {example}.',
  },
  'storage.names': {
    status: 500,
    blame: 'us',
    message: '{option} cannot be used as it is.',
    hint: 'Set {example}.',
  },
} as const satisfies Record<string, CatalogueEntry>

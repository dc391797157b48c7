import type { CatalogueEntry } from '../entry.ts'

/** The selection and the execution of engines. */
export const convertErrors = {
  'convert.pair': {
    status: 500,
    blame: 'caller',
    message: '{engine} cannot convert {from} to {to}.',
    hint: 'GET /conversions lists the pairs this service can convert.',
  },
  'convert.engine-pair': {
    status: 500,
    blame: 'caller',
    message: 'Engine {engine} cannot convert {from} to {to}, but {others} can.',
    hint: 'Name one of these in `converter`, or leave `converter` out.',
  },
  'convert.unknown-format': {
    status: 500,
    blame: 'caller',
    message: 'The output format {to} is not known.',
    hint: 'GET /conversions lists the pairs this service can convert.',
  },
  'convert.beyond': {
    status: 500,
    blame: 'engine',
    message: '{engine} cannot draw all of this document: {what}.',
    hint: 'Leave out `converter`, or choose an engine that can.',
  },
  'convert.unwritten': {
    status: 500,
    blame: 'caller',
    message: 'This service cannot convert {from} to {to}: {because}.',
    hint: 'GET /conversions lists the pairs this service can convert.',
  },
  'convert.engine-off': {
    status: 500,
    blame: 'engine',
    message: 'Engine {engine} is not available here: {because}',
  },
  'convert.not-isolated': {
    status: 500,
    blame: 'engine',
    message:
      'A program that this conversion needs was not started, because it could not be isolated: {because}.',
    hint: 'Run `platen doctor` on that machine. Isolation needs Linux 5.13 or later with Landlock and seccomp, and perl. With SERVICE_ISOLATION=best, programs start with the isolation that the system offers, but never as root.',
  },
  'convert.closed-folder': {
    status: 500,
    blame: 'engine',
    message:
      'A program that this conversion needs was not started, because other users cannot enter the folder for temporary files.',
    hint: 'When root starts the service, it runs programs as other users. Set TMPDIR to a folder that those users can enter, such as /tmp, or run `chmod o+x` on the folder and on each one above it. Alternatively, start the service as a user other than root.',
  },
  'convert.origin-needed': {
    status: 500,
    blame: 'caller',
    message: 'Converting {from} to {to} needs an origin server, and none is configured for this edge.',
    hint: 'Set SERVICE_ORIGIN_URL, or choose an output that the edge can produce by itself.',
  },
  'convert.options': {
    status: 500,
    blame: 'caller',
    message: 'Invalid option {option}: {rule}.',
  },
  'convert.timeout': {
    status: 500,
    blame: 'document',
    message: 'Timeout while {doing}.',
    hint: 'Make the document smaller, or render it asynchronously with a webhook.',
  },
  'convert.busy': {
    status: 429,
    blame: 'us',
    message: 'Too many documents are waiting for {engine}.',
    hint: 'Send the request again in a few seconds.',
  },
  'convert.waited': {
    status: 503,
    blame: 'us',
    message:
      'Timeout: this document waited {waited} s for {engine}, and the remaining {left} s were not enough.',
    hint: 'Send the request again in a few seconds, or render asynchronously with a webhook.',
  },
  'convert.memory': {
    status: 500,
    blame: 'document',
    message: '{engine} needed more than {limit} MB of memory for this document.',
    hint: 'Make the document smaller, especially its pictures and tables.',
  },
  'convert.disk': {
    status: 500,
    blame: 'us',
    message: '{engine} has no disk space left for its temporary files.',
    hint: 'Free disk space in the data folder of the service.',
  },
  'convert.crashed': { status: 500, blame: 'engine', message: '{engine} crashed during the conversion.' },
  'convert.document': {
    status: 500,
    blame: 'document',
    message: '{engine} cannot read this {from} file: {because}.',
    hint: 'Open the file in the program that made it and save it again.',
  },
  'convert.password': {
    status: 500,
    blame: 'document',
    message: 'This {from} file is protected with a password.',
    hint: 'Send it without a password.',
  },
  'convert.failed': {
    status: 500,
    blame: 'engine',
    message: '{engine} could not convert {from} to {to}: {because}.',
  },
} as const satisfies Record<string, CatalogueEntry>

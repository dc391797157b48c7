import type { CatalogueEntry } from '../entry.ts'

/**
 * The HTTP contract: requests, authentication, IDs. The messages are those of the specification, section 7.
 */
export const apiErrors = {
  'api.content-type': {
    status: 400,
    blame: 'caller',
    message: '"Content-Type" header is not "application/json"',
  },
  'api.content-type.upload': {
    status: 400,
    blame: 'caller',
    message:
      'Content-Type header should be multipart/form-data (preferred) or application/json (base64 mode)',
  },
  'api.id.invalid': {
    status: 400,
    blame: 'caller',
    message: 'Invalid or undefined TemplateId or RenderId in the URL',
    wire: 'w115',
  },
  'api.json.invalid': { status: 400, blame: 'caller', message: 'Invalid JSON body' },
  'api.json.invalid.at': { status: 400, blame: 'caller', message: 'Invalid JSON body. {place}' },
  'api.json.too-deep': {
    status: 400,
    blame: 'caller',
    message: 'Invalid JSON body. Objects and lists may be nested at most {limit} levels deep.',
  },
  'api.json.members': {
    status: 400,
    blame: 'caller',
    message: 'Invalid JSON body. It has more than {limit} members at its outermost level.',
    hint: 'What the template reads belongs in "data".',
  },
  'api.body.invalid': { status: 400, blame: 'caller', message: 'Invalid request body. Error: {issue}' },
  'api.body.cut': { status: 400, blame: 'caller', message: 'The request body ended too early.' },
  'api.body.slow': { status: 408, blame: 'caller', message: 'The request body did not arrive in time.' },
  'api.encoding': {
    status: 415,
    blame: 'caller',
    message: 'Content-Encoding "{encoding}" is not supported. It must be gzip, deflate or none.',
  },
  'api.encoding.broken': {
    status: 400,
    blame: 'caller',
    message: 'The request body is not valid {encoding} data, although its Content-Encoding header says so.',
  },
  'api.request.invalid': { status: 400, blame: 'caller', message: 'Invalid HTTP request.' },
  'api.headers.too-large': { status: 431, blame: 'caller', message: 'Request headers too large.' },
  'api.header.invalid': { status: 400, blame: 'caller', message: 'Invalid header. Error: {issue}' },
  'api.not-found': { status: 404, blame: 'caller', message: 'Not found' },
  'api.method': {
    status: 405,
    blame: 'caller',
    message: 'Method not allowed. This address accepts {allowed}',
  },
  'api.unauthorized': {
    status: 401,
    blame: 'caller',
    message:
      'Unauthorized, please provide a correct API key on the "Authorization" header. Ask the operator of this service for a key.',
  },
  'api.unauthorized.expired': {
    status: 401,
    blame: 'caller',
    message: 'Unauthorized Access: The API key or access token has expired.',
  },
  'api.test-token': {
    status: 403,
    blame: 'caller',
    message:
      'A test token makes only PDF documents, with a watermark. Set "convertTo" to "pdf", or use a production token.',
    wire: 'w117',
  },
  'api.credits': {
    status: 402,
    blame: 'caller',
    message: 'Not enough credits: this call needs {needed}, and {remaining} of {limit} are left this month.',
    wire: 'w201',
  },
  'api.too-many': { status: 429, blame: 'caller', message: 'Too Many Requests' },
  'api.stopping': { status: 503, blame: 'us', message: 'The service is stopping, please try again.' },
  'api.stateless': {
    status: 501,
    blame: 'caller',
    message:
      'The service is running in stateless mode (no database), this endpoint is not available in this mode',
    wire: 'w130',
  },
  'api.aborted': { status: 499, blame: 'caller', message: 'The client closed the connection.' },
  'api.internal': { status: 500, blame: 'us', message: 'Server Error.' },

  'api.json.too-large': {
    status: 413,
    blame: 'caller',
    message: 'Content too large, the JSON size limit is {limit} Bytes',
  },
  'api.field.too-large': {
    status: 413,
    blame: 'caller',
    message:
      'Content too large, the JSON size limit is {limit} Bytes for all fields but {others} together, and "{field}" exceeds it.',
  },
  'api.field.memory': {
    status: 413,
    blame: 'caller',
    message: 'Content too large, "{field}" takes more than {limit} Bytes of memory once it is parsed.',
    hint: 'Send fewer values in one render, or leave out those that the template does not read.',
  },
  'api.fields.too-large': {
    status: 400,
    blame: 'caller',
    message: 'Content too large, the JSON size limit is {limit} Bytes',
  },
  'api.form-field.too-large': {
    status: 400,
    blame: 'caller',
    message: 'Content too large, the JSON size limit is {limit} Bytes for the field "{field}"',
  },
  'api.template.too-large': {
    status: 413,
    blame: 'caller',
    message: 'Template too large, the file size limit is {limit} Bytes',
  },
  'api.upload.too-large': {
    status: 413,
    blame: 'caller',
    message:
      'Template or sample data is too large. The combined size of both exceeds the limit: {limit} Bytes',
  },
  'api.upload.form': { status: 400, blame: 'caller', message: 'Try uploading your file using form data' },
  'api.upload.form.too-large': {
    status: 400,
    blame: 'caller',
    message: 'Try uploading your file using form data. The file size limit is {limit} Bytes',
  },
  'api.upload.order': {
    status: 400,
    blame: 'caller',
    message: "The 'id' field must be sent before the 'template' file field in the form data.",
    wire: 'w131',
  },
  'api.upload.sample': {
    status: 400,
    blame: 'caller',
    message: 'Cannot store JSON sample with template file',
  },
  'api.upload.failed': { status: 400, blame: 'caller', message: 'Cannot store template' },
  'api.upload.empty': { status: 422, blame: 'caller', message: '"template" field is empty' },
  'api.template.format': {
    status: 415,
    blame: 'caller',
    message:
      'Template format not supported, it must be an XML-based or Text-based document: DOCX, XLSX, PPTX, ODT, ODS, ODP, ODG, XHTML, IDML, HTML, TXT, MD, CSV, XML, SVG, etc...',
    wire: 'w118',
  },
  'api.template.encrypted': {
    status: 415,
    blame: 'caller',
    // The beginning is that of 'api.template.format', which clients compare.
    message:
      'Template format not supported, it must be an XML-based or Text-based document: DOCX, XLSX, PPTX, ODT, ODS, ODP, ODG, XHTML, IDML, HTML, TXT, MD, CSV, XML, SVG, etc... This file is protected with a password.',
    hint: 'Send it without a password.',
    wire: 'w118',
  },
  'api.template.not-found': { status: 404, blame: 'caller', message: 'Template not found' },
  // Status and message are those of the established API, whose clients look for them, so there is no hint.
  'api.template.unreadable': {
    status: 400,
    blame: 'us',
    message: 'Cannot retrieve template',
    wire: 'w216',
  },
  'api.sample.not-found': { status: 404, blame: 'caller', message: 'File not found', wire: 'w104' },

  'api.metadata': {
    status: 400,
    blame: 'caller',
    message: 'Invalid template metadata. Error: {issue}',
  },
  'api.metadata.not-allowed': {
    status: 400,
    blame: 'caller',
    message: 'Invalid template metadata. Error: "{field}" is not allowed.',
  },
  'api.metadata.empty': {
    status: 400,
    blame: 'caller',
    message: 'Invalid template metadata. Error: No valid attribute provided.',
  },
  'api.metadata.deployed': {
    status: 400,
    blame: 'caller',
    message:
      'Invalid template metadata. Error: New "deployedAt" cannot be earlier than the previous value ({deployedAt}) for the deployed template. Tip: use a value >= 42000000000 to deploy the template now.',
  },
  'api.metadata.conflict': {
    status: 400,
    blame: 'caller',
    message:
      'Invalid template metadata. Error: "deployedAt" ({deployedAt}) is in conflict with the version already deployed under this "id". Tip: use a value >= 42000000000 to deploy the template now.',
  },
  'api.checks.invalid': { status: 400, blame: 'caller', message: 'Invalid checks. Error: {issue}' },
  'api.checks.name': { status: 404, blame: 'caller', message: 'The template has no case with that name' },
  'api.checks.failed': {
    status: 409,
    blame: 'caller',
    message: 'This version cannot be deployed: its case "{name}" fails{more}. {why}',
    hint: 'POST /template/check, with the template and its cases, lists all that differs. Change the template or its cases, then deploy again.',
  },
  'api.filters': { status: 400, blame: 'caller', message: 'Invalid search filters. Error: {issue}' },

  'api.query': { status: 400, blame: 'caller', message: 'Invalid query. Error: {issue}' },
  'api.preview.page': { status: 404, blame: 'caller', message: 'The template has no page {page}' },
  'api.preview.format': {
    status: 415,
    blame: 'caller',
    message: 'This service cannot draw the pages of a template of the type "{from}" as {to}',
  },

  'api.render.no-data': { status: 422, blame: 'caller', message: 'Missing "data" property in body' },
  'api.render.failed': {
    status: 500,
    blame: 'us',
    message: 'Unable to generate the document. {cause}',
    wire: 'w101',
  },
  'api.render.error': { status: 500, blame: 'us', message: 'Error while rendering template' },
  'api.render.timeout': { status: 500, blame: 'engine', message: 'Timeout after {ms} ms.' },
  'api.render.memory': {
    status: 500,
    blame: 'document',
    message: 'The template and its data need more memory than one render may use.',
  },
  'api.render.too-complex': {
    status: 500,
    blame: 'engine',
    message: 'The document is nested too deeply to be processed, or one of its parts is too long.',
    hint: 'Split its longest texts, lists and drawings.',
  },
  'api.render.batch-off': {
    status: 500,
    blame: 'caller',
    message: 'Batch processing deactivated. nbReportMaxPerBatch = 0',
  },
  'api.batch.many': { status: 500, blame: 'caller', message: 'Cannot process more than {limit} documents' },
  'api.batch.waiting': {
    status: 500,
    blame: 'caller',
    message:
      'A batch of more than {limit} documents must be asynchronous, with the header "service-webhook-url"',
  },
  'api.batch.empty': {
    status: 400,
    blame: 'caller',
    message: 'The batch has no items: send one JSON object on each line after the first',
  },
  'api.batch.line': {
    status: 413,
    blame: 'caller',
    message: 'Line {line} is larger than {limit} bytes. A batch has one JSON object on each line',
  },
  'api.batch.stalled': {
    status: 408,
    blame: 'caller',
    message: 'The next line of the batch did not arrive within {seconds} seconds',
  },
  'api.batch.timeout': {
    status: 500,
    blame: 'engine',
    message: 'The report was not finished within {ms} ms',
  },
  'api.batch.large': {
    status: 413,
    blame: 'caller',
    message:
      'The body of the batch is too large for the memory of this host. Send it as application/x-ndjson: the fields of the render on the first line, one item on each further line',
  },
  'api.stream.pdf': {
    status: 400,
    blame: 'caller',
    message: 'A stream of reports cannot be one PDF. Leave out "batchOutput", or set it to "zip"',
  },
  'api.stream.url': {
    status: 400,
    blame: 'caller',
    message:
      '"dataUrl" requires a streamed response: use POST /render/:id/stream, or send Accept: multipart/mixed',
  },
  'api.batch.url': {
    status: 400,
    blame: 'caller',
    message: 'The items of the batch cannot be read from "dataUrl": {because}',
  },
  'api.stream.single': {
    status: 400,
    blame: 'caller',
    message: 'Only a batch can be streamed. Add "batchSplitBy", or send application/x-ndjson',
  },
  'api.stream.waits': {
    status: 400,
    blame: 'caller',
    message:
      'A stream of reports cannot be asynchronous or repeated. Leave out service-webhook-url, prefer and Idempotency-Key',
  },
  'api.batch.item': { status: 500, blame: 'caller', message: 'Item {index} of the batch: {cause}' },
  'api.batch.pdf': {
    status: 500,
    blame: 'document',
    message: 'The PDF of item {index} cannot be joined with the others.',
    hint: 'Encrypted PDFs cannot be joined: leave the passwords out, or use batchOutput "zip".',
  },
  'api.render.webhook': { status: 500, blame: 'caller', message: 'Error while setting up the webhook' },
  'api.job.not-found': { status: 404, blame: 'caller', message: 'Job not found' },
  'api.job.ended': { status: 409, blame: 'caller', message: 'The job has already ended' },
  'api.job.running': {
    status: 409,
    blame: 'caller',
    message:
      'The job has not ended yet, so there is nothing to report to its webhook. Try again once it has ended',
  },
  'api.job.no-webhook': {
    status: 409,
    blame: 'caller',
    message:
      'The job has no webhook. To have one called, send the header service-webhook-url with the render',
  },
  'api.job.cancelled': { status: 500, blame: 'caller', message: 'The render was cancelled' },
  'api.job.not-accepted': {
    status: 503,
    blame: 'us',
    message:
      'The service lost its storage while it was accepting this render, and responded that it was refused. The render was not run and costs nothing. Send it again.',
    wire: 'w218',
  },
  'api.job.set-aside': {
    status: 500,
    blame: 'document',
    message:
      'This render crashed its process more than once and is not tried again. Make the document or its data smaller, or ask the operator of this service.',
    wire: 'w212',
  },
  'api.job.expired': {
    status: 500,
    blame: 'us',
    message:
      'The render could not be run within {hours} hours because the service was not available. Send it again.',
    wire: 'w213',
  },
  'api.job.lost': {
    status: 500,
    blame: 'us',
    message: 'The stored request of this render cannot be read any more. Send it again.',
    wire: 'w214',
  },
  'api.key.invalid': {
    status: 400,
    blame: 'caller',
    message:
      'The header Idempotency-Key is not valid: it must have 1 to 255 visible characters, for example a UUID',
  },
  'api.key.reused': {
    status: 422,
    blame: 'caller',
    message: 'The Idempotency-Key was used for another request. Send a new one with each new request',
  },
  'api.key.running': {
    status: 409,
    blame: 'caller',
    message: 'A request with this Idempotency-Key is still running. Send it again later',
  },
  'api.key.not-kept': {
    status: 409,
    blame: 'caller',
    message:
      'The request with this Idempotency-Key succeeded, but its response was too large to keep. Send the request with a new key to run it again',
  },
  'api.render.not-found': { status: 404, blame: 'caller', message: 'File not found', wire: 'w104' },
} as const satisfies Record<string, CatalogueEntry>

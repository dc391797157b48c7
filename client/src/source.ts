/** Files that a caller passes, and the request bodies that contain them. */
import type { Body } from './transport.ts'

/** A file: bytes, a Blob (in browsers a File, in Node `await openAsBlob(path)`), or a stream of bytes. */
export type FileSource = Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array>

export const isFile = (value: unknown): value is FileSource =>
  value instanceof Uint8Array ||
  value instanceof ArrayBuffer ||
  value instanceof Blob ||
  value instanceof ReadableStream

export function jsonBody(value: unknown): Body {
  const text = JSON.stringify(value)
  return { type: 'application/json', once: false, make: () => text }
}

/**
 * A JSON body with the fields of `value` and the file as base64 in `template`. A stream is sent while it arrives if
 * the runtime supports that, and can then not be sent again.
 */
export async function jsonBodyWithFile(value: object, file: FileSource, streams: boolean): Promise<Body> {
  const type = 'application/json'
  const fields = JSON.stringify(value)
  const head = `${fields.slice(0, -1)}${fields === '{}' ? '' : ','}"template":"`
  const tail = '"}'
  if (file instanceof ReadableStream && streams) {
    return { type, once: true, make: () => encoded(file, head, tail) }
  }
  const blob = await blobOf(file)
  const buffered = await new Response(encoded(blob.stream(), head, tail)).blob()
  return { type, once: false, make: () => buffered }
}

/** A form with text fields and the file as its last part, which uploads require. */
export async function formWithFile(
  fields: Readonly<Record<string, string>>,
  file: FileSource,
  { name, streams }: { readonly name: string; readonly streams: boolean },
): Promise<Body> {
  if (file instanceof ReadableStream && streams) return streamedForm(fields, file, name)
  const form = new FormData()
  for (const [field, text] of Object.entries(fields)) form.append(field, text)
  form.append('template', await blobOf(file), name)
  return { once: false, make: () => form }
}

function streamedForm(
  fields: Readonly<Record<string, string>>,
  file: ReadableStream<Uint8Array>,
  name: string,
): Body {
  const boundary = `platen-${crypto.randomUUID()}`
  const begin = (disposition: string) => `--${boundary}\r\ncontent-disposition: form-data; ${disposition}`
  const texts = Object.entries(fields).map(
    ([field, text]) => `${begin(`name="${quotable(field)}"`)}\r\n\r\n${text}\r\n`,
  )
  const head = `${texts.join('')}${begin(`name="template"; filename="${quotable(name)}"`)}\r\ncontent-type: application/octet-stream\r\n\r\n`
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    once: true,
    make: () => between(file, head, `\r\n--${boundary}--\r\n`, (bytes) => bytes),
  }
}

/** Escapes names of parts as browsers do (HTML, "multipart form data"). */
const quotable = (text: string): string =>
  text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

async function blobOf(file: FileSource): Promise<Blob> {
  if (file instanceof Blob) return file
  if (file instanceof ReadableStream) return new Response(file).blob()
  return new Blob([file as Uint8Array<ArrayBuffer> | ArrayBuffer])
}

/** Base64 is written in groups of three bytes, so up to two bytes wait for the next chunk. */
function encoded(file: ReadableStream<Uint8Array>, head: string, tail: string): ReadableStream<Uint8Array> {
  let waiting = new Uint8Array(0)
  return between(file, head, tail, (bytes, last) => {
    const all = new Uint8Array(waiting.length + bytes.length)
    all.set(waiting)
    all.set(bytes, waiting.length)
    const end = last ? all.length : all.length - (all.length % 3)
    waiting = all.slice(end)
    return new TextEncoder().encode(base64(all.subarray(0, end)))
  })
}

/** More arguments in one call overflow the stack of some JavaScript engines. */
const maxArguments = 8190 // a multiple of three

function base64(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += maxArguments)
    parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + maxArguments))))
  return parts.join('')
}

/**
 * Concatenates `head`, the chunks of a stream as `convert` returns them, and `tail`. The last call of `convert` has
 * no bytes.
 */
function between(
  file: ReadableStream<Uint8Array>,
  head: string,
  tail: string,
  convert: (bytes: Uint8Array, last: boolean) => Uint8Array,
): ReadableStream<Uint8Array> {
  const reader = file.getReader()
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(head)),
    async pull(controller) {
      for (;;) {
        const { value, done } = await reader.read()
        const bytes = convert(value ?? new Uint8Array(0), done)
        if (bytes.length > 0) controller.enqueue(bytes)
        if (done) {
          controller.enqueue(new TextEncoder().encode(tail))
          return controller.close()
        }
        if (bytes.length > 0) return
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/** Files that a caller passes, and the request bodies that contain them. */
import type { Body } from './transport.js';
/** A file: bytes, a Blob (in browsers a File, in Node `await openAsBlob(path)`), or a stream of bytes. */
export type FileSource = Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array>;
export declare const isFile: (value: unknown) => value is FileSource;
export declare function jsonBody(value: unknown): Body;
/**
 * A JSON body with the fields of `value` and the file as base64 in `template`. A stream is sent while it arrives if
 * the runtime supports that, and can then not be sent again.
 */
export declare function jsonBodyWithFile(value: object, file: FileSource, streams: boolean): Promise<Body>;
/** A form with text fields and the file as its last part, which uploads require. */
export declare function formWithFile(fields: Readonly<Record<string, string>>, file: FileSource, { name, streams }: {
    readonly name: string;
    readonly streams: boolean;
}): Promise<Body>;

export interface Part {
    readonly headers: Headers;
    readonly bytes: Uint8Array<ArrayBuffer>;
}
/**
 * The parts in order; one at a time is in memory. Throws `ConnectionError` for a message that breaks off, and
 * `ServerError` for one that is not a multipart message of the service. Cancels the message when the consumer stops
 * reading.
 */
export declare function partsOf(response: Response): AsyncGenerator<Part, void, undefined>;

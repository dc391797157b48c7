export interface Part {
    readonly headers: Headers;
    readonly bytes: Uint8Array<ArrayBuffer>;
}
/**
 * The parts in their order, of which one is in memory at a time. Throws `ConnectionError` for a message that breaks off,
 * and `ServerError` for one that is no multipart message of the service. Cancels the message when the reader stops.
 */
export declare function partsOf(response: Response): AsyncGenerator<Part, void, undefined>;

/** A file in a response of the service. */
export declare class PlatenDocument {
    #private;
    /** The name of the file, with its extension. */
    readonly name: string;
    /** Its media type. */
    readonly type: string;
    /** Its size in bytes, if the service states it. */
    readonly size: number | undefined;
    /** Codes of warnings about the document, such as a font that was replaced. */
    readonly warnings: readonly string[];
    /** The engines that made it, by letter or name. */
    readonly converters: readonly string[];
    /** The number of pages of the document, if they were converted to pictures and the service states it. */
    readonly pages: number | undefined;
    /** The render id of the manifest of the document, if the request asked for one (`provenance`). */
    readonly provenance: string | undefined;
    /** The id of the request in the logs of the service. */
    readonly requestId: string | undefined;
    constructor(response: Response);
    /** The bytes as they arrive. As with a `Response`, they can be read once. */
    get stream(): ReadableStream<Uint8Array>;
    bytes(): Promise<Uint8Array<ArrayBuffer>>;
    arrayBuffer(): Promise<ArrayBuffer>;
    blob(): Promise<Blob>;
    text(): Promise<string>;
    /** The response itself, for instance to forward it: `return document.response`. */
    get response(): Response;
}
/** The header contains the name percent-encoded in quotes. */
export declare function fileName(disposition: string): string;

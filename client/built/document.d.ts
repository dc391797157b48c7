/** A file that the service answers with. */
export declare class PlatenDocument {
    #private;
    /** The name of the file, with its extension. */
    readonly name: string;
    /** Its media type. */
    readonly type: string;
    /** Its size in bytes, where the service says it. */
    readonly size: number | undefined;
    /** Codes of what to know about the document, such as a font that was replaced. */
    readonly warnings: readonly string[];
    /** The engines that made it, by letter or name. */
    readonly converters: readonly string[];
    /** The number of pages of the document, where they became pictures and the service says it. */
    readonly pages: number | undefined;
    /** The render id of the manifest of the document, where the request asked for one (`provenance`). */
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
    /** The answer itself, for instance to pass it on: `return document.response`. */
    get response(): Response;
}
/** The header has the name percent-encoded in quotes. */
export declare function fileName(disposition: string): string;

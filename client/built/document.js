/** A file in a response of the service. */
export class PlatenDocument {
    /** The name of the file, with its extension. */
    name;
    /** Its media type. */
    type;
    /** Its size in bytes, if the service states it. */
    size;
    /** Codes of warnings about the document, such as a font that was replaced. */
    warnings;
    /** The engines that made it, by letter or name. */
    converters;
    /** The number of pages of the document, if they were converted to pictures and the service states it. */
    pages;
    /** The render id of the manifest of the document, if the request asked for one (`provenance`). */
    provenance;
    /** The id of the request in the logs of the service. */
    requestId;
    #response;
    constructor(response) {
        const { headers } = response;
        this.#response = response;
        this.name = fileName(headers.get('content-disposition') ?? '');
        this.type = headers.get('content-type') ?? 'application/octet-stream';
        this.size = headers.has('content-length') ? Number(headers.get('content-length')) : undefined;
        this.warnings = listOf(headers.get('service-warning'));
        this.converters = listOf(headers.get('service-converter'));
        const pages = headers.get('service-pages');
        this.pages = pages === null ? undefined : Number(pages);
        this.provenance = headers.get('service-provenance') ?? undefined;
        this.requestId = headers.get('x-request-id') ?? undefined;
    }
    /** The bytes as they arrive. As with a `Response`, they can be read once. */
    get stream() {
        return this.#response.body ?? new Blob([]).stream();
    }
    async bytes() {
        return new Uint8Array(await this.#response.arrayBuffer());
    }
    arrayBuffer() {
        return this.#response.arrayBuffer();
    }
    blob() {
        return this.#response.blob();
    }
    text() {
        return this.#response.text();
    }
    /** The response itself, for instance to forward it: `return document.response`. */
    get response() {
        return this.#response;
    }
}
/** The header contains the name percent-encoded in quotes. */
export function fileName(disposition) {
    const [, encoded = ''] = /filename="([^"]*)"/.exec(disposition) ?? [];
    try {
        return decodeURIComponent(encoded);
    }
    catch {
        return encoded;
    }
}
const listOf = (header) => header === null ? [] : header.split(',').map((code) => code.trim());

import type { LintTemplateAnswer, ListConversionsAnswer, ListJobsQuery, RenderAnswer, RenderBody, StatusAnswer, TemplateSchemaAnswer } from './api.js';
import { type BatchResult } from './batch.js';
import { PlatenDocument } from './document.js';
import { type JobReport, RenderJob } from './job.js';
import { type FileSource } from './source.js';
import { Templates } from './templates.js';
import { type CallOptions, type MakingOptions, type PlatenOptions } from './transport.js';
import type { WebhookNotice } from './webhook.js';
/**
 * What a render is made of. `Data` is the type of the data, for instance one that `platen types` wrote; `Complement`
 * that of `complement`.
 */
export interface RenderRequest<Data = unknown, Complement = unknown> extends Omit<RenderBody, 'data' | 'complement' | 'template'> {
    readonly data?: Data;
    readonly complement?: Complement;
}
export interface BatchRequest<Item, Complement = unknown> extends Omit<RenderRequest<never, Complement>, 'data' | BatchField> {
    /** The items, each of which becomes a document. An iterator is read as documents are made. */
    readonly items: Iterable<Item> | AsyncIterable<Item>;
    /** The name of each document; may hold tags. */
    readonly batchReportName?: string;
}
type BatchField = 'batchSplitBy' | 'batchOutput' | 'batchOnError' | 'batchReportName';
export interface BatchOptions extends CallOptions {
    /**
     * How many items may be on their way, between the moment they are read and the moment their documents arrive. They are in
     * memory for that long. Where streams cannot be uploaded, also how many items one call has. Default: 32.
     */
    readonly size?: number;
    /** What an item that fails does: ends the batch by its error, or is returned as a result with it. Default: 'throw'. */
    readonly onError?: 'throw' | 'return';
}
export interface AsyncOptions extends MakingOptions {
    /** Where the service reports the end, with headers to send along. Without it the client asks for the end. */
    readonly webhook?: {
        readonly url: string | URL;
        readonly headers?: Readonly<Record<string, string>>;
    };
}
/** A client of the service. It holds no connection; one for each program is enough. */
export declare class Platen {
    #private;
    /** The stored templates. */
    readonly templates: Templates;
    constructor(options: PlatenOptions);
    /** Fills a template, by its id or a file, converts it, and returns the document. Without `data` it only converts. */
    render<Data = unknown, Complement = unknown>(template: string | FileSource, request?: RenderRequest<Data, Complement>, options?: CallOptions): Promise<PlatenDocument>;
    /** As `render`, but the service keeps the document for one download within an hour. Returns its id, for `fetch`. */
    store<Data = unknown, Complement = unknown>(template: string | FileSource, request?: RenderRequest<Data, Complement>, options?: MakingOptions): Promise<RenderAnswer['data']>;
    /** Downloads a stored document, which is possible once. */
    fetch(renderId: string, options?: CallOptions): Promise<PlatenDocument>;
    /** Renders in the background. `await job.document()` waits for the end. */
    renderAsync<Data = unknown, Complement = unknown>(template: string | FileSource, request?: RenderRequest<Data, Complement>, { webhook, ...options }?: AsyncOptions): Promise<RenderJob>;
    /** A job by its id, for instance in another process than the one that began it. */
    job(id: string): RenderJob;
    /** The jobs of the last day, the newest first: all, or by whether their webhook took the notice. */
    jobs(query?: ListJobsQuery, options?: CallOptions): AsyncGenerator<JobReport, void, undefined>;
    /** Passes a checked webhook call to the jobs of this client that wait for it. */
    notify(notice: WebhookNotice): void;
    /**
     * Makes a document of each item and returns them in the order of the items, each as soon as it is made. Items are read
     * while documents arrive. A call that breaks off is repeated from the first item without a document.
     */
    batch<Item = unknown, Complement = unknown>(template: string | FileSource, { items, ...request }: BatchRequest<Item, Complement>, { size, onError, ...options }?: BatchOptions): AsyncGenerator<BatchResult, void, undefined>;
    /** Every problem of a template, a file or a stored one by its ID, and with data what it reads and the data lacks. Renders nothing. */
    lint<Data = unknown>(template: string | FileSource, request?: RenderRequest<Data>, options?: CallOptions): Promise<LintTemplateAnswer['data']>;
    /** The JSON Schema of the data that a template reads, and a sample that fits it. */
    schema(template: string | FileSource, options?: CallOptions): Promise<TemplateSchemaAnswer['data']>;
    /** Which format becomes which, by which engines, with which options. */
    conversions(options?: CallOptions): Promise<ListConversionsAnswer['data']>;
    /** Whether the service takes work. Throws `UnavailableError` where it does not. */
    status(options?: CallOptions): Promise<StatusAnswer>;
}
export {};

import type { LintTemplateAnswer, ListConversionsAnswer, ListJobsQuery, RenderAnswer, RenderBody, StatusAnswer, TemplateSchemaAnswer } from './api.js';
import { type BatchResult } from './batch.js';
import { PlatenDocument } from './document.js';
import { type JobReport, RenderJob } from './job.js';
import { type FileSource } from './source.js';
import { Templates } from './templates.js';
import { type CallOptions, type MakingOptions, type PlatenOptions } from './transport.js';
import type { WebhookNotice } from './webhook.js';
/**
 * The options of a render. `Data` is the type of the data, for instance one that `platen types` wrote; `Complement`
 * that of `complement`.
 */
export interface RenderRequest<Data = unknown, Complement = unknown> extends Omit<RenderBody, 'data' | 'complement' | 'template'> {
    readonly data?: Data;
    readonly complement?: Complement;
}
export interface BatchRequest<Item, Complement = unknown> extends Omit<RenderRequest<never, Complement>, 'data' | BatchField> {
    /** The items, each of which becomes a document. An iterator is read while documents are made. */
    readonly items: Iterable<Item> | AsyncIterable<Item>;
    /** The name of each document; may contain tags. */
    readonly batchReportName?: string;
}
type BatchField = 'batchSplitBy' | 'batchOutput' | 'batchOnError' | 'batchReportName';
export interface BatchOptions extends CallOptions {
    /**
     * Maximum number of items that are in progress, from the moment they are read until their documents arrive; they
     * are kept in memory for that time. Where streams cannot be uploaded, also the number of items of one call.
     * Default: 32.
     */
    readonly size?: number;
    /** How an item that fails is handled: its error ends the batch, or is returned as its result. Default: 'throw'. */
    readonly onError?: 'throw' | 'return';
}
export interface AsyncOptions extends MakingOptions {
    /**
     * The URL to which the service reports the end, with additional headers. Without it the client polls the service.
     */
    readonly webhook?: {
        readonly url: string | URL;
        readonly headers?: Readonly<Record<string, string>>;
    };
}
/** A client of the service. It keeps no connections open; one per program is sufficient. */
export declare class Platen {
    #private;
    /** The stored templates. */
    readonly templates: Templates;
    constructor(options: PlatenOptions);
    /**
     * Fills a template, given by its id or as a file, converts it, and returns the document. Without `data` it only
     * converts.
     */
    render<Data = unknown, Complement = unknown>(template: string | FileSource, request?: RenderRequest<Data, Complement>, options?: CallOptions): Promise<PlatenDocument>;
    /**
     * Like `render`, but the service keeps the document for one download within an hour. Returns its id, for `fetch`.
     */
    store<Data = unknown, Complement = unknown>(template: string | FileSource, request?: RenderRequest<Data, Complement>, options?: MakingOptions): Promise<RenderAnswer['data']>;
    /** Downloads a stored document, which is possible once. */
    fetch(renderId: string, options?: CallOptions): Promise<PlatenDocument>;
    /** Renders in the background. `await job.document()` waits for the end. */
    renderAsync<Data = unknown, Complement = unknown>(template: string | FileSource, request?: RenderRequest<Data, Complement>, { webhook, ...options }?: AsyncOptions): Promise<RenderJob>;
    /** A job by its id, for instance one that another process started. */
    job(id: string): RenderJob;
    /**
     * The jobs of the last day, newest first: all of them, or only those whose webhook call was delivered or was not.
     */
    jobs(query?: ListJobsQuery, options?: CallOptions): AsyncGenerator<JobReport, void, undefined>;
    /** Passes a verified webhook call to the jobs of this client that wait for it. */
    notify(notice: WebhookNotice): void;
    /**
     * Makes a document of each item and returns them in the order of the items, each as soon as it is made. Items are
     * read while documents arrive. A call that breaks off is repeated from the first item without a document.
     */
    batch<Item = unknown, Complement = unknown>(template: string | FileSource, { items, ...request }: BatchRequest<Item, Complement>, { size, onError, ...options }?: BatchOptions): AsyncGenerator<BatchResult, void, undefined>;
    /**
     * Returns all problems of a template, given as a file or by the ID of a stored one; with data, also what the
     * template reads that the data lacks. Renders nothing.
     */
    lint<Data = unknown>(template: string | FileSource, request?: RenderRequest<Data>, options?: CallOptions): Promise<LintTemplateAnswer['data']>;
    /** Returns the JSON Schema of the data that a template reads, and a matching sample. */
    schema(template: string | FileSource, options?: CallOptions): Promise<TemplateSchemaAnswer['data']>;
    /** Returns the possible conversions: the formats, their engines and their options. */
    conversions(options?: CallOptions): Promise<ListConversionsAnswer['data']>;
    /** Returns whether the service accepts work. Throws `UnavailableError` if it does not. */
    status(options?: CallOptions): Promise<StatusAnswer>;
}
export {};

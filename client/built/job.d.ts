import type { CancelJobAnswer, JobAnswer, RepeatWebhookAnswer } from './api.js';
import type { PlatenDocument } from './document.js';
import { type CallOptions } from './transport.js';
import type { WebhookNotice } from './webhook.js';
export type JobReport = JobAnswer['data'];
/** What a job needs of its client. */
export interface JobCalls {
    report(id: string, options?: CallOptions): Promise<JobReport>;
    cancel(id: string, options?: CallOptions): Promise<CancelJobAnswer['data']>;
    repeatWebhook(id: string, options?: CallOptions): Promise<RepeatWebhookAnswer['data']>;
    fetch(renderId: string, options?: CallOptions): Promise<PlatenDocument>;
    /** Resolves when the client is given the webhook call of the job. */
    notice(id: string): {
        readonly arrived: Promise<WebhookNotice>;
        stop(): void;
    };
}
/** An asynchronous render. */
export declare class RenderJob {
    #private;
    readonly id: string;
    constructor(id: string, calls: JobCalls, webhook: boolean);
    /** How far it is. */
    report(options?: CallOptions): Promise<JobReport>;
    /** Throws `ConflictError` where it has ended. */
    cancel(options?: CallOptions): Promise<JobReport>;
    /** Has the webhook of a job that has ended called once more. Throws `ConflictError` before the end and without one. */
    repeatWebhook(options?: CallOptions): Promise<JobReport>;
    /**
     * Waits for the end and returns the render id: by asking the service, or at once when `platen.notify` gets the
     * webhook call. Throws the error of a render that failed.
     */
    renderId(options?: CallOptions): Promise<string>;
    /** Waits for the end and downloads the document, which is possible once. */
    document(options?: CallOptions): Promise<PlatenDocument>;
}

import type { CancelJobAnswer, JobAnswer, RepeatWebhookAnswer } from './api.js';
import type { PlatenDocument } from './document.js';
import { type CallOptions } from './transport.js';
import type { WebhookNotice } from './webhook.js';
export type JobReport = JobAnswer['data'];
/** The calls of the client that a job uses. */
export interface JobCalls {
    report(id: string, options?: CallOptions): Promise<JobReport>;
    cancel(id: string, options?: CallOptions): Promise<CancelJobAnswer['data']>;
    repeatWebhook(id: string, options?: CallOptions): Promise<RepeatWebhookAnswer['data']>;
    fetch(renderId: string, options?: CallOptions): Promise<PlatenDocument>;
    /** Resolves when the client receives the webhook call of the job. */
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
    /** Returns the state of the job and its progress. */
    report(options?: CallOptions): Promise<JobReport>;
    /** Cancels the job. Throws `ConflictError` if it has already ended. */
    cancel(options?: CallOptions): Promise<JobReport>;
    /**
     * Makes the service repeat the webhook call of a job that has ended. Throws `ConflictError` if the job has not
     * ended or has no webhook.
     */
    repeatWebhook(options?: CallOptions): Promise<JobReport>;
    /**
     * Waits for the end of the job and returns the render id. It polls the service, and returns at once when
     * `platen.notify` receives the webhook call. Throws the error of a render that failed.
     */
    renderId(options?: CallOptions): Promise<string>;
    /** Waits for the end of the job and downloads the document, which is possible once. */
    document(options?: CallOptions): Promise<PlatenDocument>;
}

/** Checks webhook calls as Standard Webhooks describes (https://www.standardwebhooks.com), with WebCrypto. */
import type { ErrorCode } from './api.js';
/** How an asynchronous render ended, as its webhook receives it. */
export type WebhookNotice = {
    readonly jobId: string;
    readonly success: true;
    readonly renderId: string;
} | {
    readonly jobId: string;
    readonly success: false;
    readonly error: string;
    readonly code?: ErrorCode;
};
/** A call that a framework has read: its headers, and its body byte for byte. */
export interface ReceivedWebhook {
    readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
    readonly body: string | Uint8Array;
}
export interface VerifyOptions {
    /** How far the time of the call may be from now, in seconds. Default: 300. */
    readonly toleranceSeconds?: number;
    /** Now, in ms since the epoch. */
    readonly now?: number;
}
/**
 * Returns what a webhook call says, after checking its signature and its time. `secret` is one of
 * `SERVICE_WEBHOOK_SECRET`, or several while they change. Throws `WebhookError`.
 */
export declare function verifyWebhook(received: Request | ReceivedWebhook, secret: string | readonly string[], options?: VerifyOptions): Promise<WebhookNotice>;

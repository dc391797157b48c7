/** Verifies webhook calls according to Standard Webhooks (https://www.standardwebhooks.com), with WebCrypto. */
import type { ErrorCode } from './api.js';
import { type Problem } from './errors.js';
/** The result of an asynchronous render, as its webhook receives it. */
export type WebhookNotice = {
    readonly jobId: string;
    readonly success: true;
    readonly renderId: string;
} | {
    readonly jobId: string;
    readonly success: false;
    readonly error: string;
    readonly code?: ErrorCode;
    readonly problems?: readonly Problem[];
};
/** A call that a framework has received: its headers, and the unmodified bytes of its body. */
export interface ReceivedWebhook {
    readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
    readonly body: string | Uint8Array;
}
export interface VerifyOptions {
    /** Maximum difference between the time of the call and now, in seconds. Default: 300. */
    readonly toleranceSeconds?: number;
    /** The current time, in ms since the epoch. */
    readonly now?: number;
}
/**
 * Returns the content of a webhook call after verifying its signature and its time. `secret` is the value of
 * `SERVICE_WEBHOOK_SECRET`, or several of them during a key rotation. Throws `WebhookError`.
 */
export declare function verifyWebhook(received: Request | ReceivedWebhook, secret: string | readonly string[], options?: VerifyOptions): Promise<WebhookNotice>;

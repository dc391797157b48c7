import { type PlatenError } from './errors.js';
import type { ItemQueue } from './queue.js';
import type { Body } from './transport.js';
/** One document of a batch, or the error that occurred instead. */
export type BatchResult = {
    readonly index: number;
    readonly name: string;
    readonly bytes: Uint8Array<ArrayBuffer>;
    readonly error?: never;
} | {
    readonly index: number;
    readonly error: PlatenError;
    readonly name?: never;
    readonly bytes?: never;
};
export interface BatchCalls {
    /** Whether items are sent while documents arrive. Otherwise each call sends as many items as the queue can hold. */
    readonly streams: boolean;
    /** How often in a row a response may break off without a document before the batch fails. */
    readonly retries: number;
    /** Sends one body of lines and returns the multipart answer. */
    send(body: Body): Promise<Response>;
    /** Waits before the repetition with this number, from 0. */
    pause(repetition: number): Promise<void>;
}
/**
 * Makes a document of each item and returns the results in the order of the items, each as soon as it has arrived.
 * Items are kept until their documents have arrived, so after a response that breaks off the batch continues with the
 * first item without a document. `options` is the first line of each body. Throws the reason of `signal` when it
 * aborts.
 */
export declare function runBatch(queue: ItemQueue, options: Blob, calls: BatchCalls, signal: AbortSignal): AsyncGenerator<BatchResult, void, undefined>;

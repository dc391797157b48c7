import type { Body } from './transport.js';
/** The items of a batch that were taken from their source and whose documents have not arrived yet. */
export interface ItemQueue {
    /** The number of the oldest item in the batch, from 0. */
    readonly first: number;
    /** Whether any item is left, here or in the source. Throws the errors of the source. */
    hasMore(): Promise<boolean>;
    /** Removes the oldest item, because its document has arrived. */
    dropFirst(): void;
    /** A body whose lines are produced while it is sent; each attempt begins with the oldest item. */
    streamBody(options: Blob): Body;
    /** A body with as many items as the queue can hold. */
    wholeBody(options: Blob): Promise<Body>;
    /** Closes the source. */
    close(): Promise<void>;
}
/** A queue of at most `size` items. `onFailure` receives the error of the source, which ends the batch. */
export declare function queueOf(source: Iterable<unknown> | AsyncIterable<unknown>, size: number, onFailure: (error: unknown) => void): ItemQueue;

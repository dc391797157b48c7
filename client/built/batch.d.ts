import { type PlatenError } from './errors.js';
/** One document of a batch, or why it could not be made. */
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
/** The results of one archive in the order of its items, of which the first is number `first` of the batch. */
export declare function resultsOf(archive: Uint8Array<ArrayBuffer>, { first, count }: {
    readonly first: number;
    readonly count: number;
}): AsyncGenerator<BatchResult, void, undefined>;
/** Groups of up to `size` items, in their order. */
export declare function groupsOf<Item>(items: Iterable<Item> | AsyncIterable<Item>, size: number): AsyncGenerator<readonly Item[], void, undefined>;

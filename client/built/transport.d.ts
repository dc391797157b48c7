export interface PlatenOptions {
    /** The address of the service, such as `https://documents.example.org`. */
    readonly url: string | URL;
    /** The token, or what gets one; it is asked before each attempt. */
    readonly token?: string | (() => string | Promise<string>) | undefined;
    /** Headers of every request. */
    readonly headers?: Readonly<Record<string, string>> | undefined;
    /** How often a call is sent again after a failure that may pass. Default: 3. */
    readonly retries?: number | undefined;
    /** The longest pause between attempts, in ms. A service that asks for more ends the retries. Default: 30,000. */
    readonly maxPauseMs?: number | undefined;
    /** In place of the global `fetch`: a service binding of a Worker, a proxy, a test. */
    readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
    /** Whether streams are sent as they come. Default: where the runtime can, which browsers cannot. */
    readonly streams?: boolean | undefined;
}
export interface CallOptions {
    /** Ends the call and its retries. */
    readonly signal?: AbortSignal | undefined;
    /** Headers of this call, over those of the client. */
    readonly headers?: Readonly<Record<string, string>> | undefined;
}
export interface MakingOptions extends CallOptions {
    /**
     * The `idempotency-key` of a call that makes something, 1 to 255 visible characters: for 24 hours the service makes it
     * once, however often the call is sent, also by another process. Default: a new one, for the retries of this call.
     */
    readonly idempotencyKey?: string | undefined;
}
/** A body that can be made for each attempt anew, or, as a stream, only once. */
export interface Body {
    readonly type?: string;
    readonly once: boolean;
    make(): NonNullable<RequestInit['body']>;
}
export interface Sent extends MakingOptions {
    readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
    readonly path: string;
    readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
    readonly body?: Body | undefined;
    /**
     * When it is sent again: 'always'; 'keyed', after any failure that may pass, with a key by which the service makes one
     * thing only; or only where the service 'refused' it before it began.
     */
    readonly repeat: 'always' | 'keyed' | 'refused';
}
export interface Transport {
    readonly streams: boolean;
    readonly retries: number;
    /** The pause before a repetition for which the service asks for none, in ms. Repetitions count from 0. */
    backoffMs(repetition: number): number;
    /** The answer, with a status below 400. Throws `PlatenError`, and the reason of an aborted signal. */
    send(sent: Sent): Promise<Response>;
}
export declare function createTransport(options: PlatenOptions): Transport;
/** Resolves after `ms`. Throws the reason of the signal when it aborts. */
export declare function pause(ms: number, signal?: AbortSignal): Promise<void>;

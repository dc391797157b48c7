export interface PlatenOptions {
    /** The address of the service, such as `https://documents.example.org`. */
    readonly url: string | URL;
    /** The token, or a function that returns one; it is called before each attempt. */
    readonly token?: string | (() => string | Promise<string>) | undefined;
    /** Headers of every request. */
    readonly headers?: Readonly<Record<string, string>> | undefined;
    /** How often a call is repeated after a transient failure. Default: 3. */
    readonly retries?: number | undefined;
    /**
     * The longest pause between attempts, in ms. If the service asks for a longer one, the call fails. Default: 30,000.
     */
    readonly maxPauseMs?: number | undefined;
    /** Replaces the global `fetch`: a service binding of a Worker, a proxy, a test. */
    readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
    /** Whether streams are uploaded without buffering. Default: if the runtime supports it, which browsers do not. */
    readonly streams?: boolean | undefined;
}
export interface CallOptions {
    /** Aborts the call and its retries. */
    readonly signal?: AbortSignal | undefined;
    /** Headers of this call, which override those of the client. */
    readonly headers?: Readonly<Record<string, string>> | undefined;
}
export interface MakingOptions extends CallOptions {
    /**
     * The `idempotency-key` of a call that creates something, 1 to 255 visible characters: for 24 hours the service
     * executes the call once, however often it is sent, even by another process. Default: a new key for each call,
     * which its retries share.
     */
    readonly idempotencyKey?: string | undefined;
}
/** A body that can be created again for each attempt, or, as a stream, only once. */
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
     * When the request is repeated: 'always'; 'keyed': after any transient failure, with a key that makes the service
     * execute it once; 'refused': only if the service refused it before it began.
     */
    readonly repeat: 'always' | 'keyed' | 'refused';
}
export interface Transport {
    readonly streams: boolean;
    readonly retries: number;
    /** The pause before a repetition if the service does not state one, in ms. Repetitions count from 0. */
    backoffMs(repetition: number): number;
    /** Returns the response, with a status below 400. Throws `PlatenError`, and the reason of an aborted signal. */
    send(sent: Sent): Promise<Response>;
}
export declare function createTransport(options: PlatenOptions): Transport;
/** Resolves after `ms`. Throws the reason of the signal when it aborts. */
export declare function pause(ms: number, signal?: AbortSignal): Promise<void>;

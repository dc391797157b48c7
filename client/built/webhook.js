import { WebhookError } from "./errors.js";
const prefix = 'whsec_';
/**
 * Returns the content of a webhook call after verifying its signature and its time. `secret` is the value of
 * `SERVICE_WEBHOOK_SECRET`, or several of them during a key rotation. Throws `WebhookError`.
 */
export async function verifyWebhook(received, secret, options = {}) {
    const body = await bodyOf(received);
    const header = (name) => headerOf(received.headers, name);
    const id = header('webhook-id');
    const time = header('webhook-timestamp');
    const signatures = header('webhook-signature');
    if (id === undefined || time === undefined || signatures === undefined)
        throw new WebhookError('The call has no signature: set SERVICE_WEBHOOK_SECRET at the service.');
    const now = (options.now ?? Date.now()) / 1000;
    if (!/^\d{1,12}$/.test(time) || Math.abs(now - Number(time)) > (options.toleranceSeconds ?? 300))
        throw new WebhookError('The call is too old, or the clocks differ.');
    const text = joined(new TextEncoder().encode(`${id}.${time}.`), body);
    const secrets = typeof secret === 'string' ? [secret] : secret;
    for (const each of secrets) {
        const key = await keyOf(each);
        for (const signature of signatures.split(' ')) {
            const [version, value = ''] = signature.split(',');
            const bytes = version === 'v1' ? bytesOf(value) : undefined;
            // WebCrypto compares in constant time.
            if (bytes !== undefined && (await crypto.subtle.verify('HMAC', key, bytes, text)))
                return noticeOf(id, body);
        }
    }
    throw new WebhookError('No signature of the call matches the secret.');
}
/** The id of a call is `msg_` followed by the id of its job. */
function noticeOf(id, body) {
    const { success, data, error = '', code, problems } = JSON.parse(new TextDecoder().decode(body));
    const jobId = id.replace(/^msg_/, '');
    if (success)
        return { jobId, success: true, renderId: data?.renderId ?? '' };
    return {
        jobId,
        success: false,
        error,
        ...(code === undefined ? {} : { code }),
        ...(problems === undefined ? {} : { problems }),
    };
}
async function bodyOf(received) {
    if (received instanceof Request)
        return new Uint8Array(await received.arrayBuffer());
    return typeof received.body === 'string' ? new TextEncoder().encode(received.body) : received.body;
}
function headerOf(headers, name) {
    if (headers instanceof Headers)
        return headers.get(name) ?? undefined;
    const header = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
    return typeof header === 'string' ? header : header?.[0];
}
async function keyOf(secret) {
    const bytes = bytesOf(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret);
    if (bytes === undefined)
        throw new WebhookError(`A secret is ${prefix} and base64.`);
    return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}
function bytesOf(base64) {
    try {
        return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    }
    catch {
        return undefined;
    }
}
function joined(first, second) {
    const all = new Uint8Array(first.length + second.length);
    all.set(first);
    all.set(second, first.length);
    return all;
}

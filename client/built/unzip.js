/** Reads the archive of a batch. Source: APPNOTE.TXT of PKWARE, 4.3. */
import { ServerError } from "./errors.js";
const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const endBytes = 22;
const deflated = 8;
/** The entries in the order of the archive. Throws `ServerError` for an archive that is none or is cut off. */
export function entriesOf(archive) {
    const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
    try {
        let end = archive.length - endBytes;
        while (end >= 0 && view.getUint32(end, true) !== endSignature)
            end--;
        const count = view.getUint16(end + 10, true);
        let at = view.getUint32(end + 16, true);
        return Array.from({ length: count }, () => {
            if (view.getUint32(at, true) !== entrySignature)
                throw new RangeError('no entry');
            const nameBytes = view.getUint16(at + 28, true);
            const entry = {
                method: view.getUint16(at + 10, true),
                size: view.getUint32(at + 20, true),
                header: view.getUint32(at + 42, true),
                name: new TextDecoder().decode(archive.subarray(at + 46, at + 46 + nameBytes)),
            };
            at += 46 + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
            const start = entry.header + 30 + view.getUint16(entry.header + 26, true) + view.getUint16(entry.header + 28, true);
            const packed = archive.subarray(start, start + entry.size);
            return { name: entry.name, bytes: async () => (entry.method === deflated ? inflate(packed) : packed) };
        });
    }
    catch (cause) {
        throw new ServerError('The archive of the batch cannot be read.', { cause });
    }
}
async function inflate(packed) {
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

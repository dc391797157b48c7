export interface ArchiveEntry {
    readonly name: string;
    bytes(): Promise<Uint8Array<ArrayBuffer>>;
}
/** The entries in the order of the archive. Throws `ServerError` for an archive that is none or is cut off. */
export declare function entriesOf(archive: Uint8Array<ArrayBuffer>): readonly ArchiveEntry[];

import type { CheckTemplateAnswer, DiffTemplateAnswer, DiffTemplateQuery, ListTemplatesAnswer, ListTemplatesQuery, PatchTemplateAnswer, PatchTemplateBody, PreviewTemplateQuery, PutChecksAnswer, PutChecksBody, UploadTemplateAnswer, UploadTemplateBody } from './api.js';
import { PlatenDocument } from './document.js';
import { type FileSource } from './source.js';
import type { CallOptions, MakingOptions, Transport } from './transport.js';
export type Template = ListTemplatesAnswer['data'][number];
/** The ids of an upload: `id` and `versionId` with versioning, `templateId` without. */
export type UploadedTemplate = UploadTemplateAnswer['data'];
/** The ids of an upload with versioning. */
export type UploadedVersion = Extract<UploadedTemplate, {
    readonly versionId: string;
}>;
export interface UploadFields extends Omit<UploadTemplateBody, 'template'> {
    /** The name of the file, whose extension determines the format if the content does not. */
    readonly fileName?: string;
}
/** One test case of a template: the render, and the expected properties of the document. */
export type CheckCase = PutChecksBody['cases'][number];
/** The results of the test cases of a template. */
export type CheckReport = CheckTemplateAnswer['data'];
export interface CheckOptions {
    /** Test cases to use instead of the stored ones. A template that is passed as a file has no stored ones. */
    readonly cases?: readonly CheckCase[];
    /** Only the cases with these names. */
    readonly names?: readonly string[];
    /** Whether the report contains the pages as they look now, for `png` of a case. */
    readonly pictures?: boolean;
    /** A version of the template, instead of the deployed one. */
    readonly versionId?: string;
}
/** The stored templates of the account. */
export declare class Templates {
    #private;
    constructor(transport: Transport);
    /** Stores a template. A new version needs `versioning: true` or the `id` of the template. */
    upload(file: FileSource, fields: UploadFields & ({
        readonly versioning: true;
    } | {
        readonly id: string;
    }), options?: MakingOptions): Promise<UploadedVersion>;
    upload(file: FileSource, fields?: UploadFields, options?: MakingOptions): Promise<UploadedTemplate>;
    /** The file of a template: of the deployed version, or of a Version ID. */
    download(id: string, options?: CallOptions): Promise<PlatenDocument>;
    /**
     * A page of a template as a picture. `pages` is the number of pages, if the service states it. Throws NotFoundError
     * for a page that does not exist.
     */
    preview(id: string, query?: PreviewTemplateQuery, options?: CallOptions): Promise<PlatenDocument>;
    /** The differences between two versions of a template. Without `to` the newer one is the deployed version. */
    diff(id: string, query: DiffTemplateQuery & {
        readonly from: string;
    }, options?: CallOptions): Promise<DiffTemplateAnswer['data']>;
    /** The test cases of a version. Without `versionId`, those of the deployed version. */
    cases(id: string, query?: {
        readonly versionId?: string;
    }, options?: CallOptions): Promise<readonly CheckCase[]>;
    /** Replaces the test cases of a version. The next version that is stored inherits them. */
    setCases(id: string, cases: readonly CheckCase[], query?: {
        readonly versionId?: string;
    }, options?: CallOptions): Promise<PutChecksAnswer['data']>;
    /**
     * Renders the test cases of a stored template, or the given ones of a stored template or file, and returns the
     * differences.
     */
    check(template: string | FileSource, { versionId, ...request }?: CheckOptions, options?: CallOptions): Promise<CheckReport>;
    /** One page of deployed templates. */
    page(query?: ListTemplatesQuery, options?: CallOptions): Promise<ListTemplatesAnswer>;
    /** All deployed templates, page after page. */
    list(query?: ListTemplatesQuery, options?: CallOptions): AsyncGenerator<Template, void, undefined>;
    /** Changes the metadata of a version, or moves it to another Template ID. */
    update(id: string, fields: PatchTemplateBody, options?: CallOptions): Promise<PatchTemplateAnswer['data']>;
    /** Deletes a version, or all versions of a Template ID. */
    delete(id: string, options?: CallOptions): Promise<void>;
    /** The categories of deployed templates, by name. */
    categories(options?: CallOptions): Promise<readonly string[]>;
    /** The tags of deployed templates, by name. */
    tags(options?: CallOptions): Promise<readonly string[]>;
}

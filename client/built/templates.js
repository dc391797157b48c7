import { PlatenDocument } from "./document.js";
import { formWithFile, isFile, jsonBody, jsonBodyWithFile } from "./source.js";
/** The stored templates of the account. */
export class Templates {
    #transport;
    constructor(transport) {
        this.#transport = transport;
    }
    async upload(file, fields = {}, options = {}) {
        const { fileName, ...given } = fields;
        const name = fileName ?? ('name' in file && typeof file.name === 'string' ? file.name : 'template');
        const texts = Object.entries(given).flatMap(([field, value]) => value === undefined ? [] : [[field, typeof value === 'string' ? value : JSON.stringify(value)]]);
        const body = await formWithFile(Object.fromEntries(texts), file, {
            name,
            streams: this.#transport.streams,
        });
        // Without versions it is stored under the hash of its content, so storing it twice has no further effect.
        const versioned = given.versioning === true || given.id !== undefined;
        return this.#data('POST', '/template', {
            ...options,
            body,
            repeat: versioned ? 'keyed' : 'always',
        });
    }
    /** The file of a template: of the deployed version, or of a Version ID. */
    async download(id, options = {}) {
        const path = `/template/${encodeURIComponent(id)}`;
        return new PlatenDocument(await this.#transport.send({ ...options, method: 'GET', path, repeat: 'always' }));
    }
    /**
     * A page of a template as a picture. `pages` is the number of pages, if the service states it. Throws NotFoundError
     * for a page that does not exist.
     */
    async preview(id, query = {}, options = {}) {
        const path = `/template/${encodeURIComponent(id)}/preview`;
        const sent = { ...options, method: 'GET', path, query: { ...query }, repeat: 'always' };
        return new PlatenDocument(await this.#transport.send(sent));
    }
    /** The differences between two versions of a template. Without `to` the newer one is the deployed version. */
    diff(id, query, options = {}) {
        const path = `/template/${encodeURIComponent(id)}/diff`;
        return this.#data('GET', path, { ...options, query: { ...query }, repeat: 'always' });
    }
    /** The test cases of a version. Without `versionId`, those of the deployed version. */
    async cases(id, query = {}, options = {}) {
        const path = `/template/${encodeURIComponent(id)}/checks`;
        const sent = { ...options, query: { ...query }, repeat: 'always' };
        return (await this.#data('GET', path, sent)).cases;
    }
    /** Replaces the test cases of a version. The next version that is stored inherits them. */
    setCases(id, cases, query = {}, options = {}) {
        const path = `/template/${encodeURIComponent(id)}/checks`;
        const body = jsonBody({ cases });
        return this.#data('PUT', path, {
            ...options,
            query: { ...query },
            body,
            repeat: 'always',
        });
    }
    /**
     * Renders the test cases of a stored template, or the given ones of a stored template or file, and returns the
     * differences.
     */
    async check(template, { versionId, ...request } = {}, options = {}) {
        const inline = isFile(template);
        const path = inline ? '/template/check' : `/template/${encodeURIComponent(template)}/check`;
        const body = inline
            ? await jsonBodyWithFile(request, template, this.#transport.streams)
            : jsonBody(request);
        const query = inline ? {} : { versionId };
        return this.#data('POST', path, { ...options, query, body, repeat: 'refused' });
    }
    /** One page of deployed templates. */
    async page(query = {}, options = {}) {
        const sent = {
            ...options,
            method: 'GET',
            path: '/templates',
            query: { ...query },
            repeat: 'always',
        };
        return (await (await this.#transport.send(sent)).json());
    }
    /** All deployed templates, page after page. */
    async *list(query = {}, options = {}) {
        for (let cursor = query.cursor;;) {
            const page = await this.page({ ...query, ...(cursor === undefined ? {} : { cursor }) }, options);
            yield* page.data;
            if (!page.hasMore)
                return;
            cursor = page.nextCursor;
        }
    }
    /** Changes the metadata of a version, or moves it to another Template ID. */
    update(id, fields, options = {}) {
        const path = `/template/${encodeURIComponent(id)}`;
        const body = jsonBody(fields);
        return this.#data('PATCH', path, { ...options, body, repeat: 'refused' });
    }
    /** Deletes a version, or all versions of a Template ID. */
    async delete(id, options = {}) {
        const path = `/template/${encodeURIComponent(id)}`;
        await this.#transport.send({ ...options, method: 'DELETE', path, repeat: 'refused' });
    }
    /** The categories of deployed templates, by name. */
    async categories(options = {}) {
        return this.#names('/templates/categories', options);
    }
    /** The tags of deployed templates, by name. */
    async tags(options = {}) {
        return this.#names('/templates/tags', options);
    }
    async #names(path, options) {
        const data = await this.#data('GET', path, { ...options, repeat: 'always' });
        return data.map(({ name }) => name);
    }
    async #data(method, path, sent) {
        const response = await this.#transport.send({ ...sent, method, path });
        return (await response.json()).data;
    }
}

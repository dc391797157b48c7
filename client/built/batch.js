import { errorOf } from "./errors.js";
import { entriesOf } from "./unzip.js";
const errorsFile = 'errors.json';
/** The results of one archive in the order of its items, of which the first is number `first` of the batch. */
export async function* resultsOf(archive, { first, count }) {
    const entries = entriesOf(archive);
    const report = entries.find(({ name }) => name === errorsFile);
    const files = entries.filter((entry) => entry !== report).values();
    const errors = new Map((await readErrors(report)).map((error) => [error.index, error]));
    for (let item = 0; item < count; item++) {
        const index = first + item;
        const failed = errors.get(item);
        if (failed !== undefined) {
            const { error, code, problems = [] } = failed;
            yield {
                index,
                error: errorOf(error, { status: 500, problems, ...(code === undefined ? {} : { code }) }),
            };
            continue;
        }
        const next = files.next();
        if (next.done === true)
            return;
        yield { index, name: next.value.name, bytes: await next.value.bytes() };
    }
}
async function readErrors(report) {
    if (report === undefined)
        return [];
    return JSON.parse(new TextDecoder().decode(await report.bytes()));
}
/** Groups of up to `size` items, in their order. */
export async function* groupsOf(items, size) {
    let group = [];
    for await (const item of items) {
        group.push(item);
        if (group.length < size)
            continue;
        yield group;
        group = [];
    }
    if (group.length > 0)
        yield group;
}

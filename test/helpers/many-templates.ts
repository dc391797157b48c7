import type { Sql, Statement } from '../../shared/ports/sql.ts'
import { indexNames } from '../../shared/records/name-index.ts'
import type { TemplateFilter } from '../../shared/records/templates.ts'
import { nameBits } from '../../shared/records/text.ts'

/** The bits of the name of each version, which take longer to compute than to store. */
const bits: (readonly number[])[] = []

/** Stores template versions of account `a`: `versions` of each template, with a few categories and tags. */
export async function saveMany(
  sql: Sql,
  {
    versions,
    now,
    count = 100_000,
    isIndexed = false,
  }: {
    readonly versions: number
    readonly now: number
    readonly count?: number
    readonly isIndexed?: boolean // whether searches read the index of names, whose rows take the most time
  },
): Promise<void> {
  const statements = Array.from({ length: count }, (_, number): Statement => {
    const name = `quarterly invoice for customer ${number}`
    const template = Math.floor(number / versions)
    const newest = number % versions === 0
    const [b0, b1, b2, b3, b4] = (bits[number] ??= nameBits(name))
    return {
      text: `INSERT INTO templates (account, version_id, template_id, content_hash, blob, format, size, name, name_folded,
        name_bits_0, name_bits_1, name_bits_2, name_bits_3, name_bits_4, comment, category, tags, origin, created_at,
        deployed_at, deploy_order, deployed) VALUES ('a', ?1, ?2, 'h', 'b', 'docx', 1, ?3, ?3, ?4, ?5, ?6, ?7, ?8, ?9,
        ?10, '[]', 0, 1, ?11, 1, ?12)`,
      values: [
        number.toString(16).padStart(64, '0'),
        String(5000 + template),
        name,
        ...[b0 ?? 0, b1 ?? 0, b2 ?? 0, b3 ?? 0, b4 ?? 0],
        'x'.repeat(200),
        `category ${template % 50}`,
        now - (number % versions),
        newest ? 1 : 0,
      ],
    }
  })
  for (let at = 0; at < count; at += 10_000) await sql.batch(statements.slice(at, at + 10_000))
  await sql.batch([
    {
      text: `INSERT INTO template_tags (account, version_id, tag, deployed)
        SELECT account, version_id, 'tag ' || (CAST(template_id AS INTEGER) % 200), deployed FROM templates`,
      values: [],
    },
  ])
  while (isIndexed && (await indexNames(sql)));
}

/** Every kind of list, by name. */
export const allLists = (now: number): Readonly<Record<string, TemplateFilter>> => ({
  page,
  'later page': { ...page, after: { deployedAt: now - 50, versionId: '7'.padStart(64, '0') } },
  'all versions': { ...page, includeVersions: true },
  'versions of a template': { ...page, includeVersions: true, templateId: '5003' },
  'one version': { ...page, versionId: '7'.padStart(64, '0') },
  'a category': { ...page, category: 'category 7' },
  'no category': { ...page, category: 'none' },
  'no origin': { ...page, origin: 3 },
  'search with hits': { ...page, search: 'customer 4711' },
  'search without a hit': { ...page, search: 'unfindable thing zzz' },
  'search of all versions without a hit': { ...page, includeVersions: true, search: 'unfindable thing zzz' },
  'search for two letters': { ...page, search: 'zq' },
})

const page = { includeVersions: false, limit: 101 }

// The places of a collection that neither a type nor a derivation holds together, each with a function that names what
// is forgotten there. `docs/adding-an-operation.md` is the list for people.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Event } from '#contract/event.ts'
import { infoOf } from '#contract/openapi/document.ts'
import type { Operation } from '#contract/operation.ts'
import { commonFilters, listParameters } from '#contract/collection/parameters.ts'
import { Id } from '#contract/shared-fields.ts'
import { search } from '#contract/search.ts'
import type { Database } from '#prisma/client.ts'
import { columnOf, type Collection, type EachCollection } from '../../service/collection/definition.ts'

type Named = Pick<Collection, 'segment'>
const asNamed = (collection: Named): Named => collection

/** Operations and events that `contract/api.ts` does not find. */
export function forgottenInContract(
  eachCollection: EachCollection,
  operations: readonly Operation[],
  events: readonly Event[],
): string[] {
  const known = new Set([...operations.map(({ name }) => name), ...events.map(({ type }) => type)])
  const actions = [
    'list',
    'get',
    'create',
    'update',
    'delete',
    'restore',
    'purge',
    'batch',
    'count',
    'upsert',
    'history',
  ]
  const names = [
    ...actions,
    'get-by-external-id',
    'delete-by-external-id',
    'set-external-id',
    'remove-external-id',
    'created',
    'updated',
    'deleted',
    'restored',
  ]
  return eachCollection(asNamed)
    .flatMap(({ segment }) => names.map((name) => `${segment}.${name}`))
    .filter((name) => !known.has(name))
    .map((name) => `contract/api.ts does not find ${name}`)
}

/** What a list takes by the contract, and the noun's `collection.ts` does not know. */
export function forgottenInCollection(eachCollection: EachCollection, operations: readonly Operation[]): string[] {
  return eachCollection(forgottenIn(operations)).flat()
}

type Reading = Pick<Collection, 'segment' | 'filters' | 'sorts' | 'expansions' | 'customFields'>

const forgottenIn =
  (operations: readonly Operation[]) =>
  ({ segment, filters, sorts, expansions, customFields }: Reading): string[] => {
    const input = operations.find(({ name }) => name === `${segment}.list`)?.input.properties ?? {}
    const common = new Set([...Object.keys(commonFilters(Id)), ...Object.keys(listParameters([], [], ['any']))])
    const taken = Object.keys(input).filter((name) => !common.has(name))
    const lacking = (what: string, names: readonly string[], known: object): string[] =>
      names.filter((name) => !(name in known)).map((name) => `${segment} have no ${what} ${name}`)
    return [
      ...lacking('filter', taken, { ...filters, ...(customFields && { customFields }) }),
      ...lacking('sort', choicesOf(input['sort']), sorts),
      ...lacking('expansion', choicesOf(input['expand']), expansions),
    ]
  }

/** The words that a parameter takes, without the sign of the descending order. */
function choicesOf(parameter: unknown): string[] {
  const { enum: words = [], items } = (parameter ?? {}) as { enum?: readonly string[]; items?: object }
  return [...new Set(words.map((word) => word.replace(/^-/, ''))), ...(items === undefined ? [] : choicesOf(items))]
}

/** Sentences that list what there is. */
export function forgottenInText(eachCollection: EachCollection, operations: readonly Operation[]): string[] {
  const summaryOf = (name: string): string => operations.find((operation) => operation.name === name)?.summary ?? ''
  const plurals = eachCollection(asNamed).map(({ segment }) => summaryOf(`${segment}.list`).replace('List ', ''))
  const texts = {
    'the description of search.query in contract/search.ts': search.description,
    'the summary of the API in contract/openapi/document.ts': infoOf('api').summary,
  }
  return Object.entries(texts).flatMap(([where, text]) => {
    const missing = plurals.filter((plural) => !text.toLowerCase().includes(plural.toLowerCase()))
    return missing.map((plural) => `${where} does not name ${plural}`)
  })
}

/** The programs that keep a copy of everything. */
export function forgottenInStarters(eachCollection: EachCollection): string[] {
  return ['clients/starter/typescript/sync.ts', 'clients/starter/python/sync.py'].flatMap((path) => {
    const text = readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
    return eachCollection(asNamed)
      .filter(({ segment }) => !new RegExp(`['"\\s]${segment}['":]`).test(text))
      .map(({ segment }) => `${path} does not fetch ${segment}`)
  })
}

/** Columns, constraints and indexes that the migration does not make. */
export async function forgottenInTables(db: Database, eachCollection: EachCollection): Promise<string[]> {
  const columns = await db.$queryRaw<{ name: string }[]>`
    SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'public'`
  const others = await db.$queryRaw<{ name: string }[]>`
    SELECT conname::text AS name FROM pg_constraint UNION SELECT indexname::text FROM pg_indexes`
  const triggers = await db.$queryRaw<{ name: string }[]>`SELECT tgname::text AS name FROM pg_trigger`
  const known = new Set([...columns, ...others, ...triggers].map(({ name }) => name))
  return eachCollection(namesInTables)
    .flat()
    .filter((name) => !known.has(name))
    .map((name) => `prisma/migrations/ make no ${name}`)
}

type Stored = Pick<Collection, 'table' | 'columns' | 'links' | 'references'>

const namesInTables = ({ table, columns, links, references }: Stored): string[] => [
  ...[...columns, 'purged_at'].map((column) => `${table}.${column}`),
  ...links.flatMap((link) => [link.owner, link.column, 'position'].map((column) => `${link.table}.${column}`)),
  `${table}_external_id_key`,
  ...references.map(({ field }) => {
    const { table: holding = table } = links.find((link) => link.field === field) ?? {}
    return `${holding}_${columnOf(field)}_fkey`
  }),
  ...['search_words', 'trigrams', 'deleted_at'].map((what) => `${table}_${what}_idx`),
  ...['made', 'changed', 'gone'].map((when) => `${table}_external_ids_${when}`),
]

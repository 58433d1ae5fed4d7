// The forms by which the telephone numbers of CRM entities are found. They depend on the default country of the
// workspace: when it changes, all numbers are read anew in the background, batch by batch, in the order of the ids.
import type { CrmEntity } from '#contract/crm-entities.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { column, command, query } from '#prisma/statements.ts'
import type { Fields, Filter, Link } from '../collection/definition.ts'
import { linkIn } from '../collection/filters.ts'
import { isListEdit } from '../collection/list-edits.ts'
import type { Call, Db } from '../execution/call.ts'
import { attemptEach, changeAsSystem, type ChangeDeps } from '../execution/change.ts'
import { isPhoneNumber, normalizePhone, phoneForms } from '../text/phone-numbers.ts'
import { isEmptiness } from '#contract/text-values.ts'
import { byAddress, domains, emails } from './rows.ts'

async function defaultCountryOf(db: Db, workspaceId: string): Promise<string | null> {
  const where = { id: workspaceId }
  const { defaultCountry } = await db.workspace.findUniqueOrThrow({ where, select: { defaultCountry: true } })
  return defaultCountry
}

const links = linkIn('crm_phone', 'crm_entity_id', 'number', 'text')
const phoneLink: Link = {
  field: 'phones',
  table: 'crm_phone',
  owner: 'crm_entity_id',
  column: 'number',
  type: 'text',
}

/** In a query, the `+` of a country code is read as a blank unless it is escaped. */
const withPlus = (text: string): string => text.replace(/^ (?=[1-9])/, '+')

export const byPhone: Filter = {
  ...links,
  prepare: async (given: unknown, { db, workspaceId }: Pick<Call, 'db' | 'workspaceId'>) => {
    const country = await defaultCountryOf(db, workspaceId)
    return (given as readonly string[]).map((value) => {
      const [not, number] = value.startsWith('!') ? ['!', value.slice(1)] : ['', value]
      return isEmptiness(number) ? value : `${not}${normalizePhone(withPlus(number), country)}`
    })
  },
}

/** More candidates are not told of. */
const candidatesMax = 10

const entitiesWith = query(
  { id: column.uuid },
  (link: Link, workspaceId: string, kind: string, values: readonly string[]) => Prisma.sql`
    SELECT e.id FROM crm_entity e WHERE e.workspace_id = ${workspaceId}::uuid AND e.kind = ${kind}
      AND e.merged_into_id IS NULL AND e.purged_at IS NULL AND e.id IN (
        SELECT l.crm_entity_id FROM ${Prisma.raw(`${link.table} l WHERE l.${link.column} = ANY`)}(${values}::text[])
          AND l.workspace_id = ${workspaceId}::uuid)
    ORDER BY e.deleted_at IS NOT NULL, e.id LIMIT ${candidatesMax}::int`,
  [domains, emails, phoneLink].map((link) => [link, '', '', []]),
)

/** The ids of entities of the kind that have one of the values, deleted ones last. */
export async function matchingEntities(match: string, given: Fields, { db, workspaceId }: Call): Promise<string[]> {
  const values = valuesIn(given[match])
  if (values.length === 0) return []
  const link = { domains, emails, phones: phoneLink }[match as 'domains' | 'emails' | 'phones']
  const wanted =
    match === 'phones' ? await formsOf(values, db, workspaceId) : values.map((value) => link.compared?.(value) ?? value)
  const rows = await entitiesWith(db, link, workspaceId, String(given['kind']), wanted)
  return rows.map(({ id }) => id)
}

/** The whole list, or what is added to it. */
const valuesIn = (given: unknown): readonly string[] =>
  ((isListEdit(given) ? given.add : given) ?? []) as readonly string[]

async function formsOf(numbers: readonly string[], db: Db, workspaceId: string): Promise<string[]> {
  const country = await defaultCountryOf(db, workspaceId)
  return numbers.map((number) => normalizePhone(number, country))
}

/** A shorter number is found as a whole only: too many begin so. */
const beginningMin = 5
const matchesMax = 1_000

/** Selects the ids of entities that a search finds by a domain, an email or a telephone number. */
export async function searchedToo(
  q: string,
  { db, workspaceId }: Pick<Call, 'db' | 'workspaceId'>,
): Promise<Prisma.Sql> {
  const addresses = byAddress(q, workspaceId)
  if (!isPhoneNumber(q)) return addresses
  const country = await defaultCountryOf(db, workspaceId)
  const numbers = [...new Set([q.trim(), withPlus(q)])].map((typed) => normalizePhone(typed, country))
  const fits = numbers.map((number) =>
    number.length < beginningMin ? Prisma.sql`number = ${number}::text` : Prisma.sql`number LIKE ${`${number}%`}::text`,
  )
  return Prisma.sql`${addresses} UNION ALL (SELECT crm_entity_id FROM crm_phone
    WHERE workspace_id = ${workspaceId}::uuid AND (${Prisma.join(fits, ' OR ')})
    ORDER BY number LIMIT ${matchesMax})`
}

type WithPhones = { readonly id: string; readonly phones: readonly string[] }

/** Replaces the forms of these entities of one workspace. */
const replaceForms = command(
  (workspaceId: string, ids: readonly string[], owners: readonly string[], numbers: readonly string[]) => Prisma.sql`
    WITH given AS (SELECT id, number COLLATE "C" AS number FROM unnest(${[...owners]}::uuid[], ${[...numbers]}::text[]) AS given (id, number)),
      gone AS (DELETE FROM crm_phone p WHERE p.workspace_id = ${workspaceId}::uuid
        AND p.crm_entity_id = ANY(${[...ids]}::uuid[])
        AND NOT EXISTS (SELECT FROM given WHERE given.id = p.crm_entity_id AND given.number = p.number))
    INSERT INTO crm_phone (workspace_id, crm_entity_id, number)
    SELECT ${workspaceId}::uuid, id, number FROM given ON CONFLICT DO NOTHING`,
)

async function writeForms(tx: Db, workspaceId: string, entities: readonly WithPhones[]): Promise<void> {
  const country = await defaultCountryOf(tx, workspaceId)
  const forms = entities.flatMap(({ id, phones }) =>
    [...new Set(phones.flatMap((phone) => phoneForms(phone, country)))].map((number) => ({ id, number })),
  )
  await replaceForms(
    tx,
    workspaceId,
    entities.map(({ id }) => id),
    forms.map(({ id }) => id),
    forms.map(({ number }) => number),
  )
}

export const keepPhones = (entity: CrmEntity, tx: Db): Promise<void> =>
  writeForms(tx, entity.workspaceId, [{ id: entity.id, phones: 'phones' in entity ? entity.phones : [] }])

const workspacesMax = 20
const entitiesMax = 500

const waitingWorkspaces = query(
  { id: column.uuid },
  () =>
    Prisma.sql`SELECT id FROM workspace WHERE phones_read_through IS NOT NULL ORDER BY id LIMIT ${workspacesMax}::int`,
)

const waitingEntities = query(
  { id: column.uuid, phones: column.text.list.present },
  (workspaceId: string, through: string, max: number) => Prisma.sql`SELECT id, phones FROM crm_entity
    WHERE workspace_id = ${workspaceId}::uuid AND id > ${through}::uuid AND phones <> '{}' ORDER BY id LIMIT ${max}::int`,
)

/** Changes nothing where the country has changed meanwhile: then the numbers are read from the first on again. */
const advance = command(
  (workspaceId: string, country: string | null, through: string, next: string | null) => Prisma.sql`
    UPDATE workspace SET phones_read_through = ${next}::uuid WHERE id = ${workspaceId}::uuid
      AND phones_read_through = ${through}::uuid AND default_country IS NOT DISTINCT FROM ${country}::text`,
)

/** Reads one batch for each workspace whose numbers wait. Returns false when there is none. */
export async function readWaitingPhones(parts: ChangeDeps, max = entitiesMax): Promise<boolean> {
  const waiting = await waitingWorkspaces(parts.db)
  await attemptEach(waiting, ({ id }) =>
    changeAsSystem(parts, id, null, async ({ db, workspaceId }) => {
      const where = { id: workspaceId }
      const select = { defaultCountry: true, phonesReadThrough: true }
      const { defaultCountry, phonesReadThrough } = await db.workspace.findUniqueOrThrow({ where, select })
      if (phonesReadThrough === null) return
      const entities = await waitingEntities(db, workspaceId, phonesReadThrough, max)
      await writeForms(db, workspaceId, entities)
      const next = entities.length < max ? null : (entities.at(-1)?.id ?? null)
      await advance(db, workspaceId, defaultCountry, phonesReadThrough, next)
    }),
  )
  return waiting.length > 0
}

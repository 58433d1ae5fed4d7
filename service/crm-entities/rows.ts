// Domains and emails of CRM entities, and the companies above a company. A domain belongs to one company of the
// workspace and an email to one contact, also while these are deleted, since they can be restored; companies and deals
// share their emails with others.
import type { CrmEntity } from '#contract/crm-entities.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { column, query } from '#prisma/statements.ts'
import type { Filter, Link } from '../collection/definition.ts'
import { optionalColumnIn } from '../collection/filters.ts'
import type { Call, Db } from '../execution/call.ts'
import { folded, escapeLike } from '../collection/text-matching.ts'
import { refuseParameter, valueTaken } from '../faults/shared-faults.ts'
import { comparedDomain, comparedEmail } from '../text/addresses.ts'
import { foldText } from '../text/search-words.ts'

export const domains: Link = {
  field: 'domains',
  table: 'crm_domain',
  owner: 'crm_entity_id',
  column: 'domain',
  type: 'text',
  compared: comparedDomain,
}
export const emails: Link = {
  field: 'emails',
  table: 'crm_email',
  owner: 'crm_entity_id',
  column: 'email',
  type: 'text',
  compared: comparedEmail,
  isShared: ({ kind }) => kind !== 'contact',
}

/** Selects the one that owns an address. The limit has each looked up by itself, however many the planner expects. */
const ownerOf = ({ table, column: address, isShared }: Link, value: Prisma.Sql, workspaceId: string): Prisma.Sql =>
  Prisma.sql`SELECT crm_entity_id AS id FROM ${Prisma.raw(table)}
    WHERE workspace_id = ${workspaceId}::uuid AND ${Prisma.raw(address)} = ${value}
      ${isShared === undefined ? Prisma.empty : Prisma.sql`AND NOT shared`} LIMIT 1`

const ownersOf = query(
  { value: column.text, id: column.uuid, deletedAt: column.time.orNull },
  (link: Link, workspaceId: string, id: string, added: readonly string[]) => Prisma.sql`
    SELECT given.value, l.id, e.deleted_at AS "deletedAt"
    FROM unnest(${added}::text[]) AS given (value)
    CROSS JOIN LATERAL (${ownerOf(link, Prisma.sql`given.value`, workspaceId)}) l
    CROSS JOIN LATERAL (
      SELECT deleted_at FROM crm_entity WHERE workspace_id = ${workspaceId}::uuid AND id = l.id LIMIT 1
    ) e
    WHERE l.id <> ${id}::uuid ORDER BY 1 LIMIT 1`,
  [domains, emails].map((link) => [link, '', '', []]),
)

export async function assertFree(
  db: Db,
  link: Link,
  { workspaceId, id, kind }: CrmEntity,
  values: readonly string[],
  known: readonly string[],
): Promise<void> {
  const compared = (all: readonly string[]) => all.map((value) => link.compared?.(value) ?? value)
  const [forms, knownForms] = [compared(values), compared(known)]
  const added = forms.filter((form) => !knownForms.includes(form))
  if (added.length === 0) return
  const [owned] = await ownersOf(db, link, workspaceId, id, added)
  if (owned === undefined) return
  const at = forms.indexOf(owned.value)
  const detail = `Another ${kind} has ${values[at]}.`
  throw valueTaken(link.field, owned, detail, {
    errors: [{ pointer: `/${link.field}/${at}`, code: 'not_unique', detail }],
  })
}

/** The ids of the companies that have these domains or of the contacts that have these emails, also deleted ones. */
export const ownersOfAddresses = query(
  { name: column.text, id: column.uuid },
  (form: 'domain' | 'email', workspaceId: string, names: readonly string[], addresses: readonly string[]) => {
    const link = form === 'domain' ? domains : emails
    const forms = addresses.map((each) => link.compared?.(each) ?? each)
    return Prisma.sql`SELECT given.name, l.id
      FROM unnest(${names}::text[], ${forms}::text[]) AS given (name, address)
      CROSS JOIN LATERAL (${ownerOf(link, Prisma.sql`given.address`, workspaceId)}) l`
  },
  [
    ['domain', '', [], []],
    ['email', '', [], []],
  ],
)

/** The database lets the tree become no deeper. */
const depthMax = 20

const parentsOf = query(
  { id: column.uuid },
  (workspaceId: string, id: string) => Prisma.sql`
    WITH RECURSIVE up (id, depth) AS (
      SELECT parent_company_id, 1 FROM crm_entity WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid
      UNION ALL
      SELECT coalesce(e.merged_into_id, e.parent_company_id), depth + (e.merged_into_id IS NULL)::int FROM up
      JOIN crm_entity e ON e.workspace_id = ${workspaceId}::uuid AND e.id = up.id WHERE depth < ${depthMax}
    ) SELECT id FROM up WHERE id IS NOT NULL ORDER BY depth`,
)

/**
 * The ids of a company's parent, the parent's parent and so on, nearest first; none for other kinds. A company below a
 * merged one, and not moved yet, is below its survivor.
 */
export async function ancestorsOf(
  { kind, id }: CrmEntity,
  { db, workspaceId }: Pick<Call, 'db' | 'workspaceId'>,
): Promise<string[]> {
  if (kind !== 'company') return []
  const rows = await parentsOf(db, workspaceId, id)
  return rows.map((row) => row.id)
}

const matchesMax = 1_000

/** Selects the ids of entities with a domain or email that begins with `q`. */
export function byAddress(q: string, workspaceId: string): Prisma.Sql {
  const text = q.trim()
  const written = `${escapeLike(text.toLowerCase())}%`
  return Prisma.join(
    [domains, emails].flatMap(({ table, column, compared = String }) => {
      const beginning = folded(`${escapeLike(foldText(compared(text)))}%`)
      const [name, from] = [Prisma.raw(column), Prisma.raw(table)]
      return [
        Prisma.sql`(SELECT crm_entity_id FROM ${from} WHERE workspace_id = ${workspaceId}::uuid
          AND folded(${name}) LIKE ${beginning} ORDER BY folded(${name}) USING ~<~ LIMIT ${matchesMax})`,
        Prisma.sql`(SELECT crm_entity_id FROM ${from} WHERE workspace_id = ${workspaceId}::uuid
          AND written COLLATE "C" LIKE ${written} ORDER BY written COLLATE "C" LIMIT ${matchesMax})`,
      ]
    }),
    ' UNION ALL ',
  )
}

/** Only amounts of one currency can be compared. */
const amount = (parameter: string, past: '>' | '<'): Filter => ({
  condition: (bound, { amountCurrency, amountAbove, amountBelow }) => {
    const [currency = '', ...others] = (amountCurrency ?? []) as string[]
    if (others.length > 0 || !/^[A-Z]{3}$/.test(currency))
      refuseParameter('amountCurrency', 'required', `\`${parameter}\` compares amounts of one currency: name it here.`)
    if (Number(amountAbove) >= Number(amountBelow))
      refuseParameter('amountBelow', 'too_small', 'Lies below all that `amountAbove` leaves: nothing can match.')
    return Prisma.sql`${Prisma.raw(`(t.amount ->> 'amount')::numeric ${past}`)} ${bound}::text::numeric`
  },
})

export const amountFilters: Readonly<Record<string, Filter>> = {
  amountCurrency: optionalColumnIn(`amount ->> 'currency'`),
  amountAbove: amount('amountAbove', '>'),
  amountBelow: amount('amountBelow', '<'),
}

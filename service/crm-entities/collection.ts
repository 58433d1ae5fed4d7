// What CRM entities have of their own, as a collection.
import {
  crmEntityCreated,
  crmEntityDeleted,
  crmEntityRestored,
  crmEntityUpdated,
  allFields,
} from '#contract/crm-entities.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { define } from '../collection/define.ts'
import { crmEntities as shownEntities, expandMany, members, expandOne } from '../collection/expand-sources.ts'
import { arrayHasAll, arrayHasAny, columnIn, linkIn, type Filter } from '../collection/filters.ts'
import { byName } from '../collection/keyset.ts'
import { escapeLike, folded } from '../lists/search-terms.ts'
import { entityFromRow, kindsIn } from './kinds.ts'
import { draft, applyPatch, erased } from './rules.ts'
import { domains, emails, resolve } from './resolve.ts'

/** Compares in lower case, as the values are stored. */
const inLowerCase = (...link: Parameters<typeof linkIn>): Filter => {
  const { linked } = linkIn(...link)
  return {
    linked: (values, workspaceId) =>
      linked(
        (values as string[]).map((value) => value.toLowerCase()),
        workspaceId,
      ),
  }
}

const matchesMax = 1_000

/** Selects the ids of entities with a domain or email that begins with `q`. */
function byAddress(q: string, workspaceId: string): Prisma.Sql {
  const beginning = folded(`${escapeLike(q.trim())}%`)
  return Prisma.sql`
    (SELECT crm_entity_id FROM crm_domain WHERE workspace_id = ${workspaceId}::uuid AND folded(domain) LIKE ${beginning}
     ORDER BY folded(domain) USING ~<~ LIMIT ${matchesMax})
    UNION ALL
    (SELECT crm_entity_id FROM crm_email WHERE workspace_id = ${workspaceId}::uuid AND folded(email) LIKE ${beginning}
     ORDER BY folded(email) USING ~<~ LIMIT ${matchesMax})`
}

export const crmEntities = define({
  segment: 'crm-entities',
  operations: {
    list: 'crm-entities.list',
    get: 'crm-entities.get',
    create: 'crm-entities.create',
    update: 'crm-entities.update',
    delete: 'crm-entities.delete',
    restore: 'crm-entities.restore',
    purge: 'crm-entities.purge',
    'get-by-external-id': 'crm-entities.get-by-external-id',
    upsert: 'crm-entities.upsert',
    'delete-by-external-id': 'crm-entities.delete-by-external-id',
    batch: 'crm-entities.batch',
    count: 'crm-entities.count',
  },
  noun: 'CRM entity',
  object: 'crm_entity',
  table: 'crm_entity',
  titleColumn: 'name',
  textColumn: 'description',
  inSearch: { kind: 't.kind', status: 't.stage' },
  commentedAs: 'crmEntityId',
  fields: allFields,
  links: [
    domains,
    emails,
    { field: 'contactIds', table: 'deal_contact', owner: 'deal_id', column: 'contact_id', type: 'uuid' },
  ],
  references: [
    { field: 'ownerId', table: 'member' },
    { field: 'companyId', table: 'crm_entity', condition: `r.kind = 'company'` },
    { field: 'parentCompanyId', table: 'crm_entity', condition: `r.kind = 'company'` },
    { field: 'contactIds', table: 'crm_entity', condition: `r.kind = 'contact'` },
    { field: 'mergedIntoId', table: 'crm_entity' },
  ],
  filters: {
    kind: columnIn('kind'),
    stage: columnIn('stage'),
    ownerId: columnIn('owner_id', 'uuid'),
    companyId: columnIn('company_id', 'uuid'),
    parentCompanyId: columnIn('parent_company_id', 'uuid'),
    labels: arrayHasAny('labels'),
    labelsAll: arrayHasAll('labels'),
    domain: inLowerCase('crm_domain', 'crm_entity_id', 'domain', 'text'),
    email: inLowerCase('crm_email', 'crm_entity_id', 'email', 'text'),
  },
  sorts: {
    createdAt: { field: 'createdAt', sql: 't.created_at', type: 'timestamptz' },
    updatedAt: { field: 'updatedAt', sql: 't.updated_at', type: 'timestamptz' },
    name: byName('name'),
  },
  expansions: {
    owner: expandOne(members, 'ownerId'),
    company: expandOne(shownEntities, 'companyId'),
    parentCompany: expandOne(shownEntities, 'parentCompanyId'),
    contacts: expandMany(shownEntities, 'contactIds'),
  },
  events: {
    created: crmEntityCreated,
    updated: crmEntityUpdated,
    deleted: crmEntityDeleted,
    restored: crmEntityRestored,
  },
  customFieldTargets: ({ kind }) => kindsIn(kind),
  draft,
  applyPatch,
  erased,
  resolve,
  selectExtra: byAddress,
  narrow: entityFromRow,
})

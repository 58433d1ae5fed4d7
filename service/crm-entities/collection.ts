// The collection of CRM entities: its columns, filters and references, and the checks of unique domains and emails.
import {
  crmEntityCreated,
  crmEntityDeleted,
  crmEntityRestored,
  crmEntityUpdated,
  allFields,
  type CrmEntity,
} from '#contract/crm-entities.ts'
import { Fault } from '#contract/faults/fault.ts'
import { define } from '../collection/definition.ts'
import {
  crmEntities as shownEntities,
  expandMany,
  members,
  expandOne,
  fileReference,
  files,
} from '../collection/expand.ts'
import { byAmount, byName } from '../collection/pagination.ts'
import type { Call } from '../execution/call.ts'
import { arrayHasAll, arrayHasAny, columnIn, linkIn, optionalColumnIn, spanFilters } from '../collection/filters.ts'
import { entityFromRow, kindsIn } from './fields.ts'
import { amountFilters, domains, emails, assertFree } from './rows.ts'
import { byPhone, keepPhones, matchingEntities, searchedToo } from './phone-rows.ts'
import { draft, applyPatch, erased } from './rules.ts'
import { comparedDomain, comparedEmail } from '../text/addresses.ts'
import { customFieldsFor } from '../custom-fields/for-collections.ts'

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
    'set-external-id': 'crm-entities.set-external-id',
    'remove-external-id': 'crm-entities.remove-external-id',
    batch: 'crm-entities.batch',
    count: 'crm-entities.count',
    history: 'crm-entities.history',
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
    { field: 'fileIds', table: 'crm_entity_file', owner: 'crm_entity_id', column: 'file_id', type: 'uuid' },
  ],
  references: [
    { field: 'ownerId', table: 'member' },
    { field: 'companyId', table: 'crm_entity', condition: `r.kind = 'company'` },
    { field: 'parentCompanyId', table: 'crm_entity', condition: `r.kind = 'company'` },
    { field: 'contactIds', table: 'crm_entity', condition: `r.kind = 'contact'` },
    { field: 'mergedIntoId', table: 'crm_entity' },
    fileReference,
  ],
  filters: {
    kind: columnIn('kind'),
    stage: optionalColumnIn('stage'),
    ownerId: optionalColumnIn('owner_id', 'uuid'),
    companyId: optionalColumnIn('company_id', 'uuid'),
    parentCompanyId: optionalColumnIn('parent_company_id', 'uuid'),
    contactId: linkIn('deal_contact', 'deal_id', 'contact_id'),
    fileId: linkIn('crm_entity_file', 'crm_entity_id', 'file_id'),
    labels: arrayHasAny('labels'),
    labelsAll: arrayHasAll('labels'),
    domain: linkIn('crm_domain', 'crm_entity_id', 'domain', 'text', comparedDomain),
    email: linkIn('crm_email', 'crm_entity_id', 'email', 'text', comparedEmail),
    phone: byPhone,
    ...amountFilters,
    ...spanFilters('expectedClose', 'expectedCloseDate', 'expected_close_date', 'date'),
    ...spanFilters('closed', 'closedAt', 'closed_at', 'timestamptz'),
  },
  sorts: {
    createdAt: { field: 'createdAt', sql: 't.created_at', type: 'timestamptz' },
    updatedAt: { field: 'updatedAt', sql: 't.updated_at', type: 'timestamptz' },
    name: byName('name'),
    amount: byAmount('amount', 'amount'),
  },
  expansions: {
    owner: expandOne(members, 'ownerId'),
    company: expandOne(shownEntities, 'companyId'),
    parentCompany: expandOne(shownEntities, 'parentCompanyId'),
    contacts: expandMany(shownEntities, 'contactIds'),
    files: expandMany(files, 'fileIds'),
  },
  events: {
    created: crmEntityCreated,
    updated: crmEntityUpdated,
    deleted: crmEntityDeleted,
    restored: crmEntityRestored,
  },
  customFields: customFieldsFor(({ kind }) => kindsIn(kind)),
  draft,
  applyPatch,
  erased,
  resolve,
  selectExtra: searchedToo,
  kept: { field: 'phones', write: keepPhones },
  matching: matchingEntities,
  narrow: entityFromRow,
})

async function resolve(next: CrmEntity, before: CrmEntity | null, { db }: Pick<Call, 'db'>): Promise<CrmEntity> {
  if (before !== null && before.deletedAt !== null && next.deletedAt === null) assertNotMerged(next)
  if (next.kind === 'company')
    await assertFree(db, domains, next, next.domains, before?.kind === 'company' ? before.domains : [])
  if (next.kind === 'contact')
    await assertFree(db, emails, next, next.emails, before?.kind === 'contact' ? before.emails : [])
  return next
}

function assertNotMerged({ mergedIntoId }: CrmEntity): void {
  if (mergedIntoId === null) return
  throw new Fault('invalid_transition', 'It was merged into another CRM entity, which has what it had.', {
    from: 'merged',
    to: 'restored',
    allowed: [],
    mergedIntoId,
  })
}

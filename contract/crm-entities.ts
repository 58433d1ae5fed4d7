// CRM entities: events and operations. Companies, contacts and deals are one collection, told apart by `kind`.
import { Type } from 'typebox'
import { collection, expandable } from './collection/operations.ts'
import { crmEntityCommentUpdated } from './comments.ts'
import {
  Company,
  Contact,
  CrmEntity,
  CrmKind,
  Deal,
  allFields,
  createFields,
  kinds,
  patchFields,
  stages,
} from './crm-entity-schema.ts'
import { documentUpdated } from './documents.ts'
import { event } from './event-declaration.ts'
import { Id, closed, nullable } from './shared-fields.ts'
import { operation } from './operation.ts'
import { projectUpdated } from './projects.ts'
import {
  allLabelsFilter,
  idFilter,
  memberFilter,
  enumFilter,
  textFilter,
  customFieldFilter,
} from './filter-parameters.ts'
import { CrmEntityReference, MemberReference } from './expandable-references.ts'
import { taskUpdated } from './tasks.ts'
import { tag } from './tag.ts'

export const crmEntitiesTag = tag(
  'crm-entities',
  'Companies, contacts and deals: one collection, told apart by `kind`.',
)

const owner = { owner: nullable(MemberReference) }
const company = { company: nullable(CrmEntityReference) }
const parentCompany = { parentCompany: nullable(CrmEntityReference) }
const contacts = { contacts: Type.Array(CrmEntityReference, { maxItems: 50 }) }
const expansions = { ...owner, ...company, ...parentCompany, ...contacts }

export const ShownCompany = expandable(Company, { ...owner, ...parentCompany })
export const ShownContact = expandable(Contact, { ...owner, ...company })
export const ShownDeal = expandable(Deal, { ...owner, ...company, ...contacts })
const ShownEntity = Type.Union([ShownCompany, ShownContact, ShownDeal])

export const crmEntityCreated = event('crm-entities.created', CrmEntity, 'A CRM entity was created.')
export const crmEntityUpdated = event('crm-entities.updated', CrmEntity, 'A CRM entity was changed.')
export const crmEntityDeleted = event('crm-entities.deleted', CrmEntity, 'A CRM entity was deleted.')
export const crmEntityRestored = event('crm-entities.restored', CrmEntity, 'A deleted CRM entity was restored.')

const merged = { mergedFromId: Id }
export const MergedCompany = closed({ ...Company.properties, ...merged })
export const MergedContact = closed({ ...Contact.properties, ...merged })
export const MergedDeal = closed({ ...Deal.properties, ...merged })
const MergedEntity = Type.Union([MergedCompany, MergedContact, MergedDeal])
export const crmEntityMerged = event(
  'crm-entities.merged',
  MergedEntity,
  'Another CRM entity, `mergedFromId`, was merged into this one.',
)

export const {
  'crm-entities.list': listCrmEntities,
  'crm-entities.get': getCrmEntity,
  'crm-entities.create': createCrmEntity,
  'crm-entities.update': updateCrmEntity,
  'crm-entities.delete': deleteCrmEntity,
  'crm-entities.restore': restoreCrmEntity,
  'crm-entities.purge': purgeCrmEntity,
  'crm-entities.get-by-external-id': getCrmEntityByExternalId,
  'crm-entities.upsert': upsertCrmEntity,
  'crm-entities.delete-by-external-id': deleteCrmEntityByExternalId,
  'crm-entities.batch': batchCrmEntities,
  'crm-entities.count': countCrmEntities,
} = collection({
  segment: 'crm-entities',
  singular: 'CRM entity',
  plural: 'CRM entities',
  resource: CrmEntity,
  expanded: ShownEntity,
  fields: { ...allFields, ...expansions },
  expansions: Object.keys(expansions),
  create: { kind: CrmKind, ...createFields },
  patch: patchFields,
  filters: {
    kind: enumFilter(kinds),
    stage: enumFilter(stages),
    ownerId: memberFilter,
    companyId: idFilter,
    parentCompanyId: idFilter,
    labels: textFilter(50),
    labelsAll: allLabelsFilter,
    domain: textFilter(253),
    email: textFilter(254),
    customFields: customFieldFilter,
  },
  sorts: ['createdAt', 'updatedAt', 'name'],
  groups: ['kind', 'stage', 'ownerId', 'companyId', 'industry'],
  events: {
    created: crmEntityCreated,
    updated: crmEntityUpdated,
    deleted: crmEntityDeleted,
    restored: crmEntityRestored,
  },
  writeErrors: ['unknown_field'],
})

export const mergeCrmEntity = operation({
  name: 'crm-entities.merge',
  http: 'POST /crm-entities/{id}/merge',
  summary: 'Merge another CRM entity into this one',
  description:
    'Both are of one kind. This one takes what it lacks from the source, and whatever names the source names it instead: where more than 1,000 objects do, most of them within seconds to minutes after the answer, each with a version and an event, and until then the id of the source leads here. The source cannot be restored, and its id leads here as long as deleted objects are kept. Needs `crm-entities:delete` as well. Merging it again changes nothing.',
  scope: 'crm-entities:write',
  input: closed({ id: Id, sourceId: Id }),
  output: CrmEntity,
  success: 200,
  errors: ['not_found', 'insufficient_scope', 'reference_not_found', 'limit_reached'],
  emits: [
    crmEntityMerged,
    crmEntityDeleted,
    crmEntityUpdated,
    projectUpdated,
    taskUpdated,
    documentUpdated,
    crmEntityCommentUpdated,
  ],
})

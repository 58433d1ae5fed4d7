// The fields of companies, contacts and deals that have rules of their own: domains, emails, phones, names, address,
// money.
import { Type, type Static, type TProperties } from 'typebox'
import {
  Currency,
  closed,
  nullable,
  CustomFields,
  DateOnly,
  Description,
  Id,
  Labels,
  Name,
  Timestamp,
  externalIdFields,
  optional,
} from './shared-fields.ts'
import { CrmEntityImport, contentFields } from './imports.ts'
import {
  accepted,
  shown,
  type References,
  CrmEntityRef,
  CrmEntityReference,
  MemberReference,
  FileIds,
  filesExpansion,
} from './references.ts'
import { collection, expandable } from './collection/operations.ts'
import { crmEntityCommentUpdated } from './comments.ts'
import { documentUpdated } from './documents.ts'
import { event } from './event.ts'
import { operation, tag } from './operation.ts'
import { projectUpdated } from './projects.ts'
import {
  allLabelsFilter,
  closingFilters,
  currencyFilter,
  emptiableEnumFilter,
  companyFilter,
  fileFilter,
  contactFilter,
  memberFilter,
  months,
  enumFilter,
  phoneFilter,
  textFilter,
  customFieldFilter,
} from './collection/parameters.ts'
import { taskUpdated } from './tasks.ts'

const Domain = Type.String({
  format: 'idn-hostname',
  maxLength: 253,
  description: 'For example, example.com or münchen.example.',
})
const Email = Type.String({ format: 'idn-email', maxLength: 254 })
const inAnyScript = 'Stored in lower case and in the script that was sent, compared in punycode.'
export const emails = Type.Array(Email, {
  maxItems: 20,
  uniqueItems: true,
  description: `${inAnyScript} Each belongs to one contact of the workspace; companies and deals may have it as well.`,
})
export const domains = Type.Array(Domain, {
  maxItems: 50,
  uniqueItems: true,
  description: `${inAnyScript} Each belongs to one company of the workspace.`,
})
export const phones = Type.Array(Type.String({ minLength: 1, maxLength: 40, format: 'line' }), {
  maxItems: 20,
  uniqueItems: true,
  description: 'Stored as sent. `phone` finds a number in any notation, by the `defaultCountry` of the workspace.',
})
export const PersonName = Type.String({ minLength: 1, maxLength: 100, format: 'line' })
/** The name of a contact is made of first and last name, or is the first email. */
export const EntityName = Type.String({ minLength: 1, maxLength: 255 })

const text = (maxLength: number) => nullable(Type.String({ minLength: 1, maxLength }))
export const addressParts = {
  street: text(500),
  city: text(100),
  region: text(100),
  postalCode: text(20),
  country: nullable(
    Type.String({ pattern: '^[A-Z]{2}$', format: 'country', description: 'ISO 3166-1 alpha-2, or XK for Kosovo.' }),
  ),
}
const Address = closed(addressParts)
export type Address = Static<typeof Address>

const amountPattern = '^-?(?:0|[1-9][0-9]{0,14})(?:\\.[0-9]{1,4})?$'
export const moneyParts = {
  amount: Type.String({
    pattern: amountPattern,
    description:
      'A decimal as text, such as "1250.00", or "-80.50" for a credit. After the point it has at most as many digits as the minor unit of its currency: two for EUR, none for JPY, three for KWD.',
  }),
  currency: Currency,
}
const Money = closed(moneyParts)
export type Money = Static<typeof Money>

// The three kinds of CRM entity, company, contact and deal: the fields of each, and those of all.

export const kinds = ['company', 'contact', 'deal'] as const
export const CrmKind = Type.Enum([...kinds])
export type CrmKind = Static<typeof CrmKind>
/** Of a deal that is neither won nor lost. */
export const openDealStages = ['new', 'qualified', 'proposal', 'negotiation'] as const
export const stages = [...openDealStages, 'won', 'lost'] as const
export const DealStage = Type.Enum([...stages])
export type DealStage = Static<typeof DealStage>

const companyFieldsNaming = ({ company }: References) => ({
  name: Name,
  domains,
  website: nullable(Type.String({ format: 'iri', pattern: '^https?://', maxLength: 2_000 })),
  industry: nullable(Name),
  employeeCount: nullable(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  emails,
  phones,
  address: nullable(Address),
  parentCompanyId: nullable(company),
})
const contactFieldsNaming = ({ company }: References) => ({
  firstName: nullable(PersonName),
  lastName: nullable(PersonName),
  emails,
  phones,
  address: nullable(Address),
  jobTitle: nullable(Name),
  companyId: nullable(company),
})
const dealFieldsNaming = ({ company, contact }: References) => ({
  name: Name,
  stage: DealStage,
  amount: nullable(Money),
  probability: Type.Integer({
    minimum: 0,
    maximum: 100,
    description: 'Follows the stage unless it is given; 100 when won, 0 when lost.',
  }),
  expectedCloseDate: nullable(DateOnly),
  lostReason: nullable(Type.String({ minLength: 1, maxLength: 1_000, description: 'Only for lost deals.' })),
  emails,
  phones,
  companyId: nullable(company),
  contactIds: Type.Array(contact, { maxItems: 50, uniqueItems: true }),
})
const commonFieldsNaming = ({ member }: References) => ({
  ownerId: nullable(member),
  labels: Labels,
  description: nullable(Description),
  fileIds: FileIds,
  customFields: CustomFields,
  ...externalIdFields,
})
const fieldsNaming = (references: References) => ({
  company: companyFieldsNaming(references),
  contact: contactFieldsNaming(references),
  deal: dealFieldsNaming(references),
  common: commonFieldsNaming(references),
})
const {
  company: companyFields,
  contact: contactFields,
  deal: dealFields,
  common: commonFields,
} = fieldsNaming(accepted)
const shownFields = fieldsNaming(shown)

/** Names of the fields that callers can set, by kind. */
export const writableFields: Readonly<Record<CrmKind, readonly string[]>> = {
  company: Object.keys({ ...companyFields, ...commonFields }),
  contact: Object.keys({ ...contactFields, ...commonFields }),
  deal: Object.keys({ ...dealFields, ...commonFields }),
}
const fieldsOfAnyKind = { ...companyFields, ...contactFields, ...dealFields, ...commonFields }
/** The fields of a create, whatever the kind. */
export const createFields = optional({ ...fieldsOfAnyKind, address: nullable(closed(optional(addressParts))) })
/** The fields of an update. The parts of an object are merged as well (RFC 7396). */
export const patchFields = optional({ ...createFields, amount: nullable(closed(optional(moneyParts))) })

const entity = <K extends CrmKind, F extends TProperties>(kind: K, fields: F) =>
  closed({
    ...contentFields('crm_entity'),
    kind: Type.Literal(kind),
    ...fields,
    ...shownFields.common,
    mergedIntoId: nullable(Id),
  })

export const Company = entity('company', shownFields.company)
export const Contact = entity('contact', { name: EntityName, ...shownFields.contact })
export const Deal = entity('deal', { ...shownFields.deal, closedAt: nullable(Timestamp) })
export const CrmEntity = Type.Union([Company, Contact, Deal])
export type Company = Static<typeof Company>
export type Contact = Static<typeof Contact>
export type Deal = Static<typeof Deal>
export type CrmEntity = Static<typeof CrmEntity>

/** The fields of the resources of all kinds. */
export const allFields = {
  ...Company.properties,
  ...Contact.properties,
  ...Deal.properties,
  kind: CrmKind,
  name: EntityName,
}

// CRM entities: events and operations. Companies, contacts and deals are one collection, distinguished by `kind`.

export const crmEntitiesTag = tag(
  'crm-entities',
  'Companies, contacts and deals: one collection, distinguished by `kind`.',
)

const amountFilter = Type.Optional(
  Type.String({
    pattern: amountPattern,
    maxLength: 21,
    description: 'Exclusive; a decimal in the one currency that `amountCurrency` names.',
  }),
)

const owner = { owner: nullable(MemberReference) }
const company = { company: nullable(CrmEntityReference) }
const parentCompany = { parentCompany: nullable(CrmEntityReference) }
const contacts = { contacts: Type.Array(CrmEntityReference, { maxItems: 50 }) }
const files = { files: filesExpansion }
const expansions = { ...owner, ...company, ...parentCompany, ...contacts, ...files }

export const ShownCompany = expandable(Company, { ...owner, ...parentCompany, ...files })
export const ShownContact = expandable(Contact, { ...owner, ...company, ...files })
export const ShownDeal = expandable(Deal, { ...owner, ...company, ...contacts, ...files })
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
  'crm-entities.set-external-id': setCrmEntityExternalId,
  'crm-entities.remove-external-id': removeCrmEntityExternalId,
  'crm-entities.batch': batchCrmEntities,
  'crm-entities.count': countCrmEntities,
  'crm-entities.history': listCrmEntityChanges,
} = collection({
  segment: 'crm-entities',
  singular: 'CRM entity',
  plural: 'CRM entities',
  resource: CrmEntity,
  reference: CrmEntityRef,
  expanded: ShownEntity,
  fields: { ...allFields, ...expansions },
  expansions: Object.keys(expansions),
  create: { kind: CrmKind, ...createFields },
  patch: patchFields,
  imported: CrmEntityImport,
  filters: {
    kind: enumFilter(kinds),
    stage: emptiableEnumFilter(stages),
    ownerId: memberFilter,
    companyId: companyFilter,
    parentCompanyId: companyFilter,
    contactId: contactFilter,
    fileId: fileFilter,
    labels: textFilter(50),
    labelsAll: allLabelsFilter,
    domain: textFilter(253),
    email: textFilter(254),
    phone: phoneFilter,
    amountCurrency: currencyFilter,
    amountAbove: amountFilter,
    amountBelow: amountFilter,
    ...closingFilters,
    customFields: customFieldFilter,
  },
  sorts: ['createdAt', 'updatedAt', 'name', 'amount'],
  groups: [
    ...['kind', 'stage', 'ownerId', 'companyId', 'parentCompanyId', 'contactId', 'industry', 'labels'],
    ...months('createdAt', 'updatedAt', 'closedAt', 'expectedCloseDate'),
  ],
  sums: ['amount'],
  events: {
    created: crmEntityCreated,
    updated: crmEntityUpdated,
    deleted: crmEntityDeleted,
    restored: crmEntityRestored,
  },
  matches: ['domains', 'emails', 'phones'],
  writeErrors: ['unknown_field'],
})

export const mergeCrmEntity = operation({
  name: 'crm-entities.merge',
  http: 'POST /crm-entities/{id}/merge',
  summary: 'Merge another CRM entity into this one',
  description:
    'Both must be of the same kind. This entity takes missing values from the source, and objects that refer to the source refer to it instead, each with a new version and an event. With more than 1,000 such objects, most change within seconds to minutes after the response, and until then the id of the source redirects here. The source cannot be restored, and its id redirects here as long as deleted objects are kept. Needs `crm-entities:delete` as well. Merging it again changes nothing.',
  scope: 'crm-entities:write',
  input: closed({ id: CrmEntityRef, sourceId: CrmEntityRef }),
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

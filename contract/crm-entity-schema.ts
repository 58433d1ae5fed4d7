// The three kinds of CRM entity, company, contact and deal: the fields of each, and those of all.
import { Type, type Static, type TProperties } from 'typebox'
import {
  Address,
  EntityName,
  Money,
  PersonName,
  addressParts,
  domains,
  emails,
  moneyParts,
  phones,
} from './crm-fields.ts'
import { accepted, shown, type References } from './references.ts'
import {
  CustomFields,
  DateOnly,
  Description,
  Id,
  Labels,
  Name,
  Timestamp,
  closed,
  externalIdFields,
  nullable,
  optional,
  resourceFields,
} from './shared-fields.ts'

export const kinds = ['company', 'contact', 'deal'] as const
export const CrmKind = Type.Enum([...kinds])
export type CrmKind = Static<typeof CrmKind>
/** Of a deal that is neither won nor lost. */
export const openDealStages = ['new', 'qualified', 'proposal', 'negotiation'] as const
export const stages = [...openDealStages, 'won', 'lost'] as const
export const DealStage = Type.Enum([...stages])
export type DealStage = Static<typeof DealStage>

const companyFields = {
  name: Name,
  domains,
  website: nullable(Type.String({ format: 'uri', pattern: '^https?://', maxLength: 2_000 })),
  industry: nullable(Name),
  employeeCount: nullable(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  phones,
  address: nullable(Address),
  parentCompanyId: nullable(Id),
}
const contactFields = {
  firstName: nullable(PersonName),
  lastName: nullable(PersonName),
  emails,
  phones,
  jobTitle: nullable(Name),
  companyId: nullable(Id),
}
const dealFields = {
  name: Name,
  stage: DealStage,
  amount: nullable(Money),
  probability: Type.Integer({
    minimum: 0,
    maximum: 100,
    description: 'Follows the stage unless it is given; 100 when won, 0 when lost.',
  }),
  expectedCloseDate: nullable(DateOnly),
  lostReason: nullable(Type.String({ minLength: 1, maxLength: 1_000, description: 'Of a lost deal only.' })),
  companyId: nullable(Id),
  contactIds: Type.Array(Id, { maxItems: 50, uniqueItems: true }),
}
const commonFieldsNaming = ({ member }: References) => ({
  ownerId: nullable(member),
  labels: Labels,
  description: nullable(Description),
  customFields: CustomFields,
  ...externalIdFields,
})
const commonFields = commonFieldsNaming(accepted)

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
    ...resourceFields('crm_entity'),
    kind: Type.Literal(kind),
    ...fields,
    ...commonFieldsNaming(shown),
    mergedIntoId: nullable(Id),
  })

export const Company = entity('company', companyFields)
export const Contact = entity('contact', { name: EntityName, ...contactFields })
export const Deal = entity('deal', { ...dealFields, closedAt: nullable(Timestamp) })
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

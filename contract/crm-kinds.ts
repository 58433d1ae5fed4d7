// The kinds of CRM entity: what each has of its own, and what all of them have.
import { Type, type Static, type TProperties } from 'typebox'
import {
  Currency,
  CustomFields,
  DateOnly,
  Description,
  Id,
  Labels,
  Name,
  Timestamp,
  closed,
  external,
  nullable,
  optional,
  stored,
} from './fields.ts'

export const kinds = ['company', 'contact', 'deal'] as const
export const CrmKind = Type.Enum([...kinds])
export type CrmKind = Static<typeof CrmKind>
export const stages = ['new', 'qualified', 'proposal', 'negotiation', 'won', 'lost'] as const
export const DealStage = Type.Enum([...stages])
export type DealStage = Static<typeof DealStage>

const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
/** The last label of a name begins with a letter, or the whole could be read as an address. */
const topLabel = '[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
const Domain = Type.String({
  pattern: `^(?:${label}\\.)+${topLabel}$`,
  maxLength: 253,
  description: 'As in example.com.',
})
const Email = Type.String({ format: 'email', maxLength: 254 })
const emails = Type.Array(Email, {
  maxItems: 20,
  uniqueItems: true,
  description: 'Kept in lower case; each with one contact of the workspace.',
})
const domains = Type.Array(Domain, {
  maxItems: 50,
  uniqueItems: true,
  description: 'Kept in lower case; each with one company of the workspace.',
})
const phones = Type.Array(Type.String({ minLength: 1, maxLength: 40, format: 'line' }), {
  maxItems: 20,
  uniqueItems: true,
})
const PersonName = Type.String({ minLength: 1, maxLength: 100, format: 'line' })
/** Of a contact it is made of first and last name, or it is the first email. */
const EntityName = Type.String({ minLength: 1, maxLength: 254 })

const text = (maxLength: number) => nullable(Type.String({ minLength: 1, maxLength }))
export const addressParts = {
  street: text(500),
  city: text(100),
  region: text(100),
  postalCode: text(20),
  country: nullable(Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2.' })),
}
const Address = closed(addressParts)
export type Address = Static<typeof Address>

const moneyParts = {
  amount: Type.String({
    pattern: '^(?:0|[1-9][0-9]{0,14})(?:\\.[0-9]{1,4})?$',
    description: 'Decimal, as in 1250.00.',
  }),
  currency: Currency,
}
const Money = closed(moneyParts)
export type Money = Static<typeof Money>

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
const commonFields = {
  ownerId: nullable(Id),
  labels: Labels,
  description: nullable(Description),
  customFields: CustomFields,
  ...external,
}

/** Names of the fields that a caller can write. */
export const writable: Readonly<Record<CrmKind, readonly string[]>> = {
  company: Object.keys({ ...companyFields, ...commonFields }),
  contact: Object.keys({ ...contactFields, ...commonFields }),
  deal: Object.keys({ ...dealFields, ...commonFields }),
}
const flat = { ...companyFields, ...contactFields, ...dealFields, ...commonFields }
export const given = optional({ ...flat, address: nullable(closed(optional(addressParts))) })
/** In a patch the parts of an object are merged as well. */
export const patched = optional({ ...given, amount: nullable(closed(optional(moneyParts))) })

const entity = <K extends CrmKind, F extends TProperties>(kind: K, fields: F) =>
  closed({
    ...stored('crm_entity'),
    kind: Type.Literal(kind),
    ...fields,
    ...commonFields,
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

/** The fields of all kinds. */
export const anyKind = {
  ...Company.properties,
  ...Contact.properties,
  ...Deal.properties,
  kind: CrmKind,
  name: EntityName,
}

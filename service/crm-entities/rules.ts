// What may happen to a CRM entity, by its kind. Pure: the functions throw a Fault.
import type { Company, Contact, CrmEntity, CrmKind, Deal, Money } from '#contract/crm-entities.ts'
import { Fault } from '#contract/faults/fault.ts'
import type { Fields } from '../collection/resource.ts'
import { assertExternalIdPair, erasedFields } from '../collection/shared-rules.ts'
import { applyStage } from './deal-stage.ts'
import { assertOwnFields } from './kinds.ts'
import { addressOf, assertMinorUnits, lowered, moneyOf } from './normalize.ts'
import { type Origin, baseFields } from '../object-versions/bookkeeping-fields.ts'
import { refuseField } from '../faults/field-refusals.ts'

/** The values of fields that the caller leaves out. */
const empty = {
  company: {
    name: '',
    domains: [],
    website: null,
    industry: null,
    employeeCount: null,
    phones: [],
    address: null,
    parentCompanyId: null,
  },
  contact: { name: '', firstName: null, lastName: null, emails: [], phones: [], jobTitle: null, companyId: null },
  deal: {
    name: '',
    stage: 'new',
    amount: null,
    probability: 0,
    expectedCloseDate: null,
    lostReason: null,
    companyId: null,
    contactIds: [],
    closedAt: null,
  },
} satisfies Record<CrmKind, Fields>
const emptyOfAny = {
  ownerId: null,
  labels: [],
  description: null,
  customFields: {},
  externalSource: null,
  externalId: null,
}

export function draft(given: Fields, origin: Origin): CrmEntity {
  const kind = given['kind'] as CrmKind
  assertOwnFields(kind, given)
  const start = { ...baseFields('crm_entity', origin), kind, ...empty[kind], ...emptyOfAny, mergedIntoId: null }
  return complete(start, null, given, origin.now)
}

export function applyPatch(before: CrmEntity, patch: Fields, { now }: Pick<Origin, 'now'>): CrmEntity {
  assertKind(before, patch)
  assertOwnFields(before.kind, patch)
  return complete(before, before, patch, now)
}

function complete(start: Fields, before: CrmEntity | null, given: Fields, now: Date): CrmEntity {
  // What was given fits the contract's schema, and its fields are those of the kind.
  const entity = { ...start, ...given } as CrmEntity
  assertExternalIdPair(entity)
  switch (entity.kind) {
    case 'company':
      return company(entity, before as Company | null, given)
    case 'contact':
      return named({ ...entity, emails: lowered(entity.emails) })
    case 'deal':
      return deal(entity, before as Deal | null, given, now)
    default:
      return entity satisfies never
  }
}

function company(entity: Company, before: Company | null, given: Fields): Company {
  assertName(entity)
  const address = given['address'] as Fields | null | undefined
  return {
    ...entity,
    domains: lowered(entity.domains),
    ...(address !== undefined && { address: addressOf(before?.address ?? null, address) }),
  }
}

function deal(entity: Deal, before: Deal | null, given: Fields, now: Date): Deal {
  assertName(entity)
  const amount = given['amount'] as Partial<Money> | null | undefined
  if (amount === undefined) return applyStage(entity, before, given, now)
  const money = moneyOf(before?.amount ?? null, amount)
  if (money !== null) assertMinorUnits(money)
  return applyStage({ ...entity, amount: money }, before, given, now)
}

/** A contact's name is made of the first and last name, or else of the first email. */
export function named(contact: Contact): Contact {
  const { firstName, lastName, emails } = contact
  const parts = [firstName, lastName].filter((part) => part !== null)
  const name = parts.length > 0 ? parts.join(' ') : emails[0]
  if (name === undefined) refuseField('emails', 'required', 'A contact has a first name, a last name or an email.')
  return { ...contact, name }
}

function assertName({ kind, name }: Company | Deal): void {
  if (name === '') refuseField('name', 'required', `A ${kind} has a name.`)
}

/** An upsert may name another kind than the entity has, which is refused. */
function assertKind({ kind }: CrmEntity, { kind: to = kind }: Fields): void {
  if (to === kind) return
  throw new Fault('invalid_transition', `It is a ${kind}, and stays one.`, { from: kind, to, allowed: [kind] })
}

/** Numbers, stages and ids may stay: nobody can be recognized by them. */
export function erased(entity: CrmEntity): CrmEntity {
  const bare = { ...entity, ...erasedFields, name: '' }
  switch (bare.kind) {
    case 'company':
      return { ...bare, domains: [], website: null, industry: null, phones: [], address: null }
    case 'contact':
      return { ...bare, firstName: null, lastName: null, emails: [], phones: [], jobTitle: null }
    case 'deal':
      return { ...bare, amount: null, lostReason: null }
    default:
      return bare satisfies never
  }
}

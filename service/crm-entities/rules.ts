// The rules of CRM entities, by their kind. Pure: the functions throw a Fault.
import {
  openDealStages,
  type Company,
  type Contact,
  type CrmEntity,
  type CrmKind,
  type Deal,
  type DealStage,
  type Money,
} from '#contract/crm-entities.ts'
import { Fault } from '#contract/faults/fault.ts'
import type { Fields } from '../collection/definition.ts'
import { assertExternalIdPair, erasedFields, assertTransition } from '../collection/rules.ts'
import { refuseField } from '../faults/shared-faults.ts'
import { baseFields, type ChangeContext } from '../execution/system-fields.ts'
import { assertOwnFields, addressOf, assertMinorUnits, stored, moneyOf } from './fields.ts'

/** The values of fields that the caller leaves out. */
const empty = {
  company: {
    name: '',
    domains: [],
    website: null,
    industry: null,
    employeeCount: null,
    emails: [],
    phones: [],
    address: null,
    parentCompanyId: null,
  },
  contact: {
    name: '',
    firstName: null,
    lastName: null,
    emails: [],
    phones: [],
    address: null,
    jobTitle: null,
    companyId: null,
  },
  deal: {
    name: '',
    stage: 'new',
    amount: null,
    probability: 0,
    expectedCloseDate: null,
    lostReason: null,
    emails: [],
    phones: [],
    companyId: null,
    contactIds: [],
    closedAt: null,
  },
} satisfies Record<CrmKind, Fields>
const emptyOfAny = {
  ownerId: null,
  labels: [],
  description: null,
  fileIds: [],
  customFields: {},
  externalSource: null,
  externalId: null,
  externalIds: [],
}

export function draft(given: Fields, origin: ChangeContext): CrmEntity {
  const kind = given['kind'] as CrmKind
  assertOwnFields(kind, given)
  const start = { ...baseFields('crm_entity', origin), kind, ...empty[kind], ...emptyOfAny, mergedIntoId: null }
  return complete(start, null, given, origin.now)
}

export function applyPatch(before: CrmEntity, patch: Fields, { now }: Pick<ChangeContext, 'now'>): CrmEntity {
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
      return contact(entity, before as Contact | null, given)
    case 'deal':
      return deal(entity, before as Deal | null, given, now)
    default:
      return entity satisfies never
  }
}

function company(entity: Company, before: Company | null, given: Fields): Company {
  assertName(entity)
  return { ...placed(entity, before, given), domains: stored('domains', entity.domains) }
}

const contact = (entity: Contact, before: Contact | null, given: Fields): Contact =>
  named(placed(entity, before, given))

/** What companies and contacts have alike: an address, and emails. */
function placed<E extends Company | Contact>(entity: E, before: E | null, given: Fields): E {
  const address = given['address'] as Fields | null | undefined
  return {
    ...entity,
    emails: stored('emails', entity.emails),
    ...(address !== undefined && { address: addressOf(before?.address ?? null, address) }),
  }
}

function deal(draft: Deal, before: Deal | null, given: Fields, now: Date): Deal {
  assertName(draft)
  const entity = { ...draft, emails: stored('emails', draft.emails) }
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

/** Numbers, stages and ids stay: they identify no person. */
export function erased(entity: CrmEntity): CrmEntity {
  const bare = { ...entity, ...erasedFields, name: '', fileIds: [] }
  switch (bare.kind) {
    case 'company':
      return { ...bare, domains: [], website: null, industry: null, emails: [], phones: [], address: null }
    case 'contact':
      return { ...bare, firstName: null, lastName: null, emails: [], phones: [], address: null, jobTitle: null }
    case 'deal':
      return { ...bare, amount: null, lostReason: null, emails: [], phones: [] }
    default:
      return bare satisfies never
  }
}

const open: readonly DealStage[] = openDealStages
const ended: readonly DealStage[] = ['won', 'lost']
const probabilities: Readonly<Record<DealStage, number>> = {
  new: 10,
  qualified: 25,
  proposal: 50,
  negotiation: 75,
  won: 100,
  lost: 0,
}

export const allowedTransitions = (from: DealStage): readonly DealStage[] =>
  ended.includes(from) ? open : [...open, ...ended].filter((stage) => stage !== from)

type Given = { readonly probability?: number; readonly lostReason?: string | null }

/** Returns the deal with the probability, closing time and lost reason of its stage. Throws when they contradict it. */
function applyStage(draft: Deal, before: Deal | null, given: Given, now: Date): Deal {
  const { stage } = draft
  if (before !== null) assertTransition('deal', before.stage, stage, allowedTransitions(before.stage))
  const isLost = stage === 'lost'
  if (!isLost && typeof given.lostReason === 'string')
    refuseField('lostReason', 'read_only', 'Only a lost deal has a reason.')
  assertProbability(stage, given)
  return {
    ...draft,
    probability: probabilityIn(stage, before, given),
    closedAt: ended.includes(stage) ? (before?.closedAt ?? now.toISOString()) : null,
    lostReason: isLost ? draft.lostReason : null,
  }
}

/** A won or lost deal has the probability of its stage: any other is refused. */
function assertProbability(stage: DealStage, { probability }: Given): void {
  const own = probabilities[stage]
  if (!ended.includes(stage) || probability === undefined || probability === own) return
  refuseField('probability', 'read_only', `Of a deal that is ${stage} it is ${own}.`)
}

/** A deal that moves to another stage gets that stage's probability. */
function probabilityIn(stage: DealStage, before: Deal | null, { probability }: Given): number {
  if (ended.includes(stage)) return probabilities[stage]
  return probability ?? (before?.stage === stage ? before.probability : probabilities[stage])
}

// What may be said of companies, contacts and deals, and what is left of two that are merged.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Company, Contact, type CrmEntity, Deal, stages } from '#contract/crm-entities.ts'
import { entityFromRow } from '../../../service/crm-entities/fields.ts'
import { mergedSource, mergedSurvivor } from '../../../service/crm-entities/merge-rules.ts'
import { allowedTransitions, applyPatch, draft, erased } from '../../../service/crm-entities/rules.ts'
import { checker } from '../../../service/validation/schema-validator.ts'
import { codeOf, errorsOf, faultOf } from '../../support/faults.ts'

const actor = { type: 'api_key', id: 'k1', name: 'Key' } as const
const now = new Date('2026-01-02T03:04:05.678Z')
const later = new Date('2026-02-03T00:00:00.000Z')
const idOf = (digit: number) => `0199f0a0-0000-7000-8000-00000000000${digit}`
const ids = { one: idOf(1), other: idOf(2), third: idOf(3) }

type Given = Readonly<Record<string, unknown>>

const placed = (given: Given, id = ids.one): CrmEntity => draft(given, { id, workspaceId: idOf(4), actor, now })
const company = (given: Given = {}, id = ids.one): Company =>
  placed({ kind: 'company', name: 'Acme', ...given }, id) as Company
const contact = (given: Given = {}, id = ids.one): Contact =>
  placed({ kind: 'contact', firstName: 'Ada', ...given }, id) as Contact
const deal = (given: Given = {}, id = ids.one): Deal => placed({ kind: 'deal', name: 'Big one', ...given }, id) as Deal
const revised = <E extends CrmEntity>(before: E, patch: Given): E => applyPatch(before, patch, { now: later }) as E

test('a field of another kind is refused where it stands, and those that have it are named', () => {
  const having = (kinds: string) => ({ code: 'unknown', detail: `A company has no such field, only ${kinds}.` })
  const errors = [
    { pointer: '/stage', ...having('a deal') },
    { pointer: '/companyId', ...having('a contact or a deal') },
  ]

  expect(faultOf(() => company({ stage: 'new', companyId: null }))).toMatchObject({
    code: 'unknown_field',
    members: { errors },
  })
  expect(codeOf(() => revised(deal(), { firstName: 'Ada' }))).toBe('unknown_field')
})

test('a contact is called by its names, or by its first email, and is not left without them', () => {
  const emails = ['a@example.com', 'b@example.com']

  expect(contact({ firstName: 'Ada', lastName: 'Lovelace' }).name).toBe('Ada Lovelace')
  expect(contact({ firstName: null, lastName: 'Lovelace' }).name).toBe('Lovelace')
  expect(contact({ firstName: null, emails }).name).toBe('a@example.com')
  expect(revised(contact({ lastName: 'Byron' }), { lastName: 'Lovelace' }).name).toBe('Ada Lovelace')
  expect(codeOf(() => contact({ firstName: null }))).toBe('validation_failed')
  expect(codeOf(() => revised(contact(), { firstName: null }))).toBe('validation_failed')
  expect(codeOf(() => revised(contact(), { firstName: null, emails }))).toBeNull()
})

test.each<[string, () => unknown, string, string]>([
  ['a company without a name', () => placed({ kind: 'company' }), '/name', 'required'],
  ['a deal without a name', () => placed({ kind: 'deal' }), '/name', 'required'],
  ['the name of a contact, which is made of its names', () => contact({ name: 'Somebody' }), '/name', 'read_only'],
  ['a reason of a deal that is not lost', () => revised(deal(), { lostReason: 'x' }), '/lostReason', 'read_only'],
  ['the chance of a new deal that is won', () => deal({ stage: 'won', probability: 30 }), '/probability', 'read_only'],
  ['the chance at a win', () => revised(deal(), { stage: 'won', probability: 30 }), '/probability', 'read_only'],
  ['the chance at a loss', () => revised(deal(), { stage: 'lost', probability: 100 }), '/probability', 'read_only'],
  ['the chance after a win', () => revised(deal({ stage: 'won' }), { probability: 0 }), '/probability', 'read_only'],
])('%s is refused, and not dropped', (_what, act, pointer, code) => {
  expect(faultOf(act)).toMatchObject({ code: 'validation_failed', members: { errors: [{ pointer, code }] } })
})

test('domains and emails are kept once, in lower case and in the script that was sent, of each kind and when two are merged', () => {
  const domains = ['Acme.COM', 'acme.com', 'MÜNCHEN.de', 'xn--mnchen-3ya.de']
  const emails = ['Ada@München.de', 'ada@xn--mnchen-3ya.de', 'b@acme.com']
  const kept = ['ada@münchen.de', 'b@acme.com']

  expect(company({ domains }).domains).toEqual(['acme.com', 'münchen.de'])
  for (const make of [company, contact, deal]) expect(make({ emails }).emails).toEqual(kept)
  const [one, other] = [
    company({ emails: kept }),
    company({ emails: ['ada@xn--mnchen-3ya.de', 'c@acme.com'] }, ids.other),
  ]
  expect(mergedSurvivor(one, other, { survivor: [], source: [] }).emails).toEqual([...kept, 'c@acme.com'])
})

test('of a purged entity nothing is left that a person wrote', () => {
  const secret = 'Confidential'
  const written = { description: secret, labels: [secret], phones: [secret], emails: [`${secret}@example.com`] }
  const [address, website] = [{ city: secret }, `https://${secret}.example`]
  const entities = [
    company({ ...written, name: secret, address, website, domains: [`${secret}.example`], industry: secret }),
    contact({ ...written, firstName: secret, lastName: secret, address, jobTitle: secret }),
    deal({ ...written, name: secret, stage: 'lost', lostReason: secret }),
  ]

  for (const each of entities) expect(JSON.stringify(erased(each))).not.toMatch(/confidential/i)
})

test('an amount is no finer than the minor unit of its currency, may be less than nothing, and zero has no sign', () => {
  const fine = [
    'JPY 1250.00',
    'EUR 1250.5500',
    'IDR 1.25',
    'IQD 1.125',
    'KWD 1.125',
    'CLF 1.1255',
    'VED 0.01',
    'EUR -80.50',
  ]
  const of = (money: string) => {
    const [currency, amount] = money.split(' ')
    return errorsOf(() => deal({ amount: { amount, currency } }))
  }

  expect(fine.map(of)).toEqual(fine.map(() => null))
  for (const finer of [
    'EUR -0',
    'EUR -0.00',
    'EUR -1.555',
    'JPY 1250.5',
    'XAF 1.5',
    'EUR 1250.555',
    'XCG 1.555',
    'KWD 1.1255',
  ])
    expect(of(finer)).toMatchObject([{ pointer: '/amount/amount', code: 'wrong_format' }])
})

test('of money the amount alone can change, half of it is refused, and either is held against what stays', () => {
  const euros = deal({ amount: { amount: '10.00', currency: 'EUR' } })
  const codeWith = (amount: object, before = euros) => codeOf(() => revised(before, { amount }))

  expect(revised(euros, { amount: { amount: '12.50' } }).amount).toEqual({ amount: '12.50', currency: 'EUR' })
  expect(revised(euros, { amount: null }).amount).toBeNull()
  expect(codeWith({ amount: '12', currency: 'JPY' })).toBeNull()
  expect(codeWith({ amount: '12.505' })).toBe('validation_failed')
  expect(codeWith({ currency: 'JPY' }, deal({ amount: { amount: '12.50', currency: 'EUR' } }))).toBe(
    'validation_failed',
  )
  expect(codeWith({ amount: '1' }, deal())).toBe('validation_failed')
})

test.each([company, contact])('an address is merged part by part, and one without parts is none', (make) => {
  const before = make({ address: { city: 'Berlin', country: 'DE' } })

  const moved = revised(before, { address: { street: 'Ring 1', city: null } })

  const empty = { street: null, city: null, region: null, postalCode: null, country: 'DE' }
  expect([before.address, moved.address]).toEqual([
    { ...empty, city: 'Berlin' },
    { ...empty, street: 'Ring 1' },
  ])
  expect(revised(moved, { address: { street: null, country: null } }).address).toBeNull()
  expect(revised(moved, { address: null }).address).toBeNull()
})

test('what the database gives in another order, or as deals were before they had phones, is the same entity', () => {
  const made = company({ address: { street: 'Ring 1', city: 'Berlin' } })
  const { address, ...rest } = made
  const shuffled = Object.fromEntries(Object.entries(address ?? {}).toReversed())

  const read = entityFromRow({ stage: null, contactIds: [], address: shuffled, ...rest })

  expect(JSON.stringify((read as Company).address)).toBe(JSON.stringify(address))
  expect(checker(Company)(read)).toEqual([])
  expect(entityFromRow({ ...deal(), phones: null })).toEqual(deal())
})

const open = ['new', 'qualified', 'proposal', 'negotiation'] as const

test('a new deal is at the beginning, with the probability of that; open stages move freely, and to either end', () => {
  expect(deal()).toMatchObject({ stage: 'new', probability: 10, closedAt: null, amount: null })
  for (const from of open) for (const to of stages) expect(revised(deal({ stage: from }), { stage: to }).stage).toBe(to)
})

test('a deal that is won or lost can be opened again, and not become the other', () => {
  for (const [from, to] of [['won', 'lost'] as const, ['lost', 'won'] as const]) {
    const ended = deal({ stage: from })
    const fault = faultOf(() => revised(ended, { stage: to }))
    expect(fault).toMatchObject({ code: 'invalid_transition', members: { from, to, allowed: open } })
    for (const stage of open) expect(revised(ended, { stage }).closedAt).toBeNull()
  }
})

test('the end is stamped once', () => {
  const won = revised(deal(), { stage: 'won' })

  expect(deal({ stage: 'lost' }).closedAt).toBe(now.toISOString())
  expect(won.closedAt).toBe(later.toISOString())
  expect(revised(deal({ stage: 'won' }), { name: 'Other' }).closedAt).toBe(now.toISOString())
})

test('a probability that was given stays until the stage changes; won is certain and lost impossible', () => {
  const guessed = deal({ stage: 'proposal', probability: 33 })

  expect(revised(guessed, { stage: 'won' }).probability).toBe(100)
  expect(revised(guessed, { stage: 'lost' }).probability).toBe(0)
  expect(revised(deal({ stage: 'won' }), { probability: 100 }).probability).toBe(100)
  expect(revised(guessed, { name: 'Other' }).probability).toBe(33)
  expect(revised(guessed, { stage: 'negotiation' }).probability).toBe(75)
  expect(revised(guessed, { stage: 'negotiation', probability: 60 }).probability).toBe(60)
})

test('only a lost deal has a reason, and it goes when the deal is opened again', () => {
  const lost = revised(deal(), { stage: 'lost', lostReason: 'Too dear' })

  expect(lost.lostReason).toBe('Too dear')
  expect(revised(lost, { stage: 'new' }).lostReason).toBeNull()
  expect(codeOf(() => deal({ lostReason: null }))).toBeNull()
})

test('closedAt is set exactly while a deal is won or lost, whatever the path', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...stages), { maxLength: 20 }), (path) => {
      let one = deal()
      for (const stage of path) {
        if (stage === one.stage || allowedTransitions(one.stage).includes(stage)) one = revised(one, { stage })
        expect(one.closedAt !== null).toBe(one.stage === 'won' || one.stage === 'lost')
      }
    }),
  )
})

/** The ids of the companies above each of the two. */
const merged = <E extends CrmEntity>(
  survivor: E,
  source: E,
  above: { survivor?: string[]; source?: string[] } = {},
): E => mergedSurvivor(survivor, source, { survivor: [], source: [], ...above })

test('the survivor keeps what it has and takes what it lacks', () => {
  const survivor = company({ name: 'Acme', industry: 'Tools', labels: ['a', 'b'], customFields: { size: 1 } })
  const taken = { website: 'https://acme.example', address: { city: 'Berlin' } }
  const kept = { name: 'ACME Ltd', industry: 'Toys', labels: ['b', 'c'], customFields: { size: 2, tier: 'gold' } }

  expect(merged(survivor, company({ ...taken, ...kept }, ids.other))).toMatchObject({
    ...taken,
    id: ids.one,
    name: 'Acme',
    industry: 'Tools',
    labels: ['a', 'b', 'c'],
    customFields: { size: 1, tier: 'gold' },
    deletedAt: null,
    mergedIntoId: null,
  })
})

test('the survivor takes all external ids of the source behind its own, up to ten', () => {
  const own = (source: string, id: string) => ({
    externalSource: source,
    externalId: id,
    externalIds: [{ source, id }],
  })
  const [mine, theirs] = [own('crm', '1'), own('crm', '2')]
  const source = contact(theirs, ids.other)
  const many = Array.from({ length: 10 }, (_, at) => ({ source: `s${at}`, id: 'x' }))

  expect(merged(contact(), source)).toMatchObject(theirs)
  const both = [...mine.externalIds, ...theirs.externalIds]
  expect(merged(contact(mine), source)).toMatchObject({ ...mine, externalIds: both })
  const none = { externalSource: null, externalId: null, externalIds: [] }
  expect(mergedSource(source, contact(mine), later)).toMatchObject(none)
  expect(() => merged(contact({ ...mine, externalIds: many }), source)).toThrow('more than 10')
})

test('a contact is called by what both know of him, and has the emails of both, those of the survivor first', () => {
  const survivor = contact({ emails: ['b@example.com'] })
  const source = contact({ firstName: 'A.', lastName: 'Lovelace', emails: ['a@example.com'] }, ids.other)

  const both = { name: 'Ada Lovelace', emails: ['b@example.com', 'a@example.com'] }
  expect(merged(survivor, source)).toMatchObject(both)
  const gone = { emails: [], mergedIntoId: ids.one, deletedAt: later.toISOString() }
  expect(mergedSource(source, survivor, later)).toMatchObject(gone)
})

test('a deal stays in its stage: how the source ended is not taken over', () => {
  const lost = deal({ stage: 'lost', lostReason: 'Too dear' }, ids.other)

  expect(merged(deal(), lost)).toMatchObject({ stage: 'new', closedAt: null, lostReason: null, probability: 10 })
  expect(merged(deal({ stage: 'lost' }), lost).lostReason).toBe('Too dear')
})

test('more than a list can hold is refused, not cut', () => {
  const having = (first: number, id?: string) =>
    contact({ phones: Array.from({ length: 15 }, (_, n) => String(first + n)) }, id)

  const fault = faultOf(() => merged(having(0), having(15, ids.other)))

  expect(fault).toMatchObject({ code: 'limit_reached', members: { field: 'phones', limit: 20 } })
  expect(merged(having(0), having(5, ids.other)).phones).toHaveLength(20)
})

test('a company below the source takes its place in the tree, and one above it stays where it is', () => {
  const below = company({ parentCompanyId: ids.third })
  const source = company({ parentCompanyId: ids.third }, ids.other)

  expect(merged(below, company({}, ids.other), { survivor: [ids.third, ids.other] }).parentCompanyId).toBeNull()
  expect(merged(company(), source, { source: [ids.third, ids.one] }).parentCompanyId).toBeNull()
  expect(merged(company(), source, { source: [ids.third] }).parentCompanyId).toBe(ids.third)
})

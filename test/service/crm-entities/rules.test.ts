import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Company, Contact, Deal, stages } from '#contract/crm-entities.ts'
import { entityFromRow, kindsIn } from '../../../service/crm-entities/fields.ts'
import { allowedTransitions } from '../../../service/crm-entities/rules.ts'
import { checker } from '../../../service/validation/schema-validator.ts'
import { codeOf, errorsOf, faultOf } from '../../support/faults.ts'
import { company, contact, deal, placed, revised, later, now } from './stage.ts'

test('a new entity has every field of its kind and none of another', () => {
  expect(checker(Company)(company())).toEqual([])
  expect(checker(Contact)(contact())).toEqual([])
  expect(checker(Deal)(deal())).toEqual([])
})

test('a field of another kind is refused where it stands, and those that have it are named', () => {
  expect(faultOf(() => company({ stage: 'new', companyId: null }))).toMatchObject({
    code: 'unknown_field',
    members: {
      errors: [
        { pointer: '/stage', code: 'unknown', detail: 'A company has no such field, only a deal.' },
        { pointer: '/companyId', code: 'unknown', detail: 'A company has no such field, only a contact or a deal.' },
      ],
    },
  })
  expect(codeOf(() => revised(deal(), { firstName: 'Ada' }))).toBe('unknown_field')
})

test('a contact is called by its names, or by its first email', () => {
  const emails = ['a@example.com', 'b@example.com']

  expect(contact({ firstName: 'Ada', lastName: 'Lovelace' }).name).toBe('Ada Lovelace')
  expect(contact({ firstName: null, lastName: 'Lovelace' }).name).toBe('Lovelace')
  expect(contact({ firstName: null, emails }).name).toBe('a@example.com')
  expect(revised(contact({ lastName: 'Byron' }), { lastName: 'Lovelace' }).name).toBe('Ada Lovelace')
})

test('a contact with neither name nor email is refused, and so is taking the last of them', () => {
  expect(codeOf(() => contact({ firstName: null }))).toBe('validation_failed')
  expect(codeOf(() => revised(contact(), { firstName: null }))).toBe('validation_failed')
  expect(codeOf(() => revised(contact(), { firstName: null, emails: ['a@example.com'] }))).toBeNull()
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

test('domains and emails are kept once and in lower case', () => {
  expect(company({ domains: ['Acme.COM', 'acme.com', 'acme.de'] }).domains).toEqual(['acme.com', 'acme.de'])
  expect(contact({ emails: ['Ada@Example.com'] }).emails).toEqual(['ada@example.com'])
})

test.each([
  ['JPY', '1250', true],
  ['JPY', '1250.00', true],
  ['JPY', '1250.5', false],
  ['EUR', '1250.55', true],
  ['EUR', '1250.5500', true],
  ['EUR', '1250.555', false],
  ['KWD', '1.125', true],
  ['KWD', '1.1255', false],
  ['CLF', '1.1255', true],
  ['VED', '0.01', true],
])('an amount is no finer than the minor unit of its currency: %s %s', (currency, amount, fits) => {
  const errors = errorsOf(() => deal({ amount: { amount, currency } }))

  expect(errors ?? []).toMatchObject(fits ? [] : [{ pointer: '/amount/amount', code: 'wrong_format' }])
})

test('a new currency is held against the amount that stays, and a new amount against the currency that stays', () => {
  const euros = deal({ amount: { amount: '12.50', currency: 'EUR' } })

  expect(codeOf(() => revised(euros, { amount: { currency: 'JPY' } }))).toBe('validation_failed')
  expect(codeOf(() => revised(euros, { amount: { amount: '12.505' } }))).toBe('validation_failed')
  expect(codeOf(() => revised(euros, { amount: { amount: '12', currency: 'JPY' } }))).toBeNull()
})

test('a kind stays what it is', () => {
  expect(faultOf(() => revised(contact(), { kind: 'company', firstName: 'Ada' }))).toMatchObject({
    code: 'invalid_transition',
    members: { from: 'contact', to: 'company', allowed: ['contact'] },
  })
})

test('an address is merged part by part, and one without parts is none', () => {
  const before = company({ address: { city: 'Berlin', country: 'DE' } })

  const moved = revised(before, { address: { street: 'Ring 1', city: null } })

  expect(before.address).toEqual({ street: null, city: 'Berlin', region: null, postalCode: null, country: 'DE' })
  expect(moved.address).toEqual({ street: 'Ring 1', city: null, region: null, postalCode: null, country: 'DE' })
  expect(revised(moved, { address: { street: null, country: null } }).address).toBeNull()
  expect(revised(moved, { address: null }).address).toBeNull()
})

test('of money the amount alone can change, and half of it is refused', () => {
  const before = deal({ amount: { amount: '10.00', currency: 'EUR' } })

  expect(revised(before, { amount: { amount: '12.50' } }).amount).toEqual({ amount: '12.50', currency: 'EUR' })
  expect(revised(before, { amount: null }).amount).toBeNull()
  expect(codeOf(() => revised(deal(), { amount: { amount: '1' } }))).toBe('validation_failed')
})

test('what the database gives in another order is the same entity', () => {
  const made = company({ address: { street: 'Ring 1', city: 'Berlin' } })
  const { address, ...rest } = made
  const shuffled = Object.fromEntries(Object.entries(address ?? {}).toReversed())

  const read = entityFromRow({ stage: null, contactIds: [], address: shuffled, ...rest })

  expect(JSON.stringify((read as Company).address)).toBe(JSON.stringify(address))
  expect(checker(Company)(read)).toEqual([])
})

test('a filter by kind lets through what it names, what it does not exclude, or all', () => {
  expect(kindsIn(undefined)).toEqual(['company', 'contact', 'deal'])
  expect(kindsIn('deal')).toEqual(['deal'])
  expect(kindsIn(['deal', 'contact'])).toEqual(['contact', 'deal'])
  expect(kindsIn(['!deal'])).toEqual(['company', 'contact'])
})

const open = ['new', 'qualified', 'proposal', 'negotiation'] as const

test('a new deal is at the beginning, with the probability of that', () => {
  expect(deal()).toMatchObject({ stage: 'new', probability: 10, closedAt: null, amount: null })
})

test('open stages move freely, and to either end', () => {
  for (const from of open) for (const to of stages) expect(revised(deal({ stage: from }), { stage: to }).stage).toBe(to)
})

test.each([
  ['won', 'lost'],
  ['lost', 'won'],
])('a deal that is %s can be opened again, and not become %s', (from, to) => {
  const ended = deal({ stage: from })

  expect(faultOf(() => revised(ended, { stage: to }))).toMatchObject({
    code: 'invalid_transition',
    members: { from, to, allowed: open },
  })
  for (const stage of open) expect(revised(ended, { stage }).closedAt).toBeNull()
})

test('the end is stamped once', () => {
  const won = revised(deal(), { stage: 'won' })

  expect(deal({ stage: 'lost' }).closedAt).toBe(now.toISOString())
  expect(won.closedAt).toBe(later.toISOString())
  expect(revised(deal({ stage: 'won' }), { name: 'Other' }).closedAt).toBe(now.toISOString())
})

test('won is certain and lost impossible, whatever the chance was before', () => {
  expect(revised(deal({ probability: 30 }), { stage: 'won' }).probability).toBe(100)
  expect(revised(deal({ probability: 30 }), { stage: 'lost' }).probability).toBe(0)
  expect(revised(deal({ stage: 'won' }), { probability: 100 }).probability).toBe(100)
})

test('a probability that was given stays until the stage changes', () => {
  const guessed = deal({ stage: 'proposal', probability: 33 })

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

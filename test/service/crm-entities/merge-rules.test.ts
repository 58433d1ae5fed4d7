import { expect, test } from 'vitest'
import type { CrmEntity } from '#contract/crm-entities.ts'
import { mergedSource, mergedSurvivor } from '../../../service/crm-entities/merge-rules.ts'
import { faultOf } from '../../support/faults.ts'
import { company, contact, deal, ids, later } from './stage.ts'

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

test('an external id moves as a pair, or stays with the source', () => {
  const mine = { externalSource: 'crm', externalId: '1' }
  const theirs = { externalSource: 'erp', externalId: '2' }
  const source = contact(theirs, ids.other)

  expect(merged(contact(), source)).toMatchObject(theirs)
  expect(merged(contact(mine), source)).toMatchObject(mine)
  expect(mergedSource(source, contact(), later)).toMatchObject({ externalSource: null, externalId: null })
  expect(mergedSource(source, contact(mine), later)).toMatchObject(theirs)
})

test('a contact is called by what both know of him', () => {
  expect(merged(contact(), contact({ firstName: 'A.', lastName: 'Lovelace' }, ids.other)).name).toBe('Ada Lovelace')
})

test('emails of both are kept, those of the survivor first', () => {
  const survivor = contact({ emails: ['b@example.com'] })
  const source = contact({ emails: ['a@example.com'] }, ids.other)

  expect(merged(survivor, source).emails).toEqual(['b@example.com', 'a@example.com'])
  expect(mergedSource(source, survivor, later)).toMatchObject({
    emails: [],
    mergedIntoId: ids.one,
    deletedAt: later.toISOString(),
  })
})

test('a deal stays in its stage: how the source ended is not taken over', () => {
  const lost = deal({ stage: 'lost', lostReason: 'Too dear' }, ids.other)

  expect(merged(deal(), lost)).toMatchObject({ stage: 'new', closedAt: null, lostReason: null, probability: 10 })
  expect(merged(deal({ stage: 'lost' }), lost).lostReason).toBe('Too dear')
})

test('more than a list can hold is refused, not cut', () => {
  const having = (first: number, id?: string) =>
    contact({ phones: Array.from({ length: 15 }, (_, n) => String(first + n)) }, id)

  expect(faultOf(() => merged(having(0), having(15, ids.other)))).toMatchObject({
    code: 'limit_reached',
    members: { field: 'phones', limit: 20 },
  })
  expect(merged(having(0), having(5, ids.other)).phones).toHaveLength(20)
})

test('a company below the source takes its place in the tree, and one above it stays where it is', () => {
  const below = company({ parentCompanyId: ids.third })
  const source = company({ parentCompanyId: ids.third }, ids.other)

  expect(merged(below, company({}, ids.other), { survivor: [ids.third, ids.other] }).parentCompanyId).toBeNull()
  expect(merged(company(), source, { source: [ids.third, ids.one] }).parentCompanyId).toBeNull()
  expect(merged(company(), source, { source: [ids.third] }).parentCompanyId).toBe(ids.third)
})

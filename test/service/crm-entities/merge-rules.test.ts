import { expect, test } from 'vitest'
import { mergedSource, mergedSurvivor } from '../../../service/crm-entities/merge-rules.ts'
import { codeOf, company, contact, deal, faultOf, ids, later } from './stage.ts'

const alone = { survivor: [], source: [] }

test('the survivor keeps what it has and takes what it lacks', () => {
  const survivor = company({ name: 'Acme', industry: 'Tools', labels: ['a', 'b'], customFields: { size: 1 } })
  const source = company(
    {
      name: 'ACME Ltd',
      industry: 'Toys',
      website: 'https://acme.example',
      labels: ['b', 'c'],
      address: { city: 'Berlin' },
      customFields: { size: 2, tier: 'gold' },
    },
    ids.other,
  )

  expect(mergedSurvivor(survivor, source, alone)).toMatchObject({
    id: ids.one,
    name: 'Acme',
    industry: 'Tools',
    website: 'https://acme.example',
    labels: ['a', 'b', 'c'],
    address: { city: 'Berlin' },
    customFields: { size: 1, tier: 'gold' },
    deletedAt: null,
    mergedIntoId: null,
  })
})

test('an external id moves as a pair, or stays with the source', () => {
  const mine = { externalSource: 'crm', externalId: '1' }
  const theirs = { externalSource: 'erp', externalId: '2' }

  expect(mergedSurvivor(contact(), contact(theirs, ids.other), alone)).toMatchObject(theirs)
  expect(mergedSurvivor(contact(mine), contact(theirs, ids.other), alone)).toMatchObject(mine)
  expect(mergedSource(contact(theirs, ids.other), contact(), later)).toMatchObject({
    externalSource: null,
    externalId: null,
  })
  expect(mergedSource(contact(theirs, ids.other), contact(mine), later)).toMatchObject(theirs)
})

test('a contact is called by what both know of him', () => {
  const merged = mergedSurvivor(contact(), contact({ firstName: 'A.', lastName: 'Lovelace' }, ids.other), alone)

  expect(merged.name).toBe('Ada Lovelace')
})

test('emails of both are kept, those of the survivor first', () => {
  const survivor = contact({ emails: ['b@example.com'] })
  const source = contact({ emails: ['a@example.com'] }, ids.other)

  expect(mergedSurvivor(survivor, source, alone).emails).toEqual(['b@example.com', 'a@example.com'])
  expect(mergedSource(source, survivor, later)).toMatchObject({
    emails: [],
    mergedIntoId: ids.one,
    deletedAt: later.toISOString(),
  })
})

test('a deal stays in its stage: how the source ended is not taken over', () => {
  const lost = deal({ stage: 'lost', lostReason: 'Too dear' }, ids.other)

  expect(mergedSurvivor(deal(), lost, alone)).toMatchObject({
    stage: 'new',
    closedAt: null,
    lostReason: null,
    probability: 10,
  })
  expect(mergedSurvivor(deal({ stage: 'lost' }), lost, alone).lostReason).toBe('Too dear')
})

test('more than a list can hold is refused, not cut', () => {
  const phones = (first: number) => Array.from({ length: 15 }, (_, n) => String(first + n))
  const full = contact({ phones: phones(0) })

  const fault = faultOf(() => mergedSurvivor(full, contact({ phones: phones(15) }, ids.other), alone))

  expect(fault?.code).toBe('limit_reached')
  expect(fault?.members).toMatchObject({ field: 'phones', limit: 20 })
  expect(codeOf(() => mergedSurvivor(full, contact({ phones: phones(5) }, ids.other), alone))).toBeNull()
})

test('a company below the source takes its place in the tree', () => {
  const survivor = company({ parentCompanyId: ids.third })
  const source = company({ parentCompanyId: null }, ids.other)

  const merged = mergedSurvivor(survivor, source, { survivor: [ids.third, ids.other], source: [] })

  expect(merged.parentCompanyId).toBeNull()
})

test('a company above the source stays where it is', () => {
  const source = company({ parentCompanyId: ids.third }, ids.other)

  expect(mergedSurvivor(company(), source, { survivor: [], source: [ids.third, ids.one] }).parentCompanyId).toBeNull()
  expect(mergedSurvivor(company(), source, { survivor: [], source: [ids.third] }).parentCompanyId).toBe(ids.third)
})

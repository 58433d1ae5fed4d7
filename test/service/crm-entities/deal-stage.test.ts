import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stages } from '#contract/crm-entities.ts'
import { allowedTransitions } from '../../../service/crm-entities/deal-stage.ts'
import { codeOf, deal, faultOf, later, now, revised } from './stage.ts'

const open = ['new', 'qualified', 'proposal', 'negotiation'] as const

test('a new deal is at the beginning, with the probability of that', () => {
  expect(deal()).toMatchObject({ stage: 'new', probability: 10, closedAt: null, amount: null })
})

test('open stages move freely, and to either end', () => {
  for (const from of open) {
    for (const to of stages) expect(codeOf(() => revised(deal({ stage: from }), { stage: to }))).toBeNull()
  }
})

test('an ended deal can be opened again, and not be lost after it was won', () => {
  for (const [from, to] of [
    ['won', 'lost'],
    ['lost', 'won'],
  ] as const) {
    const fault = faultOf(() => revised(deal({ stage: from }), { stage: to }))

    expect(fault?.code).toBe('invalid_transition')
    expect(fault?.members).toMatchObject({ from, to, allowed: open })
    for (const stage of open) expect(revised(deal({ stage: from }), { stage }).closedAt).toBeNull()
  }
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

test('another probability of a deal that has ended is refused, and not dropped', () => {
  const refused = [
    () => deal({ stage: 'won', probability: 30 }),
    () => revised(deal(), { stage: 'won', probability: 30 }),
    () => revised(deal(), { stage: 'lost', probability: 100 }),
    () => revised(deal({ stage: 'won' }), { probability: 0 }),
  ].map((act) => faultOf(act)?.members.errors)

  for (const errors of refused) expect(errors).toMatchObject([{ pointer: '/probability', code: 'read_only' }])
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
  expect(faultOf(() => revised(deal(), { lostReason: 'Too dear' }))?.members.errors).toMatchObject([
    { pointer: '/lostReason', code: 'read_only' },
  ])
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

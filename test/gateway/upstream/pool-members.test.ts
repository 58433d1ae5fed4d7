// Whatever probes and calls say: who is ejected, and who never is.
import fc from 'fast-check'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { type CallResult, type ProbeResult, candidates, isUsable } from '../../../gateway/upstream/address-health.ts'
import { membersOf } from '../../../gateway/upstream/address-pool.ts'

type Event = { readonly at: number } & (
  | { readonly probe: ProbeResult['kind']; readonly ms: number }
  | { readonly call: CallResult }
)
const member = fc.nat({ max: 2 })
const probe = fc.record({
  at: member,
  probe: fc.constantFrom<ProbeResult['kind']>('ready', 'ready', 'ready', 'unanswered', 'unreachable', 'not_ready'),
  ms: fc.constantFrom(1, 5, 900, 5_000),
})
const call = fc.record({ at: member, call: fc.constantFrom<CallResult>('answered', 'failed', 'failed', 'unreachable') })

test('an ejection always leaves another usable address, and calls always have one to go to', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(probe, call), { maxLength: 120 }), (events: readonly Event[]) => {
      let now = 0
      const members = membersOf(pino({ level: 'silent' }), () => now)
      members.setAddresses(['a', 'b', 'c'].map((host) => ({ origin: `http://${host}`, host })))
      for (const event of events) {
        now += 100
        const all = members.all()
        const asked = all[event.at]!
        const wasUsable = isUsable(asked.health, now)
        if ('call' in event) members.recordCall(asked, event.call)
        else
          members.recordProbe(asked, event.probe === 'ready' ? { kind: 'ready', ms: event.ms } : { kind: event.probe })
        const { rotation } = asked.health
        const isEjectedNow = wasUsable && rotation.kind === 'in' && rotation.from > now
        if (isEjectedNow) expect(all.some(({ health }) => isUsable(health, now))).toBe(true)
        expect(candidates(all, now).length).toBeGreaterThan(0)
      }
    }),
  )
})

test('an address that stays keeps what is known of it, one that comes is unproven, one that goes is forgotten', () => {
  const members = membersOf(pino({ level: 'silent' }), () => 0)
  const [a, b, c] = ['a', 'b', 'c'].map((host) => ({ origin: `http://${host}`, host }))
  members.setAddresses([a!, b!])
  members.recordProbe(members.all()[0]!, { kind: 'ready', ms: 1 })

  members.setAddresses([a!, c!])

  const known = members.all().map(({ address, health }) => [address.host, health.rotation.kind])
  expect(known).toEqual([
    ['a', 'in'],
    ['c', 'out'],
  ])
})

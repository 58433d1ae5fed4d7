// What probes and calls teach about an address.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  afterCall,
  afterProbe,
  callFailuresUntilEjected,
  ejected,
  ejectionMs,
  ejectionMsMax,
  unproven,
  type Health,
  type ProbeResult,
} from '../../../gateway/upstream/address-health.ts'

const ready: ProbeResult = { kind: 'ready', ms: 2 }
const probed = (health: Health, ...kinds: readonly ProbeResult['kind'][]): Health =>
  kinds.reduce((so, kind) => afterProbe(so, kind === 'ready' ? ready : { kind }, 1_000), health)
const well = probed(unproven, 'ready')
const reasonOf = ({ rotation }: Health) => (rotation.kind === 'out' ? rotation.reason : 'in')

test.each<[string, readonly ProbeResult['kind'][], string]>([
  ['one that nobody has asked yet gets no calls', [], 'unproven'],
  ['a new one gets calls from its first good probe on', ['ready'], 'in'],
  ['one failure is forgiven', ['ready', 'unanswered'], 'in'],
  ['two failures in a row take it out', ['ready', 'unanswered', 'unreachable'], 'unreachable'],
  ['failures count in a row only', ['ready', 'unanswered', 'ready', 'unanswered'], 'in'],
  ['one answer that says "not ready" takes it out', ['ready', 'not_ready'], 'not_ready'],
  ['one answer that does not know our signature takes it out', ['ready', 'signature_refused'], 'signature_refused'],
  ['one good probe does not bring it back', ['ready', 'not_ready', 'ready'], 'not_ready'],
  ['two good probes in a row bring it back', ['ready', 'not_ready', 'ready', 'ready'], 'in'],
  ['good probes count in a row only', ['ready', 'not_ready', 'ready', 'unanswered', 'ready'], 'not_ready'],
])('%s', (_promise, kinds, reason) => {
  expect(reasonOf(probed(unproven, ...kinds))).toBe(reason)
})

test('one good probe brings it back where no other address is usable', () => {
  expect(reasonOf(afterProbe(probed(well, 'not_ready'), ready, 1_000, true))).toBe('in')
})

test('refused calls count like failed probes; an answered call proves that it lives', () => {
  expect(reasonOf(afterCall(afterCall(well, 'unreachable'), 'unreachable'))).toBe('unreachable')
  expect(reasonOf(probed(afterCall(probed(well, 'unanswered'), 'answered'), 'unanswered'))).toBe('in')
})

test('an answered call brings no address back that its probes have taken out', () => {
  expect(reasonOf(afterCall(probed(well, 'not_ready'), 'answered'))).toBe('not_ready')
})

test('each ejection lasts longer than the one before, up to a minute; after a long time in rotation they are forgotten', () => {
  const lengths: number[] = []
  let health = well
  let now = 1_000
  for (let times = 0; times < 20; times++) {
    health = ejected(health, now)
    const from = health.rotation.kind === 'in' ? health.rotation.from : Number.NaN
    lengths.push(from - now)
    now = from + 1
  }
  expect(lengths.slice(0, 3)).toEqual([ejectionMs, 2 * ejectionMs, 3 * ejectionMs])
  expect(Math.max(...lengths)).toBe(ejectionMsMax)
  const later = ejected(health, now + ejectionMsMax + 1)
  expect(later.ejections).toBe(1)
})

test('whatever happens, it is in rotation only if its last probe that said something clear was good', () => {
  const kind = fc.constantFrom('ready', 'not_ready', 'signature_refused', 'unreachable', 'unanswered')
  const call = fc.constantFrom('answered', 'unreachable', 'failed')
  fc.assert(
    fc.property(fc.array(fc.oneof(kind, call), { maxLength: 30 }), (events) => {
      let health = unproven
      let clear: string | null = null
      for (const event of events) {
        if (event === 'answered' || event === 'failed') health = afterCall(health, event)
        else health = probed(health, event)
        if (event === 'ready' || event === 'not_ready' || event === 'signature_refused') clear = event
      }
      expect(health.callsFailedInARow).toBeLessThanOrEqual(events.length)
      if (health.rotation.kind === 'in') expect(clear).toBe('ready')
      if (clear === null) expect(health.rotation.kind).toBe('out')
    }),
  )
})

test('calls that fail one after the other are counted until one is answered', () => {
  let health = well
  for (let times = 0; times < callFailuresUntilEjected; times++) health = afterCall(health, 'failed')
  expect(health.callsFailedInARow).toBe(callFailuresUntilEjected)
  expect(afterCall(health, 'answered').callsFailedInARow).toBe(0)
  expect(health.rotation.kind).toBe('in')
})

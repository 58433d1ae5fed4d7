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
  type Rotation,
  candidates,
  isFarSlower,
  shareOf,
  slowStartMs,
  readinessOf,
  graceMs,
} from '../../../gateway/upstream/address-health.ts'
import { roundRobin } from '../../../gateway/upstream/address-pool.ts'

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

const outByProbe = probed(well, 'not_ready')
const answeredInBetween = afterCall(probed(well, 'unanswered'), 'answered')

test.each([
  ['one good probe brings it back where no other is usable', afterProbe(outByProbe, ready, 1_000, true), 'in'],
  ['refused calls count like failed probes', afterCall(afterCall(well, 'unreachable'), 'unreachable'), 'unreachable'],
  ['an answered call proves that it lives', probed(answeredInBetween, 'unanswered'), 'in'],
  ['an answered call brings none back that its probes have taken out', afterCall(outByProbe, 'answered'), 'not_ready'],
])('%s', (_promise, health, reason) => {
  expect(reasonOf(health)).toBe(reason)
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

// Who gets calls, and how many.

const now = 100_000
const at = (rotation: Rotation, more: Partial<Health> = {}): Health => ({ ...unproven, rotation, ...more })
const full = at({ kind: 'in', from: 0 }, { probeMs: 2, lastReadyAt: now })
const ejectedOne = at({ kind: 'in', from: now + 5_000 })
const dead = at({ kind: 'out', reason: 'unreachable' })
const wrong = at({ kind: 'out', reason: 'signature_refused' })
const member = (health: Health) => ({ health })
const chosen = (...healths: Health[]) => candidates(healths.map(member), now).map(({ health }) => health)

test('calls go to those in rotation; without any to the ejected; without these to all that could answer', () => {
  expect(chosen(full, ejectedOne, dead, wrong)).toEqual([full])
  expect(chosen(ejectedOne, dead, wrong)).toEqual([ejectedOne])
  expect(chosen(dead, unproven, wrong)).toEqual([dead, unproven])
  expect(chosen(wrong)).toEqual([])
})

test('one that has come in gets a small share at first, and all of it after five seconds', () => {
  const share = (sinceMs: number): number => shareOf(at({ kind: 'in', from: now - sinceMs }), now)
  expect([share(0), share(slowStartMs / 2), share(slowStartMs), share(10 * slowStartMs)]).toEqual([0.1, 0.5, 1, 1])
})

test('round-robin gives by share and spreads evenly', () => {
  const items = [{ share: 1 }, { share: 0.5 }, { share: 0.5 }]
  const { next } = roundRobin<{ share: number }>()
  const given = Array.from({ length: 8 }, () => items.indexOf(next(items, ({ share }) => share)!))
  expect(given.filter((index) => index === 0)).toHaveLength(4)
  expect(given.slice(0, 4).toSorted((a, b) => a - b)).toEqual([0, 0, 1, 2])
  expect(next([], () => 1)).toBeUndefined()
})

test('over many rounds every address gets its share', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 1, maxLength: 6 }), (shares) => {
      const items = shares.map((share) => ({ share, taken: 0 }))
      const total = shares.reduce((sum, share) => sum + share)
      const { next } = roundRobin<(typeof items)[number]>()
      for (let turn = 0; turn < total * 3; turn++) next(items, ({ share }) => share)!.taken += 1
      expect(items.map(({ taken }) => taken)).toEqual(shares.map((share) => share * 3))
    }),
  )
})

test.each([
  ['five times and 200 ms slower than the others', 300, [2, 3], true],
  ['slow, like the others', 900, [800, 700], false],
  ['much slower by the factor, but fast', 100, [2, 3], false],
  ['slower than one of two others', 900, [2, 900], true],
  ['nobody to compare with', 900, [], false],
])('%s', (_case, own, others, slower) => {
  const healths = others.map((probeMs) => ({ ...full, probeMs }))
  expect(isFarSlower({ ...full, probeMs: own }, healths, now)).toBe(slower)
})

test.each([
  ['one whose probes came back long ago is no measure', [{ ...full, lastReadyAt: now - 2_000 }]],
  ['one whose last probe failed is no measure', [{ ...full, failedInARow: 1 }]],
  ['the last usable address is never ejected for slowness', [ejectedOne, dead, { ...ejectedOne, probeMs: 1 }]],
])('%s', (_promise, others) => {
  expect(isFarSlower({ ...full, probeMs: 9_000 }, others, now)).toBe(false)
})

const outSince = (reason: 'not_ready' | 'unanswered', ms: number): Health =>
  at({ kind: 'out', reason }, { lastReadyAt: now - ms })

test.each<[string, Health[], boolean, number, RegExp | null]>([
  ['one of two is enough', [full, dead], true, 1, null],
  ['none', [dead, dead], false, 0, /takes a connection/],
  ['none knows the secret', [wrong, dead], false, 0, /INTERNAL_SECRET differs/],
  ['no address at all', [], false, 0, /no name was resolved/],
  ['says that it is not ready', [outSince('not_ready', graceMs)], false, 0, /not ready/],
  ['about to stop, a moment ago', [outSince('not_ready', 1_000)], true, 0, null],
  ['silent for a moment', [outSince('unanswered', 2_000)], true, 0, null],
  ['silent for long', [outSince('unanswered', graceMs)], false, 0, /do not answer/],
])('ready: %s', (_case, healths, isReady, usable, why) => {
  const because = why === null ? null : expect.stringMatching(why)
  expect(readinessOf(healths, now)).toMatchObject({ isReady, usable, known: healths.length, why: because })
})

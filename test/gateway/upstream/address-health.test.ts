// What probes and calls teach about an address.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as health from '../../../gateway/upstream/address-health.ts'
import { roundRobin } from '../../../gateway/upstream/address-pool.ts'

const { afterCall, afterProbe, ejected, unproven, isFarSlower } = health
const { ejectionMs, ejectionMsMax, slowStartMs, graceMs } = health
type Health = health.Health
type ProbeResult = health.ProbeResult

const ready: ProbeResult = { kind: 'ready', ms: 2 }
const probed = (health: Health, ...kinds: readonly ProbeResult['kind'][]): Health =>
  kinds.reduce((so, kind) => afterProbe(so, kind === 'ready' ? ready : { kind }, 1_000), health)
const well = probed(unproven, 'ready')
const reasonOf = ({ rotation }: Health) => (rotation.kind === 'out' ? rotation.reason : 'in')

const outByProbe = probed(well, 'not_ready')
const answeredInBetween = afterCall(probed(well, 'unanswered'), 'answered')

test.each([
  ['one that nobody has asked yet gets no calls', unproven, 'unproven'],
  ['a new one gets calls from its first good probe on', well, 'in'],
  ['one failure is forgiven', probed(well, 'unanswered'), 'in'],
  ['two failures in a row take it out', probed(well, 'unanswered', 'unreachable'), 'unreachable'],
  ['failures count in a row only', probed(well, 'unanswered', 'ready', 'unanswered'), 'in'],
  ['one answer that says "not ready" takes it out', outByProbe, 'not_ready'],
  ['one that does not know our signature takes it out', probed(well, 'signature_refused'), 'signature_refused'],
  ['one good probe does not bring it back', probed(outByProbe, 'ready'), 'not_ready'],
  ['two good probes in a row bring it back', probed(outByProbe, 'ready', 'ready'), 'in'],
  ['good probes count in a row only', probed(outByProbe, 'ready', 'unanswered', 'ready'), 'not_ready'],
  ['one good probe brings it back where no other is usable', afterProbe(outByProbe, ready, 1_000, true), 'in'],
  ['refused calls count like failed probes', afterCall(afterCall(well, 'unreachable'), 'unreachable'), 'unreachable'],
  ['an answered call proves that it lives', probed(answeredInBetween, 'unanswered'), 'in'],
  ['an answered call brings none back that its probes have taken out', afterCall(outByProbe, 'answered'), 'not_ready'],
])('%s', (_promise, health, reason) => {
  expect(reasonOf(health)).toBe(reason)
})

test('each ejection lasts longer than the one before, up to a minute; after a long time in rotation they are forgotten', () => {
  const lengths: number[] = []
  let [health, now] = [well, 1_000]
  for (let times = 0; times < 20; times++) {
    health = ejected(health, now)
    const from = health.rotation.kind === 'in' ? health.rotation.from : Number.NaN
    lengths.push(from - now)
    now = from + 1
  }

  expect(lengths.slice(0, 3)).toEqual([ejectionMs, 2 * ejectionMs, 3 * ejectionMs])
  expect(Math.max(...lengths)).toBe(ejectionMsMax)
  expect(ejected(health, now + ejectionMsMax + 1).ejections).toBe(1)
})

test('whatever happens, it is in rotation only if its last probe that said something clear was good', () => {
  const kind = fc.constantFrom('ready', 'not_ready', 'signature_refused', 'unreachable', 'unanswered')
  const call = fc.constantFrom('answered', 'unreachable', 'failed')
  const property = fc.property(fc.array(fc.oneof(kind, call), { maxLength: 30 }), (events) => {
    let health = unproven
    let clear: string | null = null
    for (const event of events) {
      if (event === 'answered' || event === 'failed') health = afterCall(health, event)
      else health = probed(health, event)
      if (event === 'answered') expect(health.callsFailedInARow).toBe(0)
      if (event === 'ready' || event === 'not_ready' || event === 'signature_refused') clear = event
    }
    expect(health.callsFailedInARow).toBeLessThanOrEqual(events.length)
    if (health.rotation.kind === 'in') expect(clear).toBe('ready')
    if (clear === null) expect(health.rotation.kind).toBe('out')
  })
  fc.assert(property)
})

const now = 100_000
const at = (rotation: health.Rotation, more: Partial<Health> = {}): Health => ({ ...unproven, rotation, ...more })
const full = at({ kind: 'in', from: 0 }, { probeMs: 2, lastReadyAt: now })
const ejectedOne = at({ kind: 'in', from: now + 5_000 })
const dead = at({ kind: 'out', reason: 'unreachable' })
const wrong = at({ kind: 'out', reason: 'signature_refused' })
const member = (health: Health) => ({ health })
const chosen = (...healths: Health[]) => health.candidates(healths.map(member), now).map(({ health }) => health)

test('calls go to those in rotation; without any to the ejected; without these to all that could answer', () => {
  expect(chosen(full, ejectedOne, dead, wrong)).toEqual([full])
  expect(chosen(ejectedOne, dead, wrong)).toEqual([ejectedOne])
  expect(chosen(dead, unproven, wrong)).toEqual([dead, unproven])
  expect(chosen(wrong)).toEqual([])
})

test('one that has come in gets a small share at first, and all of it after five seconds', () => {
  const share = (sinceMs: number): number => health.shareOf(at({ kind: 'in', from: now - sinceMs }), now)
  expect([share(0), share(slowStartMs / 2), share(slowStartMs), share(10 * slowStartMs)]).toEqual([0.1, 0.5, 1, 1])
})

test('round-robin gives by share and spreads evenly', () => {
  const items = [{ share: 1 }, { share: 0.5 }, { share: 0.5 }]
  const { next } = roundRobin<{ share: number }>()

  const given = Array.from({ length: 4 }, () => items.indexOf(next(items, ({ share }) => share)!))

  expect(given.toSorted((a, b) => a - b)).toEqual([0, 0, 1, 2])
  expect(next([], () => 1)).toBeUndefined()
})

test('over many rounds every address gets its share', () => {
  const property = fc.property(fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 1, maxLength: 6 }), (shares) => {
    const items = shares.map((share) => ({ share, taken: 0 }))
    const total = shares.reduce((sum, share) => sum + share)
    const { next } = roundRobin<(typeof items)[number]>()
    for (let turn = 0; turn < total * 3; turn++) next(items, ({ share }) => share)!.taken += 1
    expect(items.map(({ taken }) => taken)).toEqual(shares.map((share) => share * 3))
  })
  fc.assert(property)
})

const slow = (...probeMs: number[]): Health[] => probeMs.map((ms) => ({ ...full, probeMs: ms }))
test.each<[string, number, Health[], boolean]>([
  ['five times and 200 ms slower than the others', 300, slow(2, 3), true],
  ['slow, like the others', 900, slow(800, 700), false],
  ['much slower by the factor, but fast', 100, slow(2, 3), false],
  ['slower than one of two others', 900, slow(2, 900), true],
  ['nobody to compare with', 900, [], false],
  ['one whose probes came back long ago is no measure', 9_000, [{ ...full, lastReadyAt: now - 2_000 }], false],
  ['one whose last probe failed is no measure', 9_000, [{ ...full, failedInARow: 1 }], false],
  ['the last usable one never is', 9_000, [ejectedOne, dead, { ...ejectedOne, probeMs: 1 }], false],
])('far slower: %s', (_case, probeMs, others, slower) => {
  expect(isFarSlower({ ...full, probeMs }, others, now)).toBe(slower)
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
  expect(health.readinessOf(healths, now)).toMatchObject({ isReady, usable, known: healths.length, why: because })
})

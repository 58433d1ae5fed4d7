// Notifications of changed keys, and the polls that make up for lost ones.
import { expect, onTestFinished, test } from 'vitest'
import type { RecentKeyChanges } from '#contract/internal/gateway-endpoints.ts'
import { eventually } from '../../support/eventually.ts'
import { entryMaxAgeMs, onKeyChangeMessage, pollKeyChanges, upToDateMs } from '../../../gateway/keys/key-changes.ts'

function invalidatedBy(text: string): unknown[] {
  const invalidated: unknown[] = []
  const push = (change: unknown) => void invalidated.push(change)
  onKeyChangeMessage(text, { invalidate: push, invalidateAll: () => push('all') })
  return invalidated
}

test('a notification names what is invalidated, with its version where it has one; any other invalidates everything', () => {
  const named = ['api-key', 'workspace', 'session', 'member'].map((kind) => ({ kind, id: 'i' }))
  for (const change of [...named, { kind: 'api-key', id: 'i', version: 3 }])
    expect(invalidatedBy(JSON.stringify(change))).toEqual([change])
  const noChange = ['{}', '{"kind":"api-key"}', '{"kind":"api-key","id":null}', '{"id":"k"}', '{"kind":"x","id":"k"}']
  for (const text of ['', 'junk', 'null', '[]', '"k"', ...noChange]) expect(invalidatedBy(text)).toEqual(['all'])
})

const change = (number: string, id: string) => ({ number, kind: 'api-key' as const, id })

/** By a clock of the test's own; each poll is answered with what `say` was given last. */
function polling() {
  const invalidated: string[] = []
  const errors: unknown[] = []
  let now = 0
  let answer: RecentKeyChanges | null = { changes: [], complete: true }
  let answered = 0
  let during = () => {}
  const poller = pollKeyChanges(
    async () => {
      if (answer === null) throw new Error('away')
      during()
      answered += 1
      return answer
    },
    {
      invalidate: ({ id }) => invalidated.push(id),
      invalidateAll: () => invalidated.push('all'),
      beginAnew: () => invalidated.push('anew'),
    },
    (error) => errors.push(error),
    { everyMs: 1, now: () => now },
  )
  onTestFinished(poller.close)
  /** Resolves when a poll that began since has been answered and handled. */
  const say = async (next: RecentKeyChanges | null) => {
    answer = next
    const before = answered
    await eventually(() => next === null || answered > before + 1, 'the next answer')
  }
  const duringAnswer = (act: () => void) => void (during = act)
  return { poller, invalidated, errors, say, duringAnswer, pass: (ms: number) => void (now += ms) }
}

const each = [[change('1', 'a')], [change('2', 'b'), change('1', 'a')], [change('3', 'a'), change('2', 'b')]]
const tooMany = [[change('2', 'b')], [change('2', 'b')]]
test.each([
  ['each is invalidated once, however often it is in an answer', each, true, ['a', 'b', 'a']],
  ['more than an answer can hold invalidate every key, once for each new one', tooMany, false, ['all']],
])('polled changes: %s', async (_promise, answers, complete, expected) => {
  const { invalidated, say } = polling()

  for (const changes of answers) await say({ changes, complete })

  expect(invalidated).toEqual(expected)
})

test('an installation that was restored since the last answer makes everything void, once; a service that tells no epoch changes nothing', async () => {
  const { invalidated, say } = polling()
  const answer = { changes: [], complete: true }
  await say({ ...answer, epoch: null })

  await say({ ...answer, epoch: 'e1' })
  await say(answer)
  await say({ ...answer, epoch: 'e1' })

  expect(invalidated).toEqual(['anew'])
})

test('an answered poll counts as up to date for 4 s from the moment at which it began', async () => {
  const { poller, errors, say, duringAnswer, pass } = polling()
  expect(poller.lagMs()).toBeGreaterThanOrEqual(upToDateMs)
  await say({ changes: [], complete: true })
  expect(poller.lagMs()).toBeLessThan(upToDateMs)

  await say(null)
  await eventually(() => errors.length === 1, 'the error is reported')
  pass(3_999)
  expect(poller.lagMs()).toBeLessThan(upToDateMs)
  pass(1)
  expect(poller.lagMs()).toBeGreaterThanOrEqual(upToDateMs)

  // Each answer takes so long that it is outdated when it comes.
  duringAnswer(() => pass(4_000))
  await say({ changes: [], complete: true })
  expect(poller.lagMs()).toBeGreaterThanOrEqual(upToDateMs)
  expect(errors).toHaveLength(1)
})

test('after a gap that an answer may not cover, everything counts as changed, known changes or none', async () => {
  const { invalidated, say, pass } = polling()
  await say({ changes: [change('1', 'a')], complete: true })

  pass(45_000)
  await say({ changes: [change('1', 'a')], complete: true })
  expect(invalidated).toEqual(['a'])
  pass(45_001)
  await say({ changes: [change('1', 'a')], complete: true })

  expect(invalidated).toEqual(['a', 'all'])
})

test('without an answer for as long as any entry is used everything counts as changed, once', async () => {
  const { poller, invalidated, errors, say, pass } = polling()
  await say({ changes: [], complete: true })

  await say(null)
  pass(entryMaxAgeMs)
  await eventually(() => invalidated.length > 0, 'everything is void')
  const before = errors.length
  poller.wake()
  await say(null)

  expect([invalidated, errors.length]).toEqual([['all'], before])
})

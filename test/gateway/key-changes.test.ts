// What gateways hear of changed keys, and what they ask for because they may not have heard it.
import { expect, test } from 'vitest'
import type { RecentKeyChanges } from '#contract/principal.ts'
import { eventually } from '../support/eventually.ts'
import { followKeyChanges, hearKeyChange } from '../../gateway/key-changes.ts'

function told(text: string): unknown[] {
  const forgotten: unknown[] = []
  hearKeyChange(text, { forget: (change) => forgotten.push(change), forgetAll: () => forgotten.push('all') })
  return forgotten
}

test('a change names the key or the workspace that is forgotten', () => {
  expect(told('{"kind":"api-key","id":"k"}')).toEqual([{ kind: 'api-key', id: 'k' }])
  expect(told('{"kind":"workspace","id":"w"}')).toEqual([{ kind: 'workspace', id: 'w' }])
})

test.each(['', 'junk', 'null', '[]', '"k"', '{}', '{"kind":"api-key"}', '{"kind":"api-key","id":null}', '{"id":"k"}'])(
  'a change that does not say what has changed forgets everything: %s',
  (text) => expect(told(text)).toEqual(['all']),
)

const change = (number: string, id: string) => ({ number, kind: 'api-key' as const, id })

/** By a clock of the test's own; each question is answered with what `say` was given last. */
function following() {
  const forgotten: string[] = []
  const lost: unknown[] = []
  let now = 0
  let answer: RecentKeyChanges | null = { changes: [], complete: true }
  let answered = 0
  let during = () => {}
  const follower = followKeyChanges(
    async () => {
      if (answer === null) throw new Error('away')
      during()
      answered += 1
      return answer
    },
    { forget: ({ id }) => forgotten.push(id), forgetAll: () => forgotten.push('all') },
    (error) => lost.push(error),
    { everyMs: 1, now: () => now },
  )
  /** Resolves when a question that was asked since has been answered and taken. */
  const say = async (next: RecentKeyChanges | null) => {
    answer = next
    const before = answered
    await eventually(() => next === null || answered > before + 1, 'the next answer')
  }
  const duringAnswer = (act: () => void) => void (during = act)
  return { follower, forgotten, lost, say, duringAnswer, pass: (ms: number) => void (now += ms) }
}

test('each change that is asked for is forgotten once, however often it is told', async () => {
  const { follower, forgotten, say } = following()

  await say({ changes: [change('1', 'a')], complete: true })
  await say({ changes: [change('2', 'b'), change('1', 'a')], complete: true })
  await say({ changes: [change('3', 'a'), change('2', 'b')], complete: true })

  expect(forgotten).toEqual(['a', 'b', 'a'])
  await follower.close()
})

test('more changes than can be told forget every key, once for each news', async () => {
  const { follower, forgotten, say } = following()

  await say({ changes: [change('2', 'b')], complete: false })
  await say({ changes: [change('2', 'b')], complete: false })

  expect(forgotten).toEqual(['all'])
  await follower.close()
})

test('an answer counts as the latest for 4 s from the moment at which it was asked for', async () => {
  const { follower, lost, say, duringAnswer, pass } = following()
  expect(follower.isUpToDate()).toBe(false)
  await say({ changes: [], complete: true })
  expect(follower.isUpToDate()).toBe(true)

  await say(null)
  await eventually(() => lost.length === 1, 'the loss is noticed')
  pass(3_999)
  expect(follower.isUpToDate()).toBe(true)
  pass(1)
  expect(follower.isUpToDate()).toBe(false)

  // Each answer takes so long that it is outdated when it comes.
  duringAnswer(() => pass(4_000))
  await say({ changes: [], complete: true })
  expect(follower.isUpToDate()).toBe(false)
  expect(lost).toHaveLength(1)
  await follower.close()
})

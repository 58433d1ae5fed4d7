// Who may keep how many streams open on one gateway.
import { expect, test } from 'vitest'
import type { Fault } from '#contract/faults/fault.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { eventually } from '../../support/eventually.ts'
import { openContext } from '../../../gateway/request/request-context.ts'
import { openStreamsLimit, streamsMax, type OpenStreams } from '../../../gateway/overload/open-streams-limit.ts'

// Of a principal its key and workspace are read.
const principal = (key: string, workspace: string) => ({ id: key, workspaceId: workspace }) as Principal
const call = () => openContext('r', null)
const never = (): number => Infinity

const outcome = (streams: OpenStreams, key: string, workspace = 'w', at = call()): Promise<string> =>
  streams.open(principal(key, workspace), at, never).then(
    () => 'open',
    (fault: Fault) => fault.code,
  )

test('a key has five, over all of its workspaces; one that has closed, even before it was opened, takes no place', async () => {
  const streams = openStreamsLimit()
  const first = call()
  expect(await outcome(streams, 'k', 'w', first)).toBe('open')
  for (let at = 0; at < 4; at++) expect(await outcome(streams, 'k', `w${at}`)).toBe('open')
  expect([await outcome(streams, 'k', 'w9'), await outcome(streams, 'other', 'w9')]).toEqual(['rate_limited', 'open'])

  first.close(true)
  const gone = call()
  gone.close(false)

  const outcomes = [await outcome(streams, 'k', 'w', gone), await outcome(streams, 'k'), await outcome(streams, 'k')]
  expect(outcomes).toEqual(['open', 'open', 'rate_limited'])
})

test('a workspace has twenty, and all keys together have a bound, which is not the fault of the one that meets it', async () => {
  const streams = openStreamsLimit()
  for (let at = 0; at < 20; at++) expect(await outcome(streams, `of one ${at}`, 'full')).toBe('open')
  expect(await outcome(streams, 'one more', 'full')).toBe('rate_limited')
  for (let at = 20; at < streamsMax; at++) expect(await outcome(streams, `k${at}`, `w${at}`)).toBe('open')

  expect(await outcome(streams, 'one more', 'elsewhere')).toBe('unavailable')
})

test('a change ends the streams of its key, or all in its workspace, and no others; at the end none is opened', async () => {
  const streams = openStreamsLimit()
  const open = (key: string, workspace: string) => streams.open(principal(key, workspace), call(), never)
  const opened = [await open('k1', 'w1'), await open('k1', 'w2'), await open('k2', 'w2'), await open('k3', 'w3')]
  const ended = () => opened.map(({ aborted }) => aborted)

  streams.endOf('k1')
  expect(ended()).toEqual([true, true, false, false])
  streams.endOf('w2')
  expect(ended()).toEqual([true, true, true, false])
  streams.endEach()
  expect(ended()).toEqual([true, true, true, true])
  expect((await open('k1', 'w1')).aborted).toBe(false)

  streams.endAll()
  expect(await outcome(streams, 'other')).toBe('unavailable')
})

test('a stream ends when its key’s time is over, at once when it is over already, and not before', async () => {
  const streams = openStreamsLimit()
  const inDays = (days: number) => () => Date.now() + days * 86_400_000
  const [over, distant] = [
    await streams.open(principal('k', 'w'), call(), () => 0),
    await streams.open(principal('k', 'w'), call(), inDays(300)),
  ]
  const soon = await streams.open(principal('k', 'w'), call(), () => Date.now() + 30)

  await eventually(() => soon.aborted, 'the end of its time')

  expect([over.aborted, distant.aborted]).toEqual([true, false])
})

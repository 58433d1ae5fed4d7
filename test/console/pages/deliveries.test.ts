// The logic of the delivery pages that needs no browser: a list kept up to date, words, and commands.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Attempt, Delivery } from '#contract/deliveries.ts'
import * as words from '../../../console/app/delivery-words.ts'
import { asCurl, asSignatureCheck } from '../../../console/pages/deliveries/as-curl.ts'
import { merged, remembered } from '../../../console/pages/deliveries/merge-deliveries.ts'
import { countText, deliveredText, endOf, leftOutText, rateOf } from '../../../console/webhook-health/resend-words.ts'
import type { ListState } from '../../../console/ui/list-state.ts'
import { signedHeaders, signingKeys } from '#contract/internal/webhook-request.ts'

const startMs = Date.parse('2026-11-22T12:00:00.000Z')
const at = (seconds: number): string => new Date(startMs + seconds * 1_000).toISOString()

/** Only what is looked at. The `seconds`th after the start. */
const delivery = (id: string, seconds: number, more: Partial<Delivery> = {}): Delivery =>
  ({ id, createdAt: at(seconds), status: 'pending', webhookId: 'w', eventId: 'e', ...more }) as Delivery
const listed = (...rows: Delivery[]): ListState<Delivery> => ({ kind: 'rows', rows, more: null })
const idsOf = (state: ListState<Delivery>): readonly string[] | string =>
  state.kind === 'rows' ? state.rows.map(({ id }) => id) : state.kind
const statusOf = (state: ListState<Delivery>, id: string) =>
  state.kind === 'rows' ? state.rows.find((row) => row.id === id)?.status : state.kind

test('what no longer fits the filter goes, and what never did stays out', () => {
  const list = listed(delivery('b', 2), delivery('a', 1))
  const filter = { status: ['pending'], webhookId: 'w', eventId: 'e', createdAfter: at(0) }
  const told = [
    delivery('b', 2, { status: 'delivered' }),
    delivery('c', 3, { webhookId: 'other' }),
    delivery('d', 3, { eventId: 'other' }),
    delivery('e', 0),
  ]

  expect(idsOf(merged(list, told, filter))).toEqual(['a'])
  expect(idsOf(merged(listed(delivery('b', 2)), told, filter))).toBe('filtered-empty')
})

test('while there is more of the list, what is older than its last row waits for its page', () => {
  const whole = listed(delivery('b', 2))
  const first = { ...whole, more: { isLoading: false, load() {} } } as ListState<Delivery>

  expect(idsOf(merged(first, [delivery('a', 1)], {}))).toEqual(['b'])
  expect(idsOf(merged(whole, [delivery('a', 1)], {}))).toEqual(['b', 'a'])
})

test('of a filter by request, which no delivery tells, only what is listed is kept up to date', () => {
  const told = [delivery('a', 1, { status: 'delivered' }), delivery('b', 2)]
  const state = merged(listed(delivery('a', 1)), told, { requestId: 'r' })

  expect([idsOf(state), statusOf(state, 'a')]).toEqual([['a'], 'delivered'])
})

test('an empty list takes what comes; one that has failed or is loading stays as it is', () => {
  const one = [delivery('a', 1)]

  expect(idsOf(merged({ kind: 'empty' }, one, {}))).toEqual(['a'])
  expect(idsOf(merged({ kind: 'empty' }, [], {}))).toBe('empty')
  expect(idsOf(merged({ kind: 'filtered-empty' }, one, { status: ['delivered'] }))).toBe('filtered-empty')
  expect(idsOf(merged({ kind: 'loading' }, one, {}))).toBe('loading')
})

test('whatever is told in whatever order, each is there once and newest first, of the same time the later id', () => {
  const id = fc.constantFrom(...'abcdef'.split(''))
  const some = fc.array(fc.tuple(id, fc.constantFrom('pending' as const, 'delivered' as const)))
  fc.assert(
    fc.property(some, some, fc.boolean(), (before, after, isOneTime) => {
      const made = (rows: typeof before) =>
        rows.map(([id, status]) => delivery(id, isOneTime ? 1 : id.charCodeAt(0), { status }))
      const rows = [...new Map(made(before).map((row) => [row.id, row])).values()]
      const state = merged(listed(...rows), made(after), {})
      const ids = [...new Set([...before, ...after].map(([id]) => id))].toSorted().toReversed()

      expect(idsOf(state)).toEqual(ids.length === 0 ? 'filtered-empty' : ids)
      for (const [id] of after) expect(statusOf(state, id)).toBe(after.findLast(([other]) => other === id)?.[1])
    }),
  )
})

test('of what was told the newest 500 are remembered', () => {
  const ids = Array.from({ length: 501 }, (_, n) => String(n))
  const none: ReadonlyMap<string, Delivery> = new Map()
  const known = ids.reduce((before, id) => remembered(before, delivery(id, 1)), none)

  expect([known.size, known.has('0'), known.has('500')]).toEqual([500, false, true])
  expect([...remembered(known, delivery('1', 1)).keys()].at(-1)).toBe('1')
  expect(remembered(known, delivery('1', 1)).size).toBe(500)
})

test('milliseconds are said in the units that are read at a glance', () => {
  const said = [0, 999.4, 1_000, 60_000, 320_000, 3_600_000, 3_660_000].map(words.spanText)

  expect(said).toEqual(['0 ms', '999 ms', '1 s', '1 min', '5 min 20 s', '1 h', '1 h 1 min'])
})

test.each([
  [null, 200, null],
  ['http_status', 503, /^The endpoint returned 503, a server error/],
  ['http_status', 300, /a redirect/],
  ['http_status', 410, /410 \(gone\)/],
  ['http_status', 401, /right secret/],
  ['http_status', 403, /right secret/],
  ['http_status', 404, /nothing at this URL/],
  ['http_status', 399, /a redirect/],
  ['http_status', 429, /too many requests/],
  ['http_status', 400, /^The endpoint returned 400\.$/],
  ['http_status', null, /The endpoint responded with a status other than 2xx\./],
  ['timeout', null, /^There was no connection within 5 seconds/],
  ['a_new_code', null, /^The attempt failed: a_new_code\.$/],
])('the error %s with the status %s is explained', (code, status, expected) => {
  const said = words.whyNot(code, status)

  if (expected === null) expect(said).toBeNull()
  else expect(said).toMatch(expected)
})

const waiting = 'Waiting: either an earlier delivery must finish first (this webhook sends in order)'
const again = 'Use Resend to send it again with the same ID.'
const standing = { attemptCount: 1, maxAttempts: 8, nextAttemptAt: at(12) }
test.each([
  [{ status: 'delivered' }, 'Delivered. No further attempts are made.'],
  [{ status: 'cancelled' }, 'Cancelled: the webhook was deleted or no longer has access to this event type.'],
  [{ status: 'dead_letter' }, `Failed after 1 attempt. ${again}`],
  [{ status: 'dead_letter', attemptCount: 8 }, `Failed after 8 attempts. ${again}`],
  [{ status: 'retrying' }, `Next attempt at ${words.timeText(at(12))}, in 12 s: attempt 2 of 8.`],
  [
    { status: 'pending', nextAttemptAt: at(0), attemptCount: 0 },
    'Not sent yet. Next attempt is due now: attempt 1 of 8.',
  ],
  [{ status: 'pending', nextAttemptAt: null }, `${waiting}, or the webhook must be enabled.`],
] as const)('what comes after %j', (change, said) => {
  expect(words.nextStep({ ...standing, ...change } as Delivery, startMs)).toBe(said)
})

test('all can be sent again but what the operator is to release; the wait before a try begins where the try before it has ended', () => {
  const states = ['pending', 'retrying', 'delivered', 'dead_letter', 'cancelled'] as const
  const first = { startedAt: at(0), durationMs: 2_000 } as Attempt

  expect(states.filter((status) => words.canResend({ status } as Delivery))).toEqual(states)
  const held = { lastErrorCode: 'held_after_restore' }
  expect(states.filter((status) => !words.canResend({ status, ...held } as Delivery))).toEqual(['pending', 'retrying'])
  expect(words.waitBefore({ startedAt: at(10) } as Attempt, first)).toBe(8_000)
  expect(words.waitBefore({ startedAt: at(1) } as Attempt, first)).toBe(0)
  expect(words.waitBefore(first, undefined)).toBeNull()
})

const hostile = `{"name":"it's \`id\` $(id) \${HOME} \\\\ \\n !! % “ü”"}`
const attemptWith = (headers: Record<string, string>, body = hostile): Attempt =>
  ({ request: { url: "https://acme.example/a?b='c'&d=$HOME", headers, body } }) as unknown as Attempt
/** The words that the shell makes of it, when the program only says them. */
const wordsOf = (command: string): string[] =>
  execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1)

test('the command sends the same bytes, whatever a shell would like to make of them', () => {
  const headers = { 'content-type': 'application/json', 'x-own': "it's $HOME", authorization: '***' }
  const command = asCurl(attemptWith(headers))

  const shown = ['-H', 'content-type: application/json', '-H', "x-own: it's $HOME"]
  const sent = ['-i', "https://acme.example/a?b='c'&d=$HOME", ...shown, '--data-binary', hostile]
  expect(wordsOf(command)).toEqual(sent)
  expect(command).toMatch(/^# Headers left out because their values are not stored: authorization\.\n/)
  expect(asCurl(attemptWith({}))).toMatch(/^curl/)
})

test('the signature check prints what the dispatcher has sent', () => {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const sent = { deliveryId: 'd', eventType: 'tasks.created', body: Buffer.from(hostile), unixSeconds: 1_790_000_000 }
  const headers = signedHeaders('service', sent, [signingKeys(secret)])
  const printed = execFileSync('sh', ['-c', asSignatureCheck(attemptWith(headers))], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], WEBHOOK_SECRET: secret },
  })

  expect(printed.trim()).toBe(headers['webhook-signature'])
})

test('a replay says how many would be sent again, and which are not and why', () => {
  const none = { paused: 0, disabled: 0, deleted: 0, ungranted: 0 }

  expect(countText(0)).toBe('There are no deliveries to resend.')
  expect([1, 2].map(countText)).toEqual(['1 delivery will be resent.', '2 deliveries will be resent.'])
  expect([1, 2].map(deliveredText)).toEqual([
    '1 of the selected deliveries was already delivered.',
    '2 of the selected deliveries were already delivered.',
  ])
  expect(leftOutText(none)).toBeNull()
  expect(leftOutText({ ...none, paused: 3, deleted: 1 })).toBe(
    'Not included: 3 from paused webhooks (enable the webhooks first); 1 from deleted webhooks.',
  )
})

test('a replay takes a rate from 1 to 6000; once it has ended it says how, and why it was stopped', () => {
  const stopped = '. Stopped. Deliveries that were already started are still sent.'
  const wrong = ['', ' 60 ', '0', '1.5', '6001', 'soon'].filter((text) => rateOf(text).kind === 'wrong')

  expect([rateOf(''), rateOf(' 60 ')]).toMatchObject([{ kind: 'none' }, { kind: 'given', perMinute: 60 }])
  expect(wrong).toEqual(['0', '1.5', '6001', 'soon'])

  expect(endOf({ status: 'running', cancelReason: null })).toBe('…')
  expect(endOf({ status: 'completed', cancelReason: null })).toBe('. Done.')
  for (const cancelReason of ['requested', null] as const)
    expect(endOf({ status: 'cancelled', cancelReason })).toBe(stopped)
  expect(endOf({ status: 'cancelled', cancelReason: 'webhook_deleted' })).toContain('a webhook was deleted')
})

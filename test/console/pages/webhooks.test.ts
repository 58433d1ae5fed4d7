// What the pages of webhooks work out without a browser, and the receivers that they give to begin with.
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { operationNamed } from '#contract/api.ts'
import type { Webhook } from '#contract/webhook-schema.ts'
import * as forms from '../../../console/pages/webhooks/webhook-form.ts'
import { receiverSamples } from '../../../console/pages/webhooks/receiver-samples.ts'
import * as conditions from '../../../console/pages/webhooks/conditions.ts'
import {
  failedShareLine,
  healthLine,
  healthTone,
  nextAttemptLine,
  stateOf,
} from '../../../console/webhook-health/health-words.ts'
import { filterLines, keyChoices } from '../../../console/pages/webhooks/webhook-words.ts'
import { signedHeaders, signingKeys } from '#contract/internal/webhook-request.ts'
import { eventually } from '../../support/eventually.ts'
import { start } from '../../support/run-program.ts'
import { freePort } from '../../support/servers/server.ts'

const { conditionMistakes, mistakeIn, partsIn, partWords } = conditions
const { isChosen, toggled, withoutAll, blank, fieldsOf, headerMistakes, inputOf, isMoved, valuesOf } = forms

test('a form asks for what it holds, and leaves out what is empty', () => {
  const values = { ...blank, name: ' Receiver ', url: ' https://hooks.acme.example/ ', eventTypes: ['tasks.*'] }
  const given = { name: 'Receiver', url: 'https://hooks.acme.example/', eventTypes: ['tasks.*'], order: 'none' }
  const all = { payload: 'full', filter: null, ignoredKeyIds: [], includeImports: true, maxPerMinute: null }
  const typed = {
    includeImports: false,
    maxPerMinute: ' 60',
    headers: 'x-a: 1\n\n X-B : a: b ',
    changedFields: 'status, ,title',
  }
  const more = { ...typed, payload: 'thin' as const, ignoredKeyIds: ['k1'] }

  expect(inputOf(values)).toEqual({ ...given, ...all })
  expect(inputOf({ ...values, ...more })).toEqual({
    ...given,
    payload: 'thin',
    includeImports: false,
    maxPerMinute: 60,
    ignoredKeyIds: ['k1'],
    headers: { 'x-a': '1', 'X-B': 'a: b' },
    filter: { changedFields: ['status', 'title'] },
  })
  expect(inputOf({ ...values, projectIds: 'WEB,API' })).toMatchObject({ filter: { projectIds: ['WEB', 'API'] } })
})

const target = { name: 'Hook', url: 'https://hooks.acme.example/a', headerNames: ['x-a'] }
const sending = { payload: 'thin', maxPerMinute: 90, order: 'object', ignoredKeyIds: ['k1'], includeImports: false }
const values = {
  status: { to: ['done', 'cancelled'], from: ['todo'] },
  labels: { contains: [null, 'big, red', 'empty'] },
  amount: { currency: 'EUR', above: '10' },
}
const wanted = { eventTypes: ['tasks.*'], filter: { kinds: ['deal'], changedFields: ['status', 'title'], values } }
const stored = { ...target, ...sending, ...wanted } as unknown as Webhook

test('a webhook goes through its form as it is', () => {
  const { headerNames: _names, ...fields } = stored

  expect(fieldsOf(valuesOf(stored))).toEqual(fields)
  expect(fieldsOf({ ...valuesOf(stored), changedFields: '', kinds: [], conditions: [] }).filter).toBeNull()
})

test('a filter is told line by line', () => {
  expect(filterLines(null)).toEqual([])
  expect(filterLines(stored.filter)).toEqual([
    'Changed fields: status, title',
    'CRM entity kinds: deal',
    'status changed to done, cancelled',
    'status changed from todo',
    'labels contains empty, "big, red", "empty"',
    'amount in currency EUR',
    'amount above 10',
  ])
})

test('a form offers every field and part that a filter takes', () => {
  const parts = partsIn(operationNamed('webhooks.create').input)

  expect(parts).toEqual(partsIn(operationNamed('webhooks.update').input))
  expect(parts).toMatchObject({ status: ['is', 'from', 'to'], amount: ['currency', 'above', 'below'] })
  expect(Object.keys(partWords).toSorted()).toEqual([...new Set(Object.values(parts).flat())].toSorted())
})

test('any values go through the text of a condition as they are', () => {
  const value = fc.oneof(fc.string(), fc.constantFrom(null, 'empty', 'a, b', '"', ' a ', ''))
  fc.assert(
    fc.property(fc.array(value, { minLength: 1 }), (labels) => {
      const filter = { labels: { contains: labels } }
      expect(conditions.valuesOf(conditions.conditionsOf(filter))).toEqual(filter)
    }),
  )
})

test('a condition without values, or there twice, is a mistake of its row', () => {
  const row = { field: 'status', part: 'to', text: 'done' }
  const rows = [row, { ...row, part: 'from' }, row, { ...row, field: 'labels', text: ' , ' }]

  expect(conditionMistakes({ conditions: rows.slice(0, 2) })).toEqual({})
  expect(rows.map((_row, at) => mistakeIn(rows, at) !== undefined)).toEqual([false, false, true, true])
  expect(conditionMistakes({ conditions: rows })).toEqual({
    conditions: 'The condition “status changed to” already exists.',
  })
})

test('a webhook moves with another host, port or scheme, and not with another path', () => {
  const other = ['https://hooks.acme.example:8443/a', 'http://hooks.acme.example/a', 'https://other.example/a']

  for (const url of other) expect([url, isMoved(stored.url, url)]).toEqual([url, true])
  for (const url of ['https://hooks.acme.example/b', 'https://']) expect(isMoved(stored.url, url)).toBe(false)
})

test('keys that can change something are offered by name, and what is chosen stays, revoked or unknown', () => {
  const keys = [
    { id: 'k1', name: 'Sync', status: 'active' },
    { id: 'k2', name: 'Import', status: 'rotation_due' },
    { id: 'k3', name: 'Old', status: 'revoked' },
    { id: 'k4', name: 'Older', status: 'expired' },
  ] as const

  expect(keyChoices(keys, []).map(({ label }) => label)).toEqual(['Import', 'Sync'])
  expect(keyChoices(keys, ['k3', 'k9']).map(({ label }) => label)).toEqual(['Import', 'Old (revoked)', 'Sync', 'k9'])
})

test.each([
  ['', undefined],
  ['x-a: 1\n\nx-b:2', undefined],
  ['x-a: 1\nx-b', '“x-b” must have the form “Name: value”.'],
  [': 1', '“: 1” must have the form “Name: value”.'],
  ['x a: 1', '“x a: 1” must have the form “Name: value”.'],
])('of the headers %j is wrong: %s', (text, mistake) => {
  expect(headerMistakes({ headers: text }).headers).toBe(mistake)
})

test('headers that are called right have a name and a value each', () => {
  const typed = fc.string({ unit: fc.constantFrom(...'ab: \n'.split('')) })
  fc.assert(
    fc.property(typed, (headers) => {
      if (headerMistakes({ headers }).headers !== undefined) return
      const found = Object.entries(inputOf({ ...blank, headers }).headers ?? {})

      expect(found.filter(([name, value]) => !/^[^:\s]+$/.test(name) || value === '')).toEqual([])
      expect(found.length > 0).toBe(headers.trim() !== '')
    }),
  )
})

test('a kind is chosen by itself, with its resource, and with all', () => {
  for (const pattern of ['tasks.created', 'tasks.*', '*']) expect(isChosen([pattern], 'tasks.created')).toBe(true)
  expect(isChosen(['tasks.created', 'task.*'], 'tasks.updated')).toBe(false)
  expect(toggled(['a.b'], 'tasks.created', true)).toEqual(['a.b', 'tasks.created'])
  expect(toggled(['a.b', 'tasks.created'], 'tasks.created', false)).toEqual(['a.b'])
  expect(withoutAll(['tasks.*', 'tasks.created', 'tasks-old.created'], 'tasks')).toEqual(['tasks-old.created'])
})

const health = {
  state: 'healthy',
  failingSince: null,
  lastStatusCode: null,
  lastErrorCode: null,
  nextAttemptAt: null,
  failedShare: null,
}
const none = { delivered: 0, failed: 0, pending: 0, retrying: 0, p50Ms: null, p95Ms: null }
const closed = { state: 'closed', openUntil: null }
const healthy = {
  status: 'active',
  disabledReason: null,
  circuit: closed,
  health,
  consecutiveFailures: 0,
  stats24h: none,
} as unknown as Webhook
const counting = (delivered: number, failed: number, retrying = 0) => ({
  stats24h: { ...none, delivered, failed, retrying, pending: retrying },
})
const at = new Date(new Date().setHours(12, 0, 30, 0)).toISOString()
const failed = {
  state: 'failing',
  failingSince: at,
  lastStatusCode: 500,
  lastErrorCode: 'http_status',
  nextAttemptAt: at,
}
const failing = (more: object = {}, times = 5) => ({
  health: { ...health, ...failed, failedShare: 0.8 },
  consecutiveFailures: times,
  stats24h: { ...none, delivered: 2, pending: 8, retrying: 5 },
  ...more,
})
const said500 = 'The endpoint returned 500, a server error. Check the logs of your endpoint.'

test.each([
  [{}, 'info', 'No deliveries in the last 24 hours.'],
  [counting(3, 0), 'good', 'Healthy. All deliveries succeeded.'],
  [{ stats24h: { ...none, delivered: 2, pending: 1 } }, 'good', 'Healthy. All deliveries so far succeeded.'],
  [{ stats24h: { ...none, pending: 1 } }, 'info', 'No delivery has been sent yet.'],
  [counting(3, 1), 'good', 'Healthy, with 1 failed delivery in the last 24 hours.'],
  [counting(3, 2, 1), 'good', 'Healthy, with 2 failed deliveries and 1 delivery being retried in the last 24 hours.'],
  [failing(), 'bad', `Failing since 12:00:30. ${said500} 5 attempts failed in a row.`],
  [failing({}, 1), 'bad', `Failing since 12:00:30. ${said500} 1 attempt failed.`],
  [
    { status: 'paused' },
    'info',
    'Paused. Deliveries are held until you enable the webhook, for at most 72 hours. After that, they fail.',
  ],
  [{ status: 'disabled' }, 'bad', 'Disabled. No deliveries are sent until the webhook is enabled.'],
  [{ status: 'disabled', disabledReason: 'It answered 410.' }, 'bad', 'Disabled. It answered 410.'],
] as const)('%j is %s: %s', (change, tone, line) => {
  const webhook = { ...healthy, ...change } as unknown as Webhook

  expect([healthTone(webhook), healthLine(webhook)]).toEqual([tone, line])
})

test('of a failing webhook it is said when the next attempt is, what the circuit has to do with it, and what share failed', () => {
  const given = (more: object) => ({ ...healthy, ...failing(more) }) as unknown as Webhook
  const open = given({ circuit: { state: 'open', openUntil: at } })

  expect(nextAttemptLine(open)).toMatch(
    /^Sending is paused until 12:00:30\. Then one waiting delivery is sent to check the endpoint/,
  )
  expect(nextAttemptLine(given({}))).toBe('Next attempt at 12:00:30.')
  expect(nextAttemptLine(given({ circuit: { state: 'half_open', openUntil: at } }))).toContain('to check the endpoint')
  expect(nextAttemptLine(healthy)).toBe('No delivery is waiting.')
  expect(failedShareLine(open)).toBe('8 of 10 deliveries of the last 24 hours (80%) have not been delivered.')
  expect(failedShareLine(healthy)).toBeNull()
  expect([open, healthy, given({ status: 'paused' })].map((webhook) => stateOf(webhook).label)).toEqual([
    'Failing',
    'Active',
    'Paused',
  ])
})

const programs: Readonly<Record<string, readonly [program: string, flag: string]>> = {
  node: [process.execPath, '--input-type=module'],
  python: ['python3', '-c'],
}

test.each(receiverSamples)(
  'the receiver in $label takes what is signed with its secret, and nothing else',
  async ({ id, text }) => {
    const [program = '', ...flags] = programs[id] ?? []
    const port = await freePort()
    const secret = `whsec_${randomBytes(32).toString('base64')}`
    const source = text.replaceAll('9000', String(port))
    const running = start('.', program, [...flags, ...(id === 'node' ? ['-e', source] : [source])], {
      WEBHOOK_SECRET: secret,
      PYTHONUNBUFFERED: '1',
    })
    const send = async (key: string, age = 0): Promise<number> => {
      const body = Buffer.from('{"type":"tasks.created","title":"Fjällräven"}')
      const unixSeconds = Math.floor(Date.now() / 1_000) - age
      const delivery = { deliveryId: 'd', eventType: 'tasks.created', body, unixSeconds }
      const headers = signedHeaders('service', delivery, [signingKeys(key)])
      return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status
    }
    try {
      const other = `whsec_${randomBytes(32).toString('base64')}`
      const first = await eventually(() => send(secret).catch(() => null), `an answer; it said ${running.output()}`)

      expect([first, await send(other), await send(secret, 600)]).toEqual([204, 401, 401])
      await eventually(() => running.output().includes('tasks.created'), 'the kind of event to be printed')
    } finally {
      running.child.kill('SIGKILL')
    }
  },
)

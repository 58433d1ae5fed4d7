// Makes an answer of a running product one that is the same at every recording: ids, times, secrets and addresses are
// those of the examples, and what is equal in the answer stays equal.
import { hash } from 'node:crypto'
import { exampleId, exampleTimes, idNames } from '#contract/example-values.ts'

/** How the examples are recorded anew. */
export const commandToRecord = 'RECORD_EXAMPLES=1 npm test -- test/system/recorded-examples.test.ts'

/** The ids that the examples use, by those that the product has made. */
export type KnownIds = Map<string, string>

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const sha256 = /^[0-9a-f]{64}$/
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const minuteMs = 60_000
const [hourMs, dayMs] = [60 * minuteMs, 1_440 * minuteMs]
/** What lies further from the call is a deadline, or the beginning of a period. */
const nearMs = 5 * minuteMs

const seconds = String(Math.floor(Date.parse(exampleTimes.made) / 1_000))

const masked = '***'

/** Never the value that was answered: it is a secret, or another one at every run. */
const byField: Readonly<Record<string, unknown>> = {
  requestId: exampleId('requestId'),
  ip: '192.0.2.10',
  clientAddress: '192.0.2.10',
  lastUsedIp: '192.0.2.10',
  token: 'example-token-of-the-link',
  flow: 'example-flow-of-the-sign-in',
  signIn: 'example-token-of-the-sign-in',
  setup: 'example-token-of-the-setup',
  challenge: 'example-challenge-of-a-passkey',
  nextCursor: 'example-cursor-of-the-next-page',
  durationMs: 42,
  ms: 38,
  firstByte: 38,
  connect: 2,
  dns: null,
  tls: null,
  p50Ms: 38,
  p95Ms: 80,
  p99Ms: 80,
  remaining: 99,
  resetSeconds: 1,
  'webhook-timestamp': seconds,
  'x-workspace-signature-timestamp': seconds,
  'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  'x-workspace-signature': `t=${seconds},v1=${hash('sha256', 'example of a signature')}`,
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00',
  ageSeconds: 0,
  date: new Date(exampleTimes.made).toUTCString(),
}

/** `calledAt`: when the call was made, in milliseconds. Ids that are not known yet are named by where they stand. */
export function stable<T>(answer: T, known: KnownIds, calledAt: number): T {
  const [ids, hashes] = [new Map(known), new Map<string, string>()]
  const taken = new Set(ids.values())
  const times = timesIn(answer)
  const later = isChanged(answer) ? Date.parse(exampleTimes.changed) : Date.parse(exampleTimes.made) + 1_000
  const moments = [...new Set(times.filter((text) => isNear(text, calledAt)))].toSorted()
  const ofPeriods = times.map((text) => Date.parse(text)).filter((at) => at % hourMs === 0)
  const period = ofPeriods.every((at) => at % dayMs === 0) ? dayMs : hourMs

  function idFor(real: string, field: string, object: string): string {
    const name = field === 'id' ? (idNames[object] ?? `${object}Id`) : field.replace(/Ids$/, 'Id')
    let id = exampleId(name)
    for (let number = 2; taken.has(id); number += 1) id = exampleId(`${name}${number}`)
    taken.add(id)
    ids.set(real, id)
    return id
  }

  function timeFor(text: string): string {
    const at = Date.parse(text)
    const made = Date.parse(exampleTimes.made)
    const place = moments.indexOf(text)
    if (place === 0) return exampleTimes.made
    if (place > 0) return iso(later + (place - 1) * 1_000)
    if (at % hourMs === 0) return iso(made - (made % period) + at - (calledAt - (calledAt % period)))
    return iso((moments.length > 1 ? later : made) + Math.round((at - calledAt) / minuteMs) * minuteMs)
  }

  function textFor(text: string, field: string, object: string): string {
    if (timestamp.test(text)) return timeFor(text)
    // Of several workspaces with one name all but the first get a number.
    if (field === 'slug') return text.replace(/-[0-9a-z]+$/, '')
    if (sha256.test(text) && field !== 'checksum') {
      if (!hashes.has(text)) hashes.set(text, hash('sha256', `example ${hashes.size + 1}`))
      return hashes.get(text) ?? ''
    }
    return stableText(text).replaceAll(uuid, (real) => ids.get(real) ?? idFor(real, field, object))
  }

  function valueFor(value: unknown, field: string, object: string): unknown {
    if (value === null) return null
    if (field in byField && typeof value !== 'object' && value !== masked) return byField[field]
    if (isJson(value)) return JSON.stringify(valueFor(JSON.parse(value), '', object))
    if (typeof value === 'string') return textFor(value, field, object)
    if (Array.isArray(value)) return value.map((each) => valueFor(each, field, object))
    if (typeof value !== 'object') return value
    const own = (value as { object?: string }).object ?? object
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => {
        const isOfChange = 'from' in value && 'to' in value && Object.keys(value).length === 2
        return [name, valueFor(each, isOfChange ? field : name, own)]
      }),
    )
  }

  return valueFor(answer, '', '') as T
}

const iso = (at: number): string => new Date(at).toISOString()

/** Does it show an object that was changed after it was made? That was some weeks later, and all else a moment. */
function isChanged(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { version, createdAt, updatedAt } = value as Readonly<Record<string, unknown>>
  return (Number(version) > 1 && createdAt !== updatedAt) || Object.values(value).some(isChanged)
}

function timesIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(timesIn)
  if (isJson(value)) return timesIn(JSON.parse(value))
  return typeof value === 'string' && timestamp.test(value) ? [value] : []
}

/** A text in which the whole of an object stands, such as the body of an attempt. */
const isJson = (value: unknown): value is string => typeof value === 'string' && /^\{".*\}$/.test(value)

const isNear = (text: string, calledAt: number): boolean => {
  const at = Date.parse(text)
  return at % hourMs !== 0 && Math.abs(at - calledAt) < nearMs
}

function stableText(text: string): string {
  return (
    text
      .replaceAll(/\bwsk_[0-9A-Za-z]{8}(_?[0-9A-Za-z_-]{12,})?/g, (_whole, secret?: string) =>
        secret === undefined ? 'wsk_a1b2c3d4' : 'wsk_a1b2c3d4_shown_once',
      )
      .replaceAll(/\bwhsec_[A-Za-z0-9+/=]{8,}/g, 'whsec_shown-once')
      .replaceAll(/(?<=\/settings\/[a-z-]+#)[\w-]+/g, String(byField['token']))
      .replaceAll(
        /http:\/\/localhost:\d+(\/api\/v1\/files\/.*\?signature=).*/g,
        'https://api.acme.example$1from-the-answer',
      )
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+\/hook/g, 'https://hooks.acme.example/workspace')
      .replaceAll(
        /http:\/\/127\.0\.0\.1:\d+\/auth\?.*/g,
        'https://login.acme.example/auth?client_id=workspace-settings',
      )
      .replaceAll(/127\.0\.0\.1:\d+/g, 'hooks.acme.example')
      .replaceAll(/(?<=[?&]secret=)[A-Z2-7]{32}|^[A-Z2-7]{32}$/g, 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP')
      .replaceAll(/\blocalhost\b/g, 'settings.acme.example')
      // The id of an account, as a device keeps it.
      .replaceAll(/^[\w-]{48}$/g, 'the-account-in-base64url')
      .replaceAll(/^(?:[2-9a-kmnp-z]{4}-){3}[2-9a-kmnp-z]{4}$/g, 'k4fx-9wzn-q2ht-7mcd')
  )
}

// A workspace of one installation, with a key that may move everything, and jobs started in it.
import { gunzipSync } from 'node:zlib'
import type { ApiKey } from '#contract/api-keys.ts'
import { type Job, jobTextLengthMax } from '#contract/jobs.ts'
import type { Scope } from '#contract/scopes.ts'
import { call, made } from '../../product/calls.ts'
import { until } from '../../measure/wait-until.ts'

/** `url`: of the gateway. */
export type Place = { readonly url: string; readonly token: string }
export type Line = Readonly<Record<string, unknown>>
export type Imported = { readonly rows: number; readonly refusals: readonly Line[] }

const scopes: readonly Scope[] = [
  'jobs:read',
  'jobs:write',
  'crm-entities:read',
  'crm-entities:write',
  'imports:write',
  'members:read',
  'workspaces:read',
]
export const people = ['ada', 'ben', 'çem'].map((name) => ({
  name,
  email: `${name === 'çem' ? 'cem' : name}@firm.example`,
}))

/** The fields that the workspaces of both installations have: an export names them, an administrator makes them. */
const customFields = [
  { target: 'company', key: 'size', label: 'Size', type: 'number' },
  { target: 'company', key: 'keeper', label: 'Keeper', type: 'user' },
  { target: 'contact', key: 'channels', label: 'Channels', type: 'multi_select', options: ['mail', 'post', 'phone'] },
  { target: 'deal', key: 'renewal', label: 'Renewal', type: 'date' },
  { target: 'deal', key: 'is_new', label: 'New', type: 'boolean' },
  { target: 'deal', key: 'offer', label: 'Offer', type: 'url' },
]

export async function openPlace(url: string, operatorToken: string): Promise<Place> {
  const settings = `${url}/settings/api/workspaces`
  const { id } = await made<{ id: string }>(settings, operatorToken, { name: 'Moving' })
  const inWorkspace = <T>(path: string, body: object) => made<T>(`${settings}/${id}${path}`, operatorToken, body)
  for (const person of people) await inWorkspace('/members', { ...person, status: 'active' })
  for (const field of customFields) await inWorkspace('/custom-fields', field)
  const { secret } = await inWorkspace<ApiKey & { secret: string }>('/api-keys', { name: 'Moving', scopes })
  return { url, token: secret }
}

/** Resolves with all lines of an export, the first and the last included. */
export async function exportFrom(place: Place): Promise<Line[]> {
  const resources = ['members', 'custom-fields', 'crm-entities']
  const { id } = await ended(place, await started(place, { kind: 'export', resources }))
  return linesOf(place, `${id}/result`)
}

/** More jobs than one wait, so that the next can begin at once. */
const jobsAtOnce = 4

/** Rows that come later may name earlier ones. */
export async function importInto(place: Place, rows: readonly Line[]): Promise<Imported> {
  const open: string[] = []
  const refusals: Line[] = []
  const endOldest = async () => {
    const { id, refused } = await ended(place, open.shift() ?? '')
    if (refused > 0) refusals.push(...(await linesOf(place, `${id}/refusals`)))
  }
  for (const text of textsOf(rows)) {
    if (open.length === jobsAtOnce) await endOldest()
    open.push(await started(place, { kind: 'import', resource: 'crm-entities', format: 'ndjson', text }))
  }
  while (open.length > 0) await endOldest()
  return { rows: rows.length, refusals }
}

/** Some lines each, as many as one call takes. */
export function* textsOf(rows: readonly Line[]): Generator<string> {
  let [text, bytes] = ['', 0]
  for (const row of rows) {
    const line = `${JSON.stringify(row)}\n`
    // In the call it is a part of JSON.
    const size = Buffer.byteLength(JSON.stringify(line))
    if (text !== '' && bytes + size > jobTextLengthMax) {
      yield text
      text = ''
      bytes = 0
    }
    text += line
    bytes += size
  }
  if (text !== '') yield text
}

const jobs = ({ url }: Place): string => `${url}/api/v1/jobs`

const started = async (place: Place, body: object): Promise<string> =>
  (await made<Job>(jobs(place), place.token, body)).id

const endsWithinMs = 30 * 60_000

async function ended(place: Place, id: string): Promise<Job> {
  const job = await until(`the end of job ${id}`, endsWithinMs, async () => {
    const { status, body } = await call(`${jobs(place)}/${id}`, place.token)
    if (status !== 200) return null
    const now = JSON.parse(body) as Job
    return now.endedAt === null ? null : now
  })
  if (job.status === 'completed') return job
  throw new Error(`The job ${job.kind} is ${job.status}: ${JSON.stringify(job.failure)}`)
}

async function linesOf(place: Place, path: string): Promise<Line[]> {
  const response = await fetch(`${jobs(place)}/${path}`, { headers: { authorization: `Bearer ${place.token}` } })
  if (!response.ok) throw new Error(`GET /jobs/${path} answered ${response.status} ${await response.text()}`)
  const text = gunzipSync(Buffer.from(await response.arrayBuffer())).toString()
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

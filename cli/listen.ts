// `listen`: each event of the workspace is posted to an address on this machine as a webhook would be, by the same code
// that the dispatcher sends with. It follows the feed, so that nothing has to be reached from outside.
import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import type { EventRecord } from '#contract/event.ts'
import { deliveryId, signingKeys, webhookRequest, type SigningKeys } from '#contract/internal/webhook-request.ts'
import { newTraceparent } from '#runtime/tracing/trace-context.ts'
import { followEvents } from '#clients/typescript/src/feed.ts'
import type { Sender } from '#clients/typescript/src/send.ts'
import { callOptions, checkedUrl } from './access.ts'
import { withoutControls } from './answers.ts'
import { exitCodes, UsageError } from './arguments.ts'
import type { Command, Console, ParsedArguments } from './command.ts'
import { answerWithinMs, reasonOf, sendWith } from './patient-calls.ts'
import { codeOf } from './profiles.ts'

const secretVariable = 'WEBHOOK_SECRET'
const brandDefault = 'service'
const secretForm = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/

export const listen: Command = {
  name: 'listen',
  summary: 'Post events to an address on this machine, as webhooks',
  description: `Follows the events of the workspace and posts each to --forward-to like a webhook: the same body, the same headers, both signatures. The secret is printed at the start; ${secretVariable} or --secret-file keeps it. A delivery that fails is shown, and not retried. It continues after an outage of the installation or the endpoint, until Ctrl-C. The key needs events:read and the read scope of what it listens to.`,
  options: [
    {
      name: 'forward-to',
      value: 'address',
      meaning: 'The endpoint, such as http://localhost:3000/webhooks. Required.',
    },
    { name: 'events', value: 'types', meaning: "Types of events, such as 'tasks.*,projects.created'. Default: all." },
    { name: 'after', value: 'sequence', meaning: 'Begins after this event. Default: with what happens from now on.' },
    {
      name: 'secret-file',
      value: 'file',
      meaning: `The file with the secret; made if it is not there. Default: ${secretVariable}, otherwise a new one each time.`,
      completes: 'files',
    },
    {
      name: 'brand',
      value: 'name',
      meaning: `The setting BRAND of the installation, which is in the names of headers. Default: ${brandDefault}.`,
    },
  ],
  audiences: ['api', 'settings'],
  examples: [
    'listen --forward-to http://localhost:3000/webhooks',
    "listen --forward-to http://localhost:3000/webhooks --events 'tasks.*' --secret-file webhook-secret",
  ],
  run: runListen,
}

type Receiver = {
  readonly url: string
  readonly brand: string
  readonly secret: SigningKeys
  /** Stands for the webhook: an event has the same delivery for as long as the command runs. */
  readonly webhookId: string
  readonly signal: AbortSignal
}

async function runListen({ options, workspaceId, json }: ParsedArguments, console: Console): Promise<number> {
  const [address] = options.get('forward-to') ?? []
  if (address === undefined) throw new UsageError('listen needs --forward-to.')
  checkedUrl(address, '--forward-to')
  const after = options.get('after')?.[0]
  if (after !== undefined && !/^\d+$/.test(after)) throw new UsageError(`--after takes a number, not "${after}".`)
  const brand = options.get('brand')?.[0] ?? brandDefault
  if (!/^[a-z0-9-]{1,40}$/.test(brand)) throw new UsageError('--brand is written in lower case, digits and hyphens.')
  const { secret, isNew } = secretFor(options.get('secret-file')?.[0], console.environment)
  const eventTypes = options.get('events')?.[0]?.split(',')
  const access = console.access()
  const signal = console.stopped()
  const send = sendWith(callOptions(access, workspaceId, console.userAgent), console.note)
  const filter = eventTypes === undefined ? {} : { eventTypes: eventTypes as never[] }
  // The first call is made once: what is wrong with it is said at once.
  const begin = after === undefined ? await endOfFeed(send, filter, signal) : Number(after)
  const receiver: Receiver = { url: address, brand, secret: signingKeys(secret), webhookId: randomUUID(), signal }
  console.note(`Secret: ${isNew ? secret : 'as given'}\n`)
  console.note(
    `Listening to ${eventTypes?.join(', ') ?? 'all events'} after ${begin}, for ${address}. Ctrl-C ends it.\n`,
  )
  const counts = { accepted: 0, failed: 0 }
  try {
    for await (const event of followEvents(send, { ...filter, after: begin, signal })) {
      const record = event as unknown as EventRecord
      const answer = await deliver(record, receiver)
      counts[answer.isAccepted ? 'accepted' : 'failed'] += 1
      const { type, sequence } = record
      console.say(
        json
          ? `${JSON.stringify({ type, sequence, ...answer })}\n`
          : `${new Date().toISOString()}  ${type}  ${sequence}  ${answer.deliveryId}  ${withoutControls(answer.outcome)}\n`,
      )
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
  console.note(`${counts.accepted} accepted, ${counts.failed} failed.\n`)
  return exitCodes.success
}

type Delivered = {
  readonly deliveryId: string
  readonly isAccepted: boolean
  readonly outcome: string
  readonly status: number | null
}

/** As the dispatcher does it: redirects are not followed, and any 2xx is a success. */
async function deliver(event: EventRecord, { url, brand, secret, webhookId, signal }: Receiver): Promise<Delivered> {
  const id = deliveryId(event.id, webhookId)
  const message = {
    deliveryId: id,
    eventType: event.type,
    // The feed has the very text that webhooks send.
    eventBody: JSON.stringify(event),
    payload: 'full',
    secrets: [secret],
    customHeaders: {},
    traceparent: newTraceparent(),
  } as const
  const { headers, body } = webhookRequest(message, brand, new Date())
  const startedAt = performance.now()
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]),
    })
    await response.body?.cancel()
    const ms = Math.round(performance.now() - startedAt)
    return {
      deliveryId: id,
      isAccepted: response.ok,
      outcome: `${response.status} in ${ms} ms`,
      status: response.status,
    }
  } catch (error) {
    signal.throwIfAborted()
    return { deliveryId: id, isAccepted: false, outcome: `failed: ${reasonOf(error)}`, status: null }
  }
}

async function endOfFeed(send: Sender['send'], filter: object, signal: AbortSignal): Promise<number> {
  const answer = await send('events.list', { ...filter, occurredAfter: '9999-01-01T00:00:00Z', limit: 1 }, { signal })
  return (answer as { readonly lastSequence: number }).lastSequence
}

/** Of the file, of the environment, or a new one. */
function secretFor(file: string | undefined, environment: Console['environment']): { secret: string; isNew: boolean } {
  const made = { secret: `whsec_${randomBytes(32).toString('base64')}`, isNew: true }
  const given = file === undefined ? environment[secretVariable] : contentOf(file)
  if (given === undefined || given === '') {
    if (file !== undefined) writeFileSync(file, `${made.secret}\n`, { mode: 0o600, flag: 'wx' })
    return made
  }
  if (!secretForm.test(given))
    throw new UsageError(`${file ?? secretVariable} has no secret of a webhook: one begins with whsec_.`)
  return { secret: given, isNew: false }
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`)
  }
}

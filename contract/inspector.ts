// The inspector: an address at which the product itself receives the webhooks of a sandbox, for developers without a
// receiver. Its host can never be a real one (RFC 2606). What it answers is told by the query of the webhook's URL.
import { Type, type Static } from 'typebox'
import { operation } from './operation.ts'
import { Id, Timestamp, closed, nullable } from './shared-fields.ts'

export const inspectorHost = 'inspector.invalid'
export const inspectorUrl = `https://${inspectorHost}/`

/** So many of each webhook are kept, for so long. */
export const inspectedRequestsMax = 100
export const inspectedDaysMax = 30
/** Bytes of the kept bodies of each webhook. The newest request is kept whatever its size. */
export const inspectedBytesMax = 16 * 1024 * 1024

/** `host` as in a URL, with or without the dot of the root. */
export const isInspectorHost = (host: string): boolean => host.toLowerCase().replace(/\.$/, '') === inspectorHost

// What the inspector is asked for.

export type InspectorAnswer = {
  /** Null: none, until the attempt times out. */
  readonly status: number | null
  readonly retryAfterSeconds: number | null
}
export type InspectorBehavior = InspectorAnswer & {
  /** How many attempts of each delivery are answered so, and those after them 200. Null: all. */
  readonly failures: number | null
}
export type BehaviorProblem = { readonly parameter: string; readonly detail: string }

const standardStatus = 200
const failureStatus = 500
const isSuccess = (status: number): boolean => status >= 200 && status < 300

const numbers = {
  status: { minimum: 200, maximum: 599 },
  retryAfter: { minimum: 0, maximum: 86_400 },
  failures: { minimum: 1, maximum: 19 },
} as const
const flag = 'timeout'
const parameters = [...Object.keys(numbers), flag]

/** Reads the query of a URL. Unknown parameters and values are refused by name. */
export function inspectorBehavior({ searchParams }: URL): InspectorBehavior | BehaviorProblem {
  for (const parameter of searchParams.keys()) {
    if (!parameters.includes(parameter))
      return { parameter, detail: `The inspector takes ${parameters.map((name) => `\`${name}\``).join(', ')}.` }
    if (searchParams.getAll(parameter).length > 1) return { parameter, detail: 'Must be given once.' }
  }
  const isSilent = searchParams.has(flag)
  if (isSilent && !['', 'true'].includes(searchParams.get(flag) ?? ''))
    return { parameter: flag, detail: 'Takes no value.' }
  const [status, retryAfter, failures] = [numberIn('status'), numberIn('retryAfter'), numberIn('failures')]
  for (const read of [status, retryAfter, failures]) if (typeof read === 'object' && read !== null) return read
  return together(isSilent, status as Given, retryAfter as Given, failures as Given)

  function numberIn(parameter: keyof typeof numbers): Given | BehaviorProblem {
    const text = searchParams.get(parameter)
    if (text === null) return null
    const { minimum, maximum } = numbers[parameter]
    const value = /^\d{1,6}$/.test(text) ? Number(text) : NaN
    return value >= minimum && value <= maximum
      ? value
      : { parameter, detail: `Must be an integer from ${minimum} to ${maximum}.` }
  }
}

type Given = number | null

/** What does not go together is refused, rather than that one of the two counts for nothing. */
function together(
  isSilent: boolean,
  status: Given,
  retryAfterSeconds: Given,
  failures: Given,
): InspectorBehavior | BehaviorProblem {
  if (isSilent && status !== null) return { parameter: 'status', detail: 'There is no response with `timeout`.' }
  if (isSilent && retryAfterSeconds !== null)
    return { parameter: 'retryAfter', detail: 'There is no response with `timeout`.' }
  if (isSilent) return { status: null, retryAfterSeconds, failures }
  const answered = status ?? (failures === null ? standardStatus : failureStatus)
  if (failures !== null && isSuccess(answered))
    return { parameter: 'status', detail: 'Must be no success where there are `failures`.' }
  if (retryAfterSeconds !== null && isSuccess(answered))
    return { parameter: 'retryAfter', detail: 'Needs a `status` that is no success, such as 429.' }
  return { status: answered, retryAfterSeconds, failures }
}

/** `attempt`: from 1 on, since the delivery was made or resent. */
export const inspectorAnswer = (
  { status, retryAfterSeconds, failures }: InspectorBehavior,
  attempt: number,
): InspectorAnswer =>
  failures !== null && attempt > failures
    ? { status: standardStatus, retryAfterSeconds: null }
    : { status, retryAfterSeconds }

// What came, and what was found of its signatures.

const SignatureCheck = closed({
  isValid: Type.Boolean({ description: 'Whether the verification of the clients accepts it.' }),
  problem: nullable(Type.String({ maxLength: 200, description: 'Why it is not valid.' })),
})

const signatureFields = {
  standard: Type.Object(SignatureCheck.properties, {
    additionalProperties: false,
    description: '`webhook-signature`, as Standard Webhooks has it.',
  }),
  own: Type.Object(SignatureCheck.properties, {
    additionalProperties: false,
    description: 'The signature in the header of this installation, `x-<brand>-signature`.',
  }),
}
export type Signatures = Static<typeof Signatures>
const Signatures = Type.Object(
  {
    ...signatureFields,
    ageSeconds: nullable(
      Type.Integer({ description: 'How old the signed timestamp was on arrival. Null if there was none.' }),
    ),
  },
  {
    additionalProperties: false,
    description:
      'What the inspector found when it verified the request as an endpoint does. One valid signature is enough.',
  },
)

const inspected = {
  id: Id,
  object: Type.Literal('inspected_request'),
  workspaceId: Id,
  webhookId: Id,
  deliveryId: Id,
  eventType: Type.String({ maxLength: 100 }),
  attempt: Type.Integer({ minimum: 1, description: 'The number of the attempt, as in the attempts of the delivery.' }),
  receivedAt: Timestamp,
  method: Type.String({ maxLength: 20 }),
  path: Type.String({ description: 'With the query.' }),
  headers: Type.Record(Type.String(), Type.String(), {
    description: 'As received, in lower case. Values of custom headers are masked.',
  }),
  bodyBytes: Type.Integer({ minimum: 0 }),
  signatures: Signatures,
  answeredStatus: nullable(
    Type.Integer({ description: 'The status that the inspector returned. Null: none, until the timeout.' }),
  ),
}
export const InspectedRequest = closed(inspected)
export type InspectedRequest = Static<typeof InspectedRequest>

export const InspectedRequestWithBody = closed({
  ...inspected,
  body: Type.String({ description: 'As it came, to the byte.' }),
})

const audiences = ['api', 'settings'] as const
const keptFor = `The last ${inspectedRequestsMax} requests of each webhook are kept for ${inspectedDaysMax} days, or fewer if their bodies take more than 16 MiB.`
const needsToReadEvents = 'The key must be able to read every event type of the webhook.'

export const listInspectedRequests = operation({
  name: 'webhooks.list-inspected-requests',
  http: 'GET /webhooks/{id}/inspected-requests',
  summary: 'List what the inspector received',
  description: `The requests of a webhook that is sent to the inspector (\`${inspectorUrl}\`, in sandboxes), newest first and without their bodies. ${keptFor} ${needsToReadEvents}`,
  audiences,
  scope: 'webhooks:read',
  input: closed({ id: Id }),
  output: closed({ data: Type.Array(InspectedRequest, { maxItems: inspectedRequestsMax }) }),
  success: 200,
  errors: ['not_found', 'insufficient_scope'],
})

export const getInspectedRequest = operation({
  name: 'webhooks.get-inspected-request',
  http: 'GET /webhooks/{id}/inspected-requests/{inspectedRequestId}',
  summary: 'Get a request that the inspector received',
  description: `One request with its body. ${needsToReadEvents}`,
  audiences,
  scope: 'webhooks:read',
  input: closed({ id: Id, inspectedRequestId: Id }),
  output: InspectedRequestWithBody,
  success: 200,
  errors: ['not_found', 'insufficient_scope'],
})

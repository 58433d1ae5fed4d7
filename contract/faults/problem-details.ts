// The body of a refusal: problem details (RFC 9457), as a value and as a schema.
import { Type } from 'typebox'
import { faultCodes, fieldCodes, pageOfFault, titleOf, type FaultCode, type Fault, type FaultMembers } from './fault.ts'

export type Problem = {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly instance: string
  readonly code: FaultCode
  readonly requestId: string
} & FaultMembers

/** `instance`: the path that was called, without its query, which may hold personal data. */
export function problem(fault: Fault, requestId: string, instance: string): Problem {
  return {
    type: typeOf(fault),
    title: titleOf(fault.code),
    status: fault.status,
    detail: fault.message,
    instance,
    code: fault.code,
    requestId,
    ...fault.members,
  }
}

/**
 * What a limit or a lack of capacity refuses, and says which, has a type of the RateLimit draft
 * (draft-ietf-httpapi-ratelimit-headers), which clients may know already. All else has our page about the code.
 */
const typeOf = ({ code, status, members }: Fault): string =>
  (members['violated-policies'] === undefined ? undefined : limitTypes[status]) ?? pageOfFault(code)

const registered = 'https://iana.org/assignments/http-problem-types'
const limitTypes: Readonly<Record<number, string>> = {
  429: `${registered}#quota-exceeded`,
  503: `${registered}#temporary-reduced-capacity`,
}

const text = (maxLength: number, description: string) => Type.String({ maxLength, description })

const ValueProblem = Type.Object(
  {
    pointer: Type.Optional(text(10_000, 'The position in the body, as a JSON Pointer (RFC 6901).')),
    parameter: Type.Optional(text(10_000, 'The name of the parameter.')),
    header: Type.Optional(text(200, 'The name of the header.')),
    code: Type.Enum([...fieldCodes], { description: 'Why it was rejected.' }),
    detail: text(10_000, 'The reason as a sentence.'),
    allowed: Type.Optional(Type.Unknown({ description: 'The allowed values, as a list.' })),
  },
  // Said and not left out: some code generators close an object that says nothing.
  { additionalProperties: true },
)

export const ProblemBody = Type.Object(
  {
    type: text(
      200,
      'The page that explains the code. Exception: if the response contains `violated-policies`, this is a problem type that is registered with IANA.',
    ),
    title: text(200, 'A short title. All problems with this code have the same one.'),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status of the response.' }),
    detail: text(10_000, 'What happened in this case.'),
    instance: text(10_000, 'The path of the request.'),
    code: Type.Enum([...faultCodes], { description: 'The stable error code.' }),
    requestId: text(128, 'The ID of the request. Quote it when you contact the operator.'),
    hint: Type.Optional(text(10_000, 'What may help.')),
    retryAfterSeconds: Type.Optional(Type.Integer({ minimum: 0, description: 'When to retry.' })),
    errors: Type.Optional(Type.Array(ValueProblem, { description: 'The rejected values, each with its location.' })),
  },
  { additionalProperties: true, description: 'Why a request failed. Some codes have further fields.' },
)

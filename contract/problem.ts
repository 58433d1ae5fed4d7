// The body of a refusal (RFC 9457), as a schema.
import { Type } from 'typebox'
import { faultCodes } from './fault.ts'

export const ProblemBody = Type.Object(
  {
    type: Type.String({ maxLength: 200 }),
    title: Type.String({ maxLength: 200 }),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: Type.String({ maxLength: 10_000 }),
    instance: Type.String({ maxLength: 10_000 }),
    code: Type.Enum([...faultCodes]),
    requestId: Type.String({ maxLength: 128 }),
  },
  { additionalProperties: true },
)

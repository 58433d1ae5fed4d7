// Calls of keys for the API log: what the service tells the gateway about its answer, and what the gateway reports when
// the call is over. Nothing of it is worded by the caller but the request id, and no value of a query, a header or a
// body is in it.
import { Type, type Static } from 'typebox'
import { callDetailLengthMax, callMethods, callPathLengthMax } from '../api-calls.ts'
import type { Fault } from '../faults/fault.ts'
import { Id, Timestamp, closed, nullable } from '../shared-fields.ts'
import { Surface } from '../surface.ts'

/** A call that is over, as a gateway keeps it. */
export const ReportedCall = closed({
  keyId: Id,
  /** The workspace of the call; null where it was refused before that was known. */
  workspaceId: nullable(Id),
  at: Timestamp,
  method: Type.Enum([...callMethods]),
  path: Type.String({ maxLength: callPathLengthMax }),
  operation: Type.String({ maxLength: 80 }),
  surface: Surface,
  /** It changes nothing, and was done. */
  isRead: Type.Boolean(),
  status: Type.Integer({ minimum: 100, maximum: 999 }),
  ms: Type.Number({ minimum: 0 }),
  ip: nullable(Type.String({ maxLength: 64 })),
  requestId: Type.String({ maxLength: 128 }),
  objectId: nullable(Id),
  code: nullable(Type.String({ maxLength: 60 })),
  detail: nullable(Type.String({ maxLength: callDetailLengthMax })),
  leftOut: Type.Integer({ minimum: 0 }),
})
export type ReportedCall = Static<typeof ReportedCall>

/** Calls in one report, whose longest fit into a body; a gateway that has more sends several reports. */
export const callsPerReportMax = 300

/** Of the service's answer, for the gateway alone: the object that was made, and why the call was refused. */
export const outcomeHeader = 'x-internal-outcome'

export type CallOutcome = {
  readonly objectId: string | null
  readonly code: string | null
  readonly detail: string | null
}
export const noOutcome: CallOutcome = { objectId: null, code: null, detail: null }

/** In characters, each of which takes up to nine bytes of the header. */
const detailInHeaderMax = 400

export const outcomeText = ({ objectId = '', code = '', detail = '' }: OutcomeParts): string =>
  `${objectId};${code};${encodeURIComponent(wellFormed(detail))}`
type OutcomeParts = { readonly objectId?: string; readonly code?: string; readonly detail?: string }

/** Half a character at the end would not be encoded. */
const wellFormed = (text: string): string => text.slice(0, detailInHeaderMax).toWellFormed()

/** Only services write the header. */
export function readOutcome(text: string): CallOutcome {
  const [objectId = '', code = '', detail = ''] = text.split(';')
  return { objectId: objectId || null, code: code || null, detail: decodeURIComponent(detail) || null }
}

const placesMax = 5
const placeLengthMax = 100

/**
 * Why a call was refused, in one line. Of fields that were wrong it has the places and the codes: what the caller is
 * told of them may quote their values.
 */
export function detailOf({ message, members: { errors = [] } }: Fault): string {
  const places = errors.slice(0, placesMax).map(({ pointer, parameter, header, code }) => {
    const place = (pointer ?? parameter ?? header ?? '').slice(0, placeLengthMax)
    return `${place === '' ? 'body' : place}: ${code}`
  })
  const text = places.length === 0 ? message : places.join(', ')
  return text.slice(0, callDetailLengthMax).toWellFormed()
}

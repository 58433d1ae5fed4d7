// A transfer: bytes that go in or out as they are, in place of JSON. It is declared like an operation and reached by
// the same rules, with a key or by a signed address; it is no operation, since what it takes or answers is no JSON and
// may last for minutes.
import { Type, type TNull, type TObject } from 'typebox'
import type { Event } from './event.ts'
import type { FaultCode } from './faults/fault.ts'
import { operation, type Operation } from './operation.ts'
import type { Scope } from './scopes.ts'

export type Transfer<N extends string = string, I extends TObject = TObject> = {
  readonly kind: 'transfer'
  readonly direction: 'upload' | 'download'
  /** Its name, way, scope and input. */
  readonly asked: Operation<N, I, TNull>
}

const ofEvery: FaultCode[] = ['invalid_signature', 'address_expired']
const ofUploads: FaultCode[] = [
  'invalid_idempotency_key',
  'request_timeout',
  'body_too_large',
  'unsupported_media_type',
]

type Declaration<N extends string, I extends TObject> = {
  readonly name: N
  readonly direction: Transfer['direction']
  readonly http: `${'GET' | 'PUT'} /${string}`
  readonly summary: string
  readonly description: string
  readonly scope: Scope
  readonly input: I
  readonly bytesMax: number
  readonly errors: readonly FaultCode[]
  readonly emits?: readonly Event[]
}

export const transfer = <N extends string, I extends TObject>({
  direction,
  bytesMax,
  ...declared
}: Declaration<N, I>): Transfer<N, I> => ({
  kind: 'transfer',
  direction,
  asked: operation({
    ...declared,
    errors: [...declared.errors, ...ofEvery, ...(direction === 'upload' ? ofUploads : [])],
    output: Type.Null(),
    success: direction === 'upload' ? 204 : 200,
    bodyBytesMax: bytesMax,
    // What is done between its transactions lasts as long as the bytes take: no answer of it is kept for a repetition.
    ownTransactions: true,
    ...(direction === 'upload' && { takesBytes: true as const }),
  }),
})

/** The parameter of a signed address, which stands in for a key. */
export const signatureParameter = 'signature'
export const signatureLengthMax = 1_000

/** How long one transfer may take. */
export const transferMinutesMax = 60

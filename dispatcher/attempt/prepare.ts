// The signed request of one attempt. Its time is the attempt's own, so that a receiver may refuse old stamps and still
// take the tenth try. What cannot be signed is a mistake of ours, not of the receiver's: nothing is ever sent unsigned.
import type { KeyObject } from 'node:crypto'
import { requestOf, type Request } from './request.ts'
import { openHeaders, openSecrets, type Task } from './load-delivery.ts'

export type Prepared =
  | { readonly kind: 'ready'; readonly task: Task; readonly startedAt: Date; readonly request: Request }
  | { readonly kind: 'unsignable'; readonly why: Unsignable; readonly error?: unknown }

type Unsignable = 'no secret opens' | 'the custom headers do not open' | 'signing fails'

export type Preparing = { readonly brand: string; readonly secretsKey: KeyObject; readonly now: () => Date }

export function prepare(task: Task, { brand, secretsKey, now }: Preparing): Prepared {
  const secrets = openSecrets(secretsKey, task)
  if (secrets.length === 0) return { kind: 'unsignable', why: 'no secret opens' }
  const customHeaders = tried(() => openHeaders(secretsKey, task))
  if (customHeaders.error !== undefined)
    return { kind: 'unsignable', why: 'the custom headers do not open', error: customHeaders.error }
  const startedAt = now()
  const { id: deliveryId, eventType, eventBody, payload } = task
  const message = { deliveryId, eventType, eventBody, payload, secrets, customHeaders: customHeaders.value }
  const request = tried(() => requestOf(message, brand, startedAt))
  if (request.error !== undefined) return { kind: 'unsignable', why: 'signing fails', error: request.error }
  return { kind: 'ready', task, startedAt, request: request.value }
}

type Tried<T> =
  | { readonly value: T; readonly error?: undefined }
  | { readonly value?: undefined; readonly error: Error }

function tried<T>(work: () => T): Tried<T> {
  try {
    return { value: work() }
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }
}

// One attempt, from the task to its result: build, sign, send, judge. The signature's time is the attempt's own, so that
// a receiver may refuse old stamps and still take the tenth try.
import type { KeyObject } from 'node:crypto'
import { errorCodeOf, outcomeOf, type Outcome } from './outcome.ts'
import { requestOf, type Request } from './request.ts'
import { delayAfter } from './schedule.ts'
import type { Answer, Send } from './send.ts'
import { openHeaders, openSecrets, type Task } from './task.ts'

export type Attempting = {
  readonly brand: string
  readonly secretsKey: KeyObject
  readonly send: Send
  readonly scheduleSeconds: readonly number[]
  readonly now: () => Date
  readonly random: () => number
}

export type Result = {
  readonly task: Task
  readonly trigger: 'automatic' | 'manual'
  readonly startedAt: Date
  readonly durationMs: number
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly answer: Answer
  readonly errorCode: string | null
  readonly outcome: Outcome
}

export async function attempt(
  task: Task,
  { brand, secretsKey, send, scheduleSeconds, now, random }: Attempting,
): Promise<Result> {
  const [startedAt, startedMs] = [now(), performance.now()]
  const request = signed(task, secretsKey, brand, startedAt)
  const answer: Answer =
    request === null ? { kind: 'failed', error: 'signing_failed' } : await send(task.url, request.headers, request.body)
  const made = task.tries + 1
  return {
    task,
    trigger: task.origin === 'replay' && task.tries === 0 ? 'manual' : 'automatic',
    startedAt,
    durationMs: Math.round(performance.now() - startedMs),
    requestHeaders: request?.shown ?? {},
    answer,
    errorCode: errorCodeOf(answer),
    outcome: outcomeOf(answer, { made, max: task.maxAttempts }, delayAfter(made, scheduleSeconds, random()), now()),
  }
}

/** Null where there is no secret that opens: nothing is ever sent unsigned. */
function signed(task: Task, key: KeyObject, brand: string, at: Date): Request | null {
  try {
    const secrets = openSecrets(key, task)
    if (secrets.length === 0) return null
    const { id: deliveryId, eventType, eventBody, payload } = task
    return requestOf(
      { deliveryId, eventType, eventBody, payload, secrets, customHeaders: openHeaders(key, task) },
      brand,
      at,
    )
  } catch {
    return null
  }
}

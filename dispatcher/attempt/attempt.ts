// One attempt, from the signed request to its result: send, judge.
import { errorCodeOf, outcomeOf, type Outcome } from './judge-answer.ts'
import type { Prepared } from './prepare.ts'
import { delayAfter } from './retry-schedule.ts'
import type { Answer, Send } from './send.ts'
import type { Task } from './load-delivery.ts'

export type Attempting = {
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
  { task, startedAt, request }: Extract<Prepared, { kind: 'ready' }>,
  { send, scheduleSeconds, now, random }: Attempting,
): Promise<Result> {
  const startedMs = performance.now()
  const answer = await send(task.url, request.headers, request.body)
  const made = task.tries + 1
  return {
    task,
    trigger: task.origin === 'replay' && task.tries === 0 ? 'manual' : 'automatic',
    startedAt,
    durationMs: Math.round(performance.now() - startedMs),
    requestHeaders: request.shown,
    answer,
    errorCode: errorCodeOf(answer),
    outcome: outcomeOf(answer, { made, max: task.maxAttempts }, delayAfter(made, scheduleSeconds, random()), now()),
  }
}

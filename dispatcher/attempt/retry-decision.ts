// Decides from the receiver's answer, or the lack of one, whether a delivery is delivered, retried and when, or dead.
// Pure: the random number and the time are arguments.
import type { DeliveryError } from '#contract/delivery-errors.ts'
import { commandHeader, isReceiverCommand, type ReceiverCommand } from '#contract/webhook-headers.ts'
import type { Verdict } from '../queue/slots.ts'
import type { Answer } from './send.ts'

export type Outcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly delayMs: number }
  /** Without a reason: its attempts are used up. */
  | { readonly kind: 'dead'; readonly reason?: Extract<DeliveryError, 'aborted' | 'expired'> }

/** Since the last replay; `made` includes the one that is judged. */
export type Attempts = { readonly made: number; readonly max: number }

export type Plan = {
  /** What the schedule says. */
  readonly delayMs: number
  /** The least after an answer that the receiver has too much to do. */
  readonly relievingDelayMs: number
  /** From 0 up to 1, without 1: by how much of a fifth a wait that was asked for is made longer. */
  readonly spread: number
  /** No try is later than this. Null: none is too late. */
  readonly expiresAt: Date | null
  readonly now: Date
}

const retryAfterMaxMs = 24 * 3_600_000
const spreadMax = 0.2

/** 2xx is success, everything else is not. */
export function judgeAnswer(answer: Answer, command: ReceiverCommand | null, attempts: Attempts, plan: Plan): Outcome {
  if (isSuccess(answer)) return { kind: 'delivered' }
  if (command === 'abort') return { kind: 'dead', reason: 'aborted' }
  if (attempts.made >= attempts.max) return { kind: 'dead' }
  const delayMs = Math.max(plan.delayMs, leastDelayMs(answer, plan), askedDelayMs(answer, plan))
  const isTooLate = plan.expiresAt !== null && plan.now.getTime() + delayMs > plan.expiresAt.getTime()
  return isTooLate ? { kind: 'dead', reason: 'expired' } : { kind: 'retry', delayMs }
}

/** Returns null where the header of commands is missing or its value is unknown. */
export function commandIn(answer: Answer, brand: string): ReceiverCommand | null {
  const value = answer.kind === 'answered' ? answer.headers[commandHeader(brand)] : undefined
  return isReceiverCommand(value) ? value : null
}

/** Returns null for a success. The code never tells which address a host name resolved to. */
export function answerErrorCode(answer: Answer): DeliveryError | null {
  if (answer.kind === 'failed') return answer.error
  return isSuccess(answer) ? null : 'http_status'
}

/** A receiver is unhealthy when it cannot be reached, takes too long, has too much to do or fails by itself. */
export function verdictOn(answer: Answer): Verdict {
  if (isSuccess(answer)) return 'delivered'
  return answer.kind === 'failed' || answer.status >= 500 || tooMuch.has(answer.status) ? 'unhealthy' : 'refused'
}

/** Request Timeout, Too Early, Too Many Requests. */
const tooMuch: ReadonlySet<number> = new Set([408, 425, 429])

const isSuccess = (answer: Answer): boolean => answer.kind === 'answered' && answer.status >= 200 && answer.status < 300

/** Too Many Requests, Service Unavailable, and no answer in time: another try soon would make it worse. */
function leastDelayMs(answer: Answer, { relievingDelayMs }: Plan): number {
  const isOverloaded = answer.kind === 'failed' ? answer.error === 'timeout' : [429, 503].includes(answer.status)
  return isOverloaded ? relievingDelayMs : 0
}

/** Never sooner than asked, and spread, so that deliveries that were told the same do not come back together. */
function askedDelayMs(answer: Answer, { spread, now }: Plan): number {
  const askedMs = answer.kind === 'answered' ? retryAfterMs(answer.headers['retry-after'], now) : 0
  return Math.min(Math.round(askedMs * (1 + spreadMax * spread)), retryAfterMaxMs)
}

/** Retry-After (RFC 9110, section 10.2.3), seconds or a date, in ms from `now`; 0 for anything else. */
function retryAfterMs(header: string | undefined, now: Date): number {
  if (header === undefined) return 0
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000
  const at = Date.parse(header)
  return Number.isNaN(at) ? 0 : Math.max(0, at - now.getTime())
}

const firstSeconds = 5
const factor = 4
const capSeconds = 12 * 3_600
const retries = 9
const jitter = 0.2
/** A minute at least, whatever the jitter. */
const relievingSeconds = 60 / (1 - jitter)

/** 5 s · 20 s · 80 s · 5 m 20 s · 21 m 20 s · 85 m 20 s · 5 h 41 m · 12 h · 12 h: ten attempts in 31 h 35 m. */
export const defaultSchedule: readonly number[] = Array.from({ length: retries }, (_, n) =>
  Math.min(firstSeconds * factor ** n, capSeconds),
)

export const maxAttempts = (scheduleSeconds: readonly number[]): number => scheduleSeconds.length + 1

/**
 * The delay in ms after so many attempts, ±20 % so that what failed together does not come back together. `random` is
 * in [0, 1). A delivery that was planned on a longer schedule keeps to the last delay of this one.
 */
export const delayAfter = (attemptsMade: number, scheduleSeconds: readonly number[], random: number): number =>
  spreadMs(scheduleSeconds[Math.min(attemptsMade, scheduleSeconds.length) - 1] ?? capSeconds, random)

/** The least delay in ms after a sign that the receiver has too much to do: 60 to 90 s. */
export const relievingDelay = (random: number): number => spreadMs(relievingSeconds, random)

const spreadMs = (seconds: number, random: number): number =>
  Math.round(seconds * 1_000 * (1 - jitter + 2 * jitter * random))

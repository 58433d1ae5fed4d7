// What the fields of events, webhooks and deliveries mean, by their names.

import { deliveryErrors } from '../delivery-errors.ts'

const codes = Object.keys(deliveryErrors)
  .map((code) => `\`${code}\``)
  .join(', ')

export const eventFields = {
  actor: 'Who did it.',
  requestId: 'The request that did it.',
  resource: 'What it happened to.',
  changes: 'Each field that changed, with its value before and after.',
  from: 'Before.',
  to: 'After.',
  eventType: 'The kind of event.',
  eventTypes: 'Kinds of events.',
  filter: 'Which of them.',
  origin: 'Why it is sent.',
  attemptCount: 'How often it was tried, over all its starts.',
  maxAttempts:
    'After how many attempts in all it is given up: sending it again, and an attempt that was interrupted, raise it.',
  lastStatusCode: 'What the receiver answered last.',
  lastErrorCode: `Why it has not been taken: ${codes}.`,
  errorCode: `Why the attempt failed: ${codes}.`,
  trigger: 'Whether it was made by itself or because somebody asked.',
  durationMs: 'How long it took, in milliseconds.',
  timings: 'Where the time went, in milliseconds.',
  dns: 'Looking up the name.',
  connect: 'Connecting.',
  tls: 'Agreeing on encryption.',
  firstByte: 'Waiting for the answer.',
  request: 'What was sent.',
  response: 'What came back; null where nothing did.',
  headers: 'Headers, by their names.',
  url: 'Where it was sent.',
  body: 'What was sent or came back, as text.',
  truncated: 'Whether the body was longer.',
  outcome: 'How it ended.',
  number: 'Counts from 1.',
  delivered: 'Accepted by the receiver.',
  failed: 'Given up.',
  pending: 'Still to be delivered.',
  grants: 'What it is allowed to carry, by whom and since when.',
  headerNames: 'Names of the headers that go with every delivery.',
  disabledReason: 'Why nothing is sent any more.',
  secrets: 'The secrets that deliveries are signed with.',
  consecutiveFailures: 'Attempts that have failed since the last success.',
  stats24h: 'How the last 24 hours went.',
  hours: 'The same by the hour.',
  replayed: 'How many have been started anew.',
}

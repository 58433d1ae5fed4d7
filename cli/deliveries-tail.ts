// `deliveries tail`: a line for each delivery that is made or changes, until it is stopped.
import type { Delivery } from '#contract/deliveries.ts'
import { deliveryErrors, type DeliveryError } from '#contract/delivery-errors.ts'
import type { Told } from '#clients/follow.ts'

/** Calls `say` for each line; with `json` a line is the delivery as the API gives it. */
export async function tailDeliveries(
  followed: AsyncIterable<Told<Delivery>>,
  json: boolean,
  say: (line: string) => void,
): Promise<void> {
  let isFirst = true
  for await (const told of followed) {
    if (told.kind === 'told') say(json ? JSON.stringify(told.item) : lineOf(told.item))
    else if (!told.resumed && !isFirst && !json) say('… something may be missing here')
    isFirst = false
  }
}

const statusWidth = 'dead_letter'.length

/** When, what became of it, which event, which webhook, which delivery, and why not. */
export function lineOf(delivery: Delivery): string {
  const { status, eventType, webhookId, id, attemptCount, maxAttempts, nextAttemptAt } = delivery
  const at = delivery.deliveredAt ?? delivery.deadLetteredAt ?? delivery.createdAt
  const tries = attemptCount === 0 ? null : `try ${attemptCount} of ${maxAttempts}`
  const next = status === 'retrying' && nextAttemptAt !== null ? `next ${nextAttemptAt}` : null
  const said = [tries, whyNot(delivery), next].filter((each) => each !== null).join(', ')
  return [at, status.padEnd(statusWidth), eventType, `webhook ${webhookId}`, id, said].join('  ').trimEnd()
}

function whyNot({ status, lastErrorCode, lastStatusCode }: Delivery): string | null {
  if (status === 'delivered' || lastErrorCode === null) return null
  if (lastStatusCode !== null) return `answered ${lastStatusCode}`
  return deliveryErrors[lastErrorCode as DeliveryError] ?? lastErrorCode
}

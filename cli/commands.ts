// Commands of two words, for what is more than one call or is told in words: `access reset` makes a link that sets a
// new password, `audit verify` checks the whole hash chain of an audit log, `deliveries tail` follows deliveries.
import type { resetAccess } from '#contract/accounts.ts'
import type { Output, Input } from '#contract/operation.ts'
import { withoutControls } from './answers.ts'
import type { ChainFlaw, verifyAuditEntries } from '#contract/audit-entries.ts'
import type { Client } from '#clients/client.ts'
import type { Delivery } from '#contract/deliveries.ts'
import { deliveryErrors, type DeliveryError } from '#contract/delivery-errors.ts'
import type { Told } from '#clients/follow.ts'

/** `baseUrl`: where the command has found the installation. */
export const resetText = ({ email, path, expiresAt }: Output<typeof resetAccess>, baseUrl: string): string =>
  `This link sets a new password for ${withoutControls(email)}. It works once, until ${expiresAt}:

  ${new URL(path, baseUrl).href}
`

type Verification = Output<typeof verifyAuditEntries>

const meanings: Record<ChainFlaw, string> = {
  entry_changed: 'it is not what was once written',
  entry_missing: 'it was taken out',
  link_broken: 'it does not follow the entry before it, which was replaced',
  start_missing: 'it, and whatever came before, was deleted before its year was over',
  end_mismatch: 'from there on the log is not what its end says',
}

/** Verifies the log in as many calls as it takes. `text` says the result in words. */
export async function verifyAuditLog(
  settings: Pick<Client, 'call'>,
  input: Input<typeof verifyAuditEntries>,
): Promise<Verification & { text: string }> {
  let checked = 0
  let result: Verification
  let { from } = input
  do {
    result = await settings.call('audit-entries.verify', from === undefined ? {} : { from })
    checked += result.checked
    from = result.lastNumber + 1
  } while (result.intact && !result.complete)
  return { ...result, checked, text: resultText(result, checked) }
}

function resultText({ brokenAt, reason, lastNumber, lastHash }: Verification, checked: number): string {
  if (reason !== null)
    return `The audit log is BROKEN at entry ${brokenAt}: ${meanings[reason]}.\n${entries(checked)} checked and right.\n`
  return `The audit log is intact: ${entries(checked)} checked, the last is number ${lastNumber}.\nIts hash is ${lastHash}\n`
}

const entries = (count: number): string => (count === 1 ? '1 entry' : `${count} entries`)

/** Calls `say` with a line for each delivery that is made or changes; with `json` the delivery as the API gives it. */
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

/** Says when, the outcome, the event, the webhook, the delivery, and why it failed. */
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

// Commands of the operator, for what is more than one call or is told in words: `access reset` makes a link that sets a
// new password, `audit verify` checks the whole hash chain of an audit log, `deliveries tail` follows deliveries.
import { resetAccess } from '#contract/accounts.ts'
import type { Input, Operation, Output } from '#contract/operation.ts'
import { prettyJson, withoutControls } from './answers.ts'
import { type ChainFlaw, verifyAuditEntries } from '#contract/audit-entries.ts'
import { client, type Client, type Options } from '#clients/client.ts'
import { streamDeliveries, type Delivery } from '#contract/deliveries.ts'
import { deliveryErrors, type DeliveryError } from '#contract/delivery-errors.ts'
import { follow, type Told } from '#clients/follow.ts'
import { callOptions } from './access.ts'
import { exitCodes } from './arguments.ts'
import type { Command, Console, ParsedArguments } from './command.ts'

const audiences = ['settings'] as const

export const operatorCommands: readonly Command[] = [
  {
    ...described(resetAccess),
    name: 'access reset',
    examples: ['access reset --email ada@example.com'],
    async run(given, console) {
      const options = optionsOf(given, console)
      const made = await client(options).call('accounts.reset-access', given.input as Input<typeof resetAccess>)
      return console.say(given.json ? prettyJson(made) : resetText(made, options.baseUrl))
    },
  },
  {
    ...described(verifyAuditEntries),
    name: 'audit verify',
    examples: ['audit verify --workspace <id>'],
    async run(given, console) {
      const { text, ...result } = await verifyAuditLog(client(optionsOf(given, console)), given.input)
      const output = given.json ? prettyJson(result) : text
      return result.intact ? console.say(output) : console.fail(output)
    },
  },
  {
    ...described(streamDeliveries.asked),
    name: 'deliveries tail',
    examples: ['deliveries tail --workspace <id>'],
    /** Until it is stopped, or refused. */
    async run(given, console) {
      const followed = follow('deliveries.stream', given.input, optionsOf(given, console))
      await tailDeliveries(followed, given.json, (line) => console.say(`${line}\n`))
      return exitCodes.success
    },
  },
]

function described(operation: Operation) {
  const { summary, description } = operation
  return { summary, description, audiences, operation: () => operation }
}

const optionsOf = ({ workspaceId }: ParsedArguments, console: Console): Options =>
  callOptions(console.access(), workspaceId, console.userAgent)

/** `baseUrl`: where the command has found the installation. */
const resetText = ({ email, path, expiresAt }: Output<typeof resetAccess>, baseUrl: string): string =>
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
async function tailDeliveries(
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

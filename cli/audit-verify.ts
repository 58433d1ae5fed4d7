// `audit verify`: verifies the whole hash chain of a workspace's audit log, in as many calls as it takes.
import type { ChainFlaw, verifyAuditEntries } from '#contract/audit-entries.ts'
import type { Input, Output } from '#contract/operation.ts'
import type { Client } from '#clients/client.ts'

type Result = Output<typeof verifyAuditEntries>

const meanings: Record<ChainFlaw, string> = {
  entry_changed: 'it is not what was once written',
  entry_missing: 'it was taken out',
  link_broken: 'it does not follow the entry before it, which was replaced',
  start_missing: 'it, and whatever came before, was deleted before its year was over',
  end_mismatch: 'from there on the log is not what its end says',
}

/** `text` says the result in words. */
export async function verifyAuditLog(
  settings: Pick<Client, 'call'>,
  input: Input<typeof verifyAuditEntries>,
): Promise<Result & { text: string }> {
  let checked = 0
  let result: Result
  let { from } = input
  do {
    result = await settings.call('audit-entries.verify', from === undefined ? {} : { from })
    checked += result.checked
    from = result.lastNumber + 1
  } while (result.intact && !result.complete)
  return { ...result, checked, text: resultText(result, checked) }
}

function resultText({ brokenAt, reason, lastNumber, lastHash }: Result, checked: number): string {
  if (reason !== null)
    return `The audit log is BROKEN at entry ${brokenAt}: ${meanings[reason]}.\n${entries(checked)} checked and right.\n`
  return `The audit log is intact: ${entries(checked)} checked, the last is number ${lastNumber}.\nIts hash is ${lastHash}\n`
}

const entries = (count: number): string => (count === 1 ? '1 entry' : `${count} entries`)

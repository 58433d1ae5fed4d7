// The verification of the whole log, part after part: one call checks a bounded number of entries.
import type { ChainFlaw, verifyAuditEntries } from '#contract/audit-entries.ts'
import type { Output } from '#contract/operation.ts'

type Part = Output<typeof verifyAuditEntries>

export type Verdict = {
  /** How many entries are right, from the first on. */
  readonly checked: number
  readonly since: string | null
  /** The last entry that is right. */
  readonly head: { readonly number: number; readonly hash: string }
  readonly verifiedAt: string
  readonly broken: { readonly at: number; readonly reason: ChainFlaw; readonly entry: Part['brokenEntry'] } | null
}

export async function verifiedInParts(
  partFrom: (from: number) => Promise<Part>,
  onChecked: (checked: number) => void,
): Promise<Verdict> {
  let checked = 0
  let since: string | null = null
  for (let from = 1; ;) {
    const part = await partFrom(from)
    checked += part.checked
    since ??= part.since
    onChecked(checked)
    const { brokenAt, reason, lastNumber: number, lastHash: hash } = part
    const broken = brokenAt === null || reason === null ? null : { at: brokenAt, reason, entry: part.brokenEntry }
    if (broken !== null || part.complete)
      return { checked, since, head: { number, hash }, verifiedAt: new Date().toISOString(), broken }
    from = number + 1
  }
}

// How many requests a webhook may have in flight at this dispatcher: few at first, one more with every delivery, half as
// many after a failure. So a receiver that hangs holds few slots before anything is known of it, and fewer afterwards.

/** What an answer, or the lack of one, says of its receiver. One that refuses a delivery is well all the same. */
export type Verdict = 'delivered' | 'refused' | 'unwell'

export type WebhookSlots = {
  of(webhookId: string): number
  /** Whether it has delivered, and not failed so often since that it is where it began. */
  isProven(webhookId: string): boolean
  note(webhookId: string, verdict: Verdict): void
}

export const slotsAtFirst = 2
const slotsMax = 10
/** Of more webhooks, those that were heard of longest ago begin anew. */
const knownMax = 20_000

export function webhookSlots(): WebhookSlots {
  const known = new Map<string, number>()
  const of = (webhookId: string) => known.get(webhookId) ?? slotsAtFirst

  function note(webhookId: string, verdict: Verdict): void {
    const slots = slotsAfter(of(webhookId), verdict)
    known.delete(webhookId)
    known.set(webhookId, slots)
    if (known.size > knownMax) known.delete(known.keys().next().value ?? '')
  }
  return { of, isProven: (webhookId) => of(webhookId) > slotsAtFirst, note }
}

function slotsAfter(slots: number, verdict: Verdict): number {
  switch (verdict) {
    case 'delivered':
      return Math.min(slots + 1, slotsMax)
    case 'refused':
      return slots
    case 'unwell':
      return Math.max(1, Math.floor(slots / 2))
    default:
      return verdict satisfies never
  }
}

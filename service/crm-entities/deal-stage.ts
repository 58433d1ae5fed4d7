// The stages of a deal, and the fields that depend on them. Pure.
import { openDealStages, type Deal, type DealStage } from '#contract/crm-entities.ts'
import { assertTransition } from '../collection/shared-rules.ts'
import { refuseField } from '../faults/field-refusals.ts'

const open: readonly DealStage[] = openDealStages
const ended: readonly DealStage[] = ['won', 'lost']
const probabilities: Readonly<Record<DealStage, number>> = {
  new: 10,
  qualified: 25,
  proposal: 50,
  negotiation: 75,
  won: 100,
  lost: 0,
}

export const allowedTransitions = (from: DealStage): readonly DealStage[] =>
  ended.includes(from) ? open : [...open, ...ended].filter((stage) => stage !== from)

type Given = { readonly probability?: number; readonly lostReason?: string | null }

/** Returns the deal with the probability, closing time and lost reason of its stage. Throws when they contradict it. */
export function applyStage(draft: Deal, before: Deal | null, given: Given, now: Date): Deal {
  const { stage } = draft
  if (before !== null) assertTransition('deal', before.stage, stage, allowedTransitions(before.stage))
  const isLost = stage === 'lost'
  if (!isLost && typeof given.lostReason === 'string')
    refuseField('lostReason', 'read_only', 'Only a lost deal has a reason.')
  assertProbability(stage, given)
  return {
    ...draft,
    probability: probabilityIn(stage, before, given),
    closedAt: ended.includes(stage) ? (before?.closedAt ?? now.toISOString()) : null,
    lostReason: isLost ? draft.lostReason : null,
  }
}

/** A won or lost deal has the probability of its stage: any other is refused. */
function assertProbability(stage: DealStage, { probability }: Given): void {
  const own = probabilities[stage]
  if (!ended.includes(stage) || probability === undefined || probability === own) return
  refuseField('probability', 'read_only', `Of a deal that is ${stage} it is ${own}.`)
}

/** A deal that moves to another stage gets that stage's probability. */
function probabilityIn(stage: DealStage, before: Deal | null, { probability }: Given): number {
  if (ended.includes(stage)) return probabilities[stage]
  return probability ?? (before?.stage === stage ? before.probability : probabilities[stage])
}

// The outcomes of the deliveries of the last 24 hours, as one bar and in words.
import type { ReactNode } from 'react'
import type { Stats } from '#contract/webhook-schema.ts'
import { SplitBar } from '../../charts/split-bar.tsx'
import css from './webhooks.module.css'
import { texts } from './texts.tsx'

export function DayBar({ stats }: { readonly stats: Stats }): ReactNode {
  const parts = outcomes
    .map(({ amountOf, ...outcome }) => ({ ...outcome, amount: amountOf(stats) }))
    .filter(({ amount }) => amount > 0)
  if (parts.length === 0) return <span className={css.soft}>{texts.noDeliveries}</span>
  return (
    <span className={css.day}>
      <SplitBar parts={parts} />
      <span className={css.soft}>{parts.map(({ name, amount }) => `${amount} ${name.toLowerCase()}`).join(', ')}</span>
    </span>
  )
}

/** The outcomes of deliveries, as they are counted. */
const outcomes = [
  { name: texts.delivered, tone: 'good', amountOf: ({ delivered }: Stats) => delivered },
  { name: texts.failed, tone: 'bad', amountOf: ({ failed }: Stats) => failed },
  { name: texts.retrying, tone: 'limit', amountOf: ({ retrying }: Stats) => retrying },
  { name: texts.notSentYet, tone: 'calm', amountOf: ({ pending, retrying }: Stats) => pending - retrying },
] as const

// The last 24 hours in four figures.
import type { ReactNode } from 'react'
import type { UsageOverview } from '#contract/usage.ts'
import { fullCount, latencyText, milliseconds } from '../../charts/scale.ts'
import { shareText } from '../../charts/share-text.ts'
import { Section } from '../../ui/page.tsx'
import css from './overview-page.module.css'

export function LastDay({ overview: { requests, deliveries } }: { readonly overview: UsageOverview }): ReactNode {
  const { status4xx, status429, status5xx, p50Ms, p95Ms } = requests
  // One that has failed and is tried again was not a success so far.
  const tried = deliveries.delivered + deliveries.failed + deliveries.retrying
  return (
    <Section title="Last 24 hours">
      <dl className={css.tiles}>
        <Tile name="Requests" value={fullCount(requests.requests)} note="Including denied requests" />
        <Tile
          name="Errors"
          value={shareText(status4xx + status429 + status5xx, requests.requests)}
          note={`4xx ${fullCount(status4xx)} · 429 ${fullCount(status429)} · 5xx ${fullCount(status5xx)}`}
        />
        <Tile
          name="Latency, p95"
          value={latencyText(p95Ms)}
          note={p50Ms === null ? 'No requests yet' : `p50: ${milliseconds(p50Ms)}`}
        />
        <Tile
          name="Successful deliveries"
          value={shareText(deliveries.delivered, tried)}
          note={`${fullCount(deliveries.delivered)} delivered · ${fullCount(deliveries.failed)} failed · ${fullCount(deliveries.retrying)} retrying · ${fullCount(deliveries.pending - deliveries.retrying)} not sent yet`}
        />
      </dl>
    </Section>
  )
}

const Tile = ({
  name,
  value,
  note,
}: {
  readonly name: string
  readonly value: string
  readonly note: string
}): ReactNode => (
  <div className={css.tile}>
    <dt className={css.name}>{name}</dt>
    <dd className={css.figure}>{value}</dd>
    <dd className={css.note}>{note}</dd>
  </div>
)

// The last 24 hours in four figures.
import type { ReactNode } from 'react'
import type { UsageOverview } from '#contract/usage.ts'
import { fullCount, latencyText, milliseconds } from '../../charts/scale.ts'
import { shareText } from '../../charts/share-text.ts'
import { Section } from '../../ui/page.tsx'
import css from './overview-page.module.css'
import { texts } from './texts.ts'

export function LastDay({ overview: { requests, deliveries } }: { readonly overview: UsageOverview }): ReactNode {
  const { status4xx, status429, status5xx, p50Ms, p95Ms } = requests
  // One that has failed and is tried again was not a success so far.
  const tried = deliveries.delivered + deliveries.failed + deliveries.retrying
  return (
    <Section title={texts.last24Hours}>
      <dl className={css.tiles}>
        <Tile name={texts.requests} value={fullCount(requests.requests)} note={texts.includingDeniedRequests} />
        <Tile
          name={texts.errors}
          value={shareText(status4xx + status429 + status5xx, requests.requests)}
          note={texts.errorsByStatus(fullCount(status4xx), fullCount(status429), fullCount(status5xx))}
        />
        <Tile
          name={texts.latencyP95}
          value={latencyText(p95Ms)}
          note={p50Ms === null ? texts.noRequestsYet : `p50: ${milliseconds(p50Ms)}`}
        />
        <Tile
          name={texts.successfulDeliveries}
          value={shareText(deliveries.delivered, tried)}
          note={texts.deliveredFailedRetryingNotSent(
            fullCount(deliveries.delivered),
            fullCount(deliveries.failed),
            fullCount(deliveries.retrying),
            fullCount(deliveries.pending - deliveries.retrying),
          )}
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

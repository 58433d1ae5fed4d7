// What became of the deliveries of 24 hours, as one bar and in words.
import type { ReactNode } from 'react'
import type { Stats } from '#contract/webhook-schema.ts'
import css from './webhooks.module.css'

const width = 1_000

export function DayBar({ stats: { delivered, failed, pending } }: { readonly stats: Stats }): ReactNode {
  const total = delivered + failed + pending
  if (total === 0) return <span className={css.soft}>Nothing sent</span>
  const parts = [
    { name: 'delivered', count: delivered, class: css.delivered },
    { name: 'failed', count: failed, class: css.failed },
    { name: 'pending', count: pending, class: css.pending },
  ]
  let at = 0
  return (
    <span className={css.day}>
      <svg className={css.bar} viewBox={`0 0 ${width} 8`} preserveAspectRatio="none" aria-hidden="true">
        {parts.map((part) => {
          const x = at
          at += (part.count / total) * width
          return <rect key={part.name} className={part.class} x={x} y="0" width={at - x} height="8" />
        })}
      </svg>
      <span className={css.soft}>
        {parts
          .filter(({ count }) => count > 0)
          .map(({ name, count }) => `${count} ${name}`)
          .join(', ')}
      </span>
    </span>
  )
}

// The event types that a webhook subscribes to, as they were chosen: by name, by resource, or all.
import type { ReactNode } from 'react'
import { Tag } from '../../ui/badge.tsx'
import css from './webhooks.module.css'
import { texts } from './texts.tsx'

export const EventTypes = ({
  patterns,
  shownMax = patterns.length,
}: {
  readonly patterns: readonly string[]
  readonly shownMax?: number
}): ReactNode =>
  patterns.includes('*') ? (
    texts.allEventTypes
  ) : (
    <span className={css.tags}>
      {patterns.slice(0, shownMax).map((pattern) => (
        <Tag key={pattern}>{pattern}</Tag>
      ))}
      {patterns.length > shownMax && <span className={css.soft}>{texts.andMore(patterns.length - shownMax)}</span>}
    </span>
  )

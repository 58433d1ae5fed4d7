// A moment as people say it, with the exact time on hover and focus.
import { useSyncExternalStore, type ReactNode } from 'react'
import { relativeTime } from './moment-text.ts'
import css from './relative-time.module.css'
import { Tooltip } from './tooltip.tsx'
import { texts } from './texts.tsx'

const tickMs = 30_000
let nowMs = Date.now()

/** One clock for all moments on the page. */
function subscribe(onTick: () => void): () => void {
  const timer = setInterval(() => {
    nowMs = Date.now()
    onTick()
  }, tickMs)
  nowMs = Date.now()
  return () => clearInterval(timer)
}

const absolute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' })

/** For details, where a moment is evidence: `28 Nov 2026, 12:51:03 UTC`. */
export const ExactTime = ({ at }: { readonly at: string }): ReactNode => (
  <time className={css.exact} dateTime={at}>
    {absolute.format(new Date(at))}
  </time>
)

export function RelativeTime({
  at,
  never = texts.never,
}: {
  readonly at: string | null
  readonly never?: string
}): ReactNode {
  const now = useSyncExternalStore(subscribe, () => nowMs)
  if (at === null) return <span className={css.never}>{never}</span>
  return (
    <Tooltip text={absolute.format(new Date(at))}>
      {/* With a keyboard the exact time is found by moving to it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <time className={css.time} dateTime={at} tabIndex={0}>
        {relativeTime(at, now)}
      </time>
    </Tooltip>
  )
}

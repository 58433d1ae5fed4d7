// Says whether what is shown is live, and lets it stand still.
import type { ReactNode } from 'react'
import type { StreamState } from '../../app/use-stream.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import css from './deliveries.module.css'
import { texts } from './texts.tsx'

type Live = {
  readonly stream: StreamState
  readonly isPaused: boolean
  readonly waiting: number
  setPaused(isPaused: boolean): void
}

export function LiveControl({ live: { stream, isPaused, waiting, setPaused } }: { readonly live: Live }): ReactNode {
  return (
    <span className={css.live}>
      <span aria-live="polite">{stateOf(stream, isPaused)}</span>
      <Button aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
        {isPaused ? (waiting === 0 ? texts.resume : texts.resumeChanged(waiting)) : texts.pause}
      </Button>
    </span>
  )
}

function stateOf(stream: StreamState, isPaused: boolean): ReactNode {
  if (isPaused) return <Badge tone="neutral">{texts.paused}</Badge>
  return stream === 'live' ? <Badge tone="good">{texts.live}</Badge> : <Badge tone="warn">{texts.connecting}</Badge>
}

// Whether the API answers, asked from this browser.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { publicPaths } from '#contract/route-paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { texts } from './texts.ts'

const askEveryMs = 30_000

export function ApiStatus(): ReactNode {
  const { data: ms, isError } = useQuery({
    queryKey: [publicPaths.health],
    queryFn: ({ signal }) => answeredAfterMs(signal),
    refetchInterval: askEveryMs,
    retry: false,
  })
  return (
    <span role="status">
      {isError ? (
        <Badge tone="bad">{texts.apiUnavailable}</Badge>
      ) : ms === undefined ? (
        <Badge tone="neutral">{texts.checkingTheApi}</Badge>
      ) : (
        <Badge tone="good">{texts.apiAvailableMs(ms)}</Badge>
      )}
    </span>
  )
}

async function answeredAfterMs(signal: AbortSignal): Promise<number> {
  const askedAt = performance.now()
  const response = await fetch(publicPaths.health, { cache: 'no-store', credentials: 'omit', signal })
  if (!response.ok) throw new Error(`The API returned status ${response.status}`)
  return Math.max(1, Math.round(performance.now() - askedAt))
}

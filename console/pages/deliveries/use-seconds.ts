import { useEffect, useState } from 'react'

const tickMs = 1_000

/** The time in milliseconds since 1970, by the second while something is counted down. */
export function useSeconds(isRunning: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isRunning) return undefined
    const timer = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [isRunning])
  return now
}

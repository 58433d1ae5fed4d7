// Where the time of a try went, as a bar and in numbers.
import type { ReactNode } from 'react'
import type { Timings } from '#contract/deliveries.ts'
import { spanText } from '../../app/delivery-words.ts'
import css from './deliveries.module.css'

const steps = [
  { name: 'dns', label: 'Name', class: css.dns },
  { name: 'connect', label: 'Connection', class: css.connect },
  { name: 'tls', label: 'TLS', class: css.tls },
  { name: 'firstByte', label: 'First byte', class: css.firstByte },
] as const

const width = 1_000

export function TimingSplit({
  timings,
  durationMs,
}: {
  readonly timings: Timings
  readonly durationMs: number
}): ReactNode {
  const known = steps.flatMap(({ name, ...step }) => {
    const ms = timings[name]
    return ms === null ? [] : [{ ...step, ms }]
  })
  const rest = Math.max(0, durationMs - known.reduce((sum, { ms }) => sum + ms, 0))
  const parts = [...known, { label: 'Rest', class: css.rest, ms: rest }]
  const total = Math.max(
    1,
    parts.reduce((sum, { ms }) => sum + ms, 0),
  )
  let at = 0
  return (
    <div>
      <svg className={css.timings} viewBox={`0 0 ${width} 10`} preserveAspectRatio="none" aria-hidden="true">
        {parts.map((part) => {
          const x = at
          at += (part.ms / total) * width
          return <rect key={part.label} className={part.class} x={x} y="0" width={at - x} height="10" />
        })}
      </svg>
      <ul className={css.legend}>
        {parts.map((part) => (
          <li key={part.label}>
            <svg className={css.swatch} viewBox="0 0 10 10" aria-hidden="true">
              <rect className={part.class} width="10" height="10" />
            </svg>
            {part.label} {spanText(part.ms)}
          </li>
        ))}
      </ul>
    </div>
  )
}

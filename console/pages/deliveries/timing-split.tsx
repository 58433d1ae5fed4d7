// The phases of an attempt and their durations, as a bar and in numbers.
import type { ReactNode } from 'react'
import type { Timings } from '#contract/deliveries.ts'
import { spanText } from '../../app/delivery-words.ts'
import { SplitBar, type Part } from '../../charts/split-bar.tsx'
import { Swatch } from '../../charts/tone.tsx'
import css from './deliveries.module.css'
import { texts } from './texts.tsx'

const steps = [
  { of: 'dns', name: 'DNS', tone: 'second' },
  { of: 'connect', name: texts.connection, tone: 'first' },
  { of: 'tls', name: 'TLS', tone: 'limit' },
  { of: 'firstByte', name: texts.firstByte, tone: 'good' },
] as const

type Props = { readonly timings: Timings; readonly durationMs: number }

export function TimingSplit(props: Props): ReactNode {
  const parts = partsOf(props)
  return (
    <div>
      <SplitBar parts={parts} />
      <ul className={css.legend}>
        {parts.map(({ name, tone, amount }) => (
          <li key={name}>
            <Swatch tone={tone} />
            {name} {spanText(amount)}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Returns the measured phases and the rest of the duration. */
function partsOf({ timings, durationMs }: Props): Part[] {
  const known = steps.flatMap(({ of, ...step }) => {
    const ms = timings[of]
    return ms === null ? [] : [{ ...step, amount: ms }]
  })
  const rest = durationMs - known.reduce((sum, { amount }) => sum + amount, 0)
  return [...known, { name: texts.other, tone: 'calm', amount: Math.max(0, rest) }]
}

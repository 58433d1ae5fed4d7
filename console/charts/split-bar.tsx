// A whole and its parts, beside each other in one bar. What it shows is said beside it in words, so readers pass it
// over.
import type { ReactNode } from 'react'
import type { ChartTone } from './chart.ts'
import css from './split-bar.module.css'
import { toneClass } from './tone.tsx'

export type Part = { readonly name: string; readonly amount: number; readonly tone: ChartTone }

export function SplitBar({ parts }: { readonly parts: readonly Part[] }): ReactNode {
  const total = Math.max(1, sumOf(parts))
  return (
    <svg className={css.bar} viewBox={`0 0 ${total} 8`} preserveAspectRatio="none" aria-hidden="true">
      {parts.map(({ name, amount, tone }, n) => (
        <rect key={name} className={toneClass(tone)} x={sumOf(parts.slice(0, n))} y="0" width={amount} height="8" />
      ))}
    </svg>
  )
}

const sumOf = (parts: readonly Part[]): number => parts.reduce((sum, { amount }) => sum + amount, 0)

import type { ReactNode } from 'react'
import { classNames } from '../ui/class-names.ts'
import type { ChartTone } from './chart.ts'
import css from './tones.module.css'

export const toneClass = (tone: ChartTone): string => classNames(css.tone, css[tone])

export const Swatch = ({ tone }: { readonly tone: ChartTone }): ReactNode => (
  <svg viewBox="0 0 10 10" className={css.swatch} aria-hidden="true">
    <rect className={toneClass(tone)} width="10" height="10" rx="2" />
  </svg>
)

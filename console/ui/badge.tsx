// A state, by its shape and its word; the colour comes on top.
import type { ReactNode } from 'react'
import css from './badge.module.css'
import { classNames } from './class-names.ts'
import type { Tone } from './tone.ts'

const shapes: Readonly<Record<Tone, ReactNode>> = {
  good: <circle cx="5" cy="5" r="4" />,
  warn: <path d="M5 .8L9.6 9H.4z" />,
  bad: <path d="M1 1h8v8H1z" />,
  neutral: <circle cx="5" cy="5" r="3.2" fill="none" stroke="currentColor" strokeWidth="1.6" />,
  accent: <path d="M5 .5L9.5 5 5 9.5.5 5z" />,
}

export const Badge = ({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }): ReactNode => (
  <span className={classNames(css.badge, css[tone])}>
    <svg viewBox="0 0 10 10" aria-hidden="true">
      {shapes[tone]}
    </svg>
    {children}
  </span>
)

/** A word that is no state: a scope, a surface, a method. */
export const Tag = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <span className={css.tag}>{children}</span>
)

// Which time figures are about: a month by the day, or two days by the hour.
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import css from './span-choice.module.css'
import { texts } from './texts.ts'

export type By = 'hour' | 'day'

const spans: readonly { readonly by: By; readonly label: string }[] = [
  { by: 'day', label: texts.days30 },
  { by: 'hour', label: texts.hours48 },
]

export const SpanChoice = ({ by, onBy }: { readonly by: By; onBy(by: By): void }): ReactNode => (
  <div className={css.choice}>
    {spans.map((span) => (
      <Button
        key={span.by}
        size="small"
        variant={span.by === by ? 'secondary' : 'quiet'}
        aria-pressed={span.by === by}
        onClick={() => onBy(span.by)}
      >
        {span.label}
      </Button>
    ))}
  </div>
)

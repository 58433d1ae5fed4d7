// Which time figures are about: a month by the day, or two days by the hour.
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Row } from '../ui/page.tsx'

export type By = 'hour' | 'day'

const spans: readonly { readonly by: By; readonly label: string }[] = [
  { by: 'day', label: '30 days' },
  { by: 'hour', label: '48 hours' },
]

export const SpanChoice = ({ by, onBy }: { readonly by: By; onBy(by: By): void }): ReactNode => (
  <Row>
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
  </Row>
)

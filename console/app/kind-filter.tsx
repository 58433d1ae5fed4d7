import { eventPatterns } from 'virtual:event-patterns'
import type { ReactNode } from 'react'
import { FilterSelect } from '../ui/filter-bar.tsx'
import { texts } from './texts.tsx'

const choices = eventPatterns.map((value) => ({ value, label: value }))

/** A kind of event, or all of a resource. */
export const KindFilter = ({
  value,
  onValue,
}: {
  readonly value: string | undefined
  readonly onValue: (kind: string | undefined) => void
}): ReactNode => (
  <FilterSelect label={texts.eventType} all={texts.anyEventType} value={value} choices={choices} onValue={onValue} />
)

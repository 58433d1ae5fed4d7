// The kinds of alarms, each with whether an email is sent about it. A choice is saved at once.
import type { ReactNode } from 'react'
import { alarmKindNames } from '#contract/alarm-words.ts'
import type { AlarmKind } from '#contract/alarms.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { FieldGroup } from '../ui/field-group.tsx'

// The names are those of the record.
const kinds = Object.keys(alarmKindNames) as AlarmKind[]

export const AlarmChoices = ({
  label,
  muted,
  isDisabled = false,
  onMuted,
}: {
  readonly label: string
  readonly muted: readonly AlarmKind[]
  readonly isDisabled?: boolean
  readonly onMuted: (muted: AlarmKind[]) => void
}): ReactNode => (
  <FieldGroup legend={label}>
    {kinds.map((kind) => (
      <Checkbox
        key={kind}
        label={alarmKindNames[kind]}
        isChecked={!muted.includes(kind)}
        disabled={isDisabled}
        onChecked={(isOn) => onMuted(kinds.filter((each) => (each === kind ? !isOn : muted.includes(each))))}
      />
    ))}
  </FieldGroup>
)

// The member that `me` stands for in the calls of a key.
import type { ReactNode } from 'react'
import { useWholeList, useWorkspace } from '../../app/workspace.ts'
import { SelectField } from '../../ui/field.tsx'
import { texts } from './texts.tsx'

export function OwnerField({
  value,
  mistake,
  onValue,
}: {
  /** Empty: no owner. */
  readonly value: string
  readonly mistake: string | undefined
  readonly onValue: (memberId: string) => void
}): ReactNode {
  const { may } = useWorkspace()
  const { data } = useWholeList('members.list', {}, { enabled: may('members:read') })
  const members = (data ?? []).flatMap((each) =>
    'name' in each ? [{ value: each.id, label: each.name ?? each.id }] : [],
  )
  const isListed = value === '' || members.some((each) => each.value === value)
  return (
    <SelectField
      isOptional
      label={texts.owner}
      hint={texts.theMemberThatMeRefers}
      value={value}
      mistake={mistake}
      choices={[{ value: '', label: texts.noOwner }, ...members, ...(isListed ? [] : [{ value, label: value }])]}
      onValue={onValue}
    />
  )
}

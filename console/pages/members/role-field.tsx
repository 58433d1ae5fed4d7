import type { ReactNode } from 'react'
import type { Role } from '#contract/roles.ts'
import { rolesToGive, roleWords } from '../../app/role-words.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { ChoiceCards } from '../../ui/choice-cards.tsx'
import { texts } from './texts.ts'

/** Offers the roles that the signed-in member may assign. */
export function RoleField({
  isLegendHidden = false,
  value,
  onValue,
}: {
  readonly isLegendHidden?: boolean
  readonly value: Role
  readonly onValue: (role: Role) => void
}): ReactNode {
  const { member } = useWorkspace()
  const choices = rolesToGive(member?.role).map((role) => ({
    value: role,
    label: roleWords[role].name,
    meaning: roleWords[role].permissions,
  }))
  return (
    <ChoiceCards
      legend={texts.role}
      isLegendHidden={isLegendHidden}
      value={value}
      choices={choices}
      onValue={onValue}
    />
  )
}

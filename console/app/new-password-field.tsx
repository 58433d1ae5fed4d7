import type { ReactNode } from 'react'
import { TextField } from '../ui/field.tsx'
import { texts } from './texts.tsx'

/** For a password that is chosen. What it must be, the form's schema holds. */
export const NewPasswordField = (props: {
  readonly label: string
  readonly value: string
  readonly mistake: string | undefined
  readonly onValue: (value: string) => void
}): ReactNode => (
  <TextField {...props} type="password" autoComplete="new-password" hint={texts.atLeast12CharactersCommon} />
)

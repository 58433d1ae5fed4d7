// With what the request is sent: a key, which stays in this page, or the session.
import type { ReactNode } from 'react'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Section } from '../../ui/page.tsx'
import css from './try.module.css'

const senders = [
  { value: 'key', label: 'An API key' },
  { value: 'me', label: 'My account' },
] as const

export const SenderFields = ({
  isOfSession,
  secret,
  onSession,
  onSecret,
}: {
  readonly isOfSession: boolean
  readonly secret: string
  readonly onSession: (isOfSession: boolean) => void
  readonly onSecret: (secret: string) => void
}): ReactNode => (
  <Section title="Credentials">
    <div className={css.sender}>
      <SelectField
        label="Send with"
        value={isOfSession ? 'me' : 'key'}
        choices={senders}
        onValue={(value) => onSession(value === 'me')}
      />
      {isOfSession ? (
        <p className={css.note}>Requests are sent with your session and the permissions of your role.</p>
      ) : (
        <TextField
          label="API key"
          type="password"
          value={secret}
          hint="Kept in this page only. Reloading the page removes it."
          placeholder="wsk_…"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onValue={onSecret}
        />
      )}
    </div>
  </Section>
)

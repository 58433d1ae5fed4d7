// With what the request is sent: a key, which stays in this page, or the session.
import type { ReactNode } from 'react'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Section } from '../../ui/page.tsx'
import css from './try.module.css'
import { texts } from './texts.tsx'

const senders = [
  { value: 'key', label: texts.anApiKey },
  { value: 'me', label: texts.myAccount },
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
  <Section title={texts.credentials}>
    <div className={css.sender}>
      <SelectField
        label={texts.sendWith}
        value={isOfSession ? 'me' : 'key'}
        choices={senders}
        onValue={(value) => onSession(value === 'me')}
      />
      {isOfSession ? (
        <p className={css.note}>{texts.requestsAreSentWithYour}</p>
      ) : (
        <TextField
          label={texts.apiKey}
          type="password"
          value={secret}
          hint={texts.keptInThisPageOnly}
          placeholder={texts.wsk}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onValue={onSecret}
        />
      )}
    </div>
  </Section>
)

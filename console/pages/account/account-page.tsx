// The signed-in account: name, email address, password, two-factor authentication, passkeys, notifications and
// sessions. New recovery codes take the place of the page until they are stored.
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { SecretOnce } from '../../app/secret-once.tsx'
import { useSession } from '../../app/session.ts'
import { Plain } from '../../app/shell.tsx'
import { Page } from '../../ui/page.tsx'
import { Identity } from './identity.tsx'
import { Notifications } from './notifications.tsx'
import { Passkeys } from './passkeys.tsx'
import { Password } from './password.tsx'
import { Sessions } from './sessions.tsx'
import { TwoFactor } from './two-factor.tsx'
import { texts } from './texts.ts'

export function AccountPage(): ReactNode {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  return (
    <Plain>
      {codes === null ? (
        <Page
          isNarrow
          title={texts.account}
          guide="/docs/signing-in"
          above={<Link to="/">{texts.backToWorkspace}</Link>}
        >
          <Identity />
          <Password />
          <TwoFactor onCodes={setCodes} />
          <Passkeys onCodes={setCodes} />
          <Notifications />
          <Sessions />
        </Page>
      ) : (
        <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />
      )}
    </Plain>
  )
}

function RecoveryCodes({ codes, onDone }: { readonly codes: readonly string[]; onDone(): void }): ReactNode {
  const { email } = useSession().account
  const text = codes.join('\n')
  return (
    <SecretOnce
      title={texts.recoveryCodes}
      kind="recovery codes"
      name={email}
      secret={text}
      file={{ name: 'recovery-codes.txt', text: `${text}\n` }}
      ifLost={texts.ifYouLoseYourDevice}
      done={texts.done}
      onDone={onDone}
    >
      {null}
    </SecretOnce>
  )
}

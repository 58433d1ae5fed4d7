// The signed-in account: name, e-mail address, password, two-factor authentication, passkeys, notifications and
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

export function AccountPage(): ReactNode {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  return (
    <Plain>
      {codes === null ? (
        <Page isNarrow title="Account" guide="/docs/signing-in" above={<Link to="/">Back to workspace</Link>}>
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
      title="Recovery codes"
      what="recovery codes"
      name={email}
      secret={text}
      file={{ name: 'recovery-codes.txt', text: `${text}\n` }}
      ifLost="If you lose your device, each of these codes signs you in once. If you lose the codes, generate new ones."
      done="Done"
      onDone={onDone}
    >
      {null}
    </SecretOnce>
  )
}

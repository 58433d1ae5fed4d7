// The signed-in account: name, e-mail address, password, notifications and sessions.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Plain } from '../../app/shell.tsx'
import { Page } from '../../ui/page.tsx'
import { Identity } from './identity.tsx'
import { Notifications } from './notifications.tsx'
import { Password } from './password.tsx'
import { Sessions } from './sessions.tsx'

export const AccountPage = (): ReactNode => (
  <Plain>
    <Page isNarrow title="Account" guide="/docs/signing-in" above={<Link to="/">Back to workspace</Link>}>
      <Identity />
      <Password />
      <Notifications />
      <Sessions />
    </Page>
  </Plain>
)

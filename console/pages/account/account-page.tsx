// The signed-in account: name, e-mail address, password and sessions.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Plain } from '../../app/shell.tsx'
import { Page } from '../../ui/page.tsx'
import { Identity } from './identity.tsx'
import { Password } from './password.tsx'
import { Sessions } from './sessions.tsx'

export const AccountPage = (): ReactNode => (
  <Plain>
    <Page isNarrow title="Account" guide="/docs/signing-in" above={<Link to="/">Back to workspace</Link>}>
      <Identity />
      <Password />
      <Sessions />
    </Page>
  </Plain>
)

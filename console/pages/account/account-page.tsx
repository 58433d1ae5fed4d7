// The account of whoever is signed in: name and e-mail, password, and where it is signed in.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Plain } from '../../app/shell.tsx'
import { Page } from '../../ui/page.tsx'
import { Identity } from './identity.tsx'
import { Password } from './password.tsx'
import { Sessions } from './sessions.tsx'

export const AccountPage = (): ReactNode => (
  <Plain>
    <Page isNarrow title="Account" above={<Link to="/">Back to workspace</Link>}>
      <Identity />
      <Password />
      <Sessions />
    </Page>
  </Plain>
)

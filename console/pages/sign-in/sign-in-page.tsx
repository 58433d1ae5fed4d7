import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { PasskeyButton } from '../../app/passkey-button.tsx'
import { signInWithPasskey } from '../../app/passkeys.ts'
import { ProviderButton } from '../../app/provider-button.tsx'
import { signInMethodsQuery } from '../../app/provider-sign-in.ts'
import { sessionQuery } from '../../app/session.ts'
import { Plain } from '../../app/shell.tsx'
import { SignInForm } from '../../app/sign-in-form.tsx'
import { Card } from '../../ui/card.tsx'
import { pathAfter } from '../../app/search-params.ts'
import css from './sign-in.module.css'
import { texts } from './texts.ts'

const route = getRouteApi('/sign-in')

export function SignInPage(): ReactNode {
  const router = useRouter()
  const queries = useQueryClient()
  const { next = '' } = route.useSearch()
  // Of the second step. The other ways to sign in are none of it.
  const [isPending, setPending] = useState(false)
  const methods = useQuery(signInMethodsQuery)
  return (
    <Plain isTinted>
      <Card title={texts.signIn} guide="/docs/signing-in" about={texts.manageApiKeysWebhooksAnd}>
        <div className={css.ways}>
          {!methods.isPending && methods.data?.password !== false && (
            <>
              <SignInForm onSignedIn={() => router.history.replace(pathAfter(next))} onPending={setPending} />
              {!isPending && <Link to="/forgot-password">{texts.forgotYourPassword}</Link>}
            </>
          )}
          {methods.data?.passkey === true && !isPending && (
            <PasskeyButton
              label={texts.signInWithAPasskey}
              act={signInWithPasskey}
              onDone={(session) => {
                queries.setQueryData(sessionQuery.queryKey, session)
                router.history.replace(pathAfter(next))
              }}
            />
          )}
          {!isPending && <ProviderButton way={{ next }} />}
        </div>
      </Card>
    </Plain>
  )
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
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

const route = getRouteApi('/sign-in')

export function SignInPage(): ReactNode {
  const router = useRouter()
  const queries = useQueryClient()
  const { next = '' } = route.useSearch()
  const methods = useQuery(signInMethodsQuery)
  return (
    <Plain isTinted>
      <Card title="Sign in" guide="/docs/signing-in" about="Manage API keys, webhooks and members.">
        <div className={css.ways}>
          {!methods.isPending && methods.data?.password !== false && (
            <>
              <SignInForm onSignedIn={() => router.history.replace(pathAfter(next))} />
              <Link to="/forgot-password">Forgot your password?</Link>
            </>
          )}
          {methods.data?.passkey === true && (
            <PasskeyButton
              label="Sign in with a passkey"
              act={signInWithPasskey}
              onDone={(session) => {
                queries.setQueryData(sessionQuery.queryKey, session)
                router.history.replace(pathAfter(next))
              }}
            />
          )}
          <ProviderButton way={{ next }} />
        </div>
      </Card>
    </Plain>
  )
}

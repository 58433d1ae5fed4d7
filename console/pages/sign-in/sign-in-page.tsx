import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ProviderButton } from '../../app/provider-button.tsx'
import { signInMethodsQuery } from '../../app/provider-sign-in.ts'
import { Plain } from '../../app/shell.tsx'
import { SignInForm } from '../../app/sign-in-form.tsx'
import { Card } from '../../ui/card.tsx'
import { pathAfter } from '../../app/search-params.ts'
import css from './sign-in.module.css'

const route = getRouteApi('/sign-in')

export function SignInPage(): ReactNode {
  const router = useRouter()
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
          <ProviderButton way={{ next }} />
        </div>
      </Card>
    </Plain>
  )
}

// Back from the provider of sign-in: what it has sent along is handed to the service, which signs in or says why not.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'
import { call, codeOf } from '../../app/call.ts'
import { failureOf } from '../../app/failure.ts'
import { takeWayBack, type WayBack } from '../../app/provider-sign-in.ts'
import { sessionQuery } from '../../app/session.ts'
import { Plain } from '../../app/shell.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FailureNotice, Notice } from '../../ui/failure-notice.tsx'
import { pathAfter } from '../../app/search-params.ts'
import css from './sign-in.module.css'
import { texts } from './texts.ts'

export function ProviderReturnPage(): ReactNode {
  const [back] = useState(takeWayBack)
  return <Plain isTinted>{back === null ? <NotFromHere /> : <Entering back={back} />}</Plain>
}

function Entering({ back: { flow, search, next } }: { readonly back: WayBack }): ReactNode {
  const queries = useQueryClient()
  const router = useRouter()
  // Once: a second call is refused.
  const { data, error } = useQuery({
    queryKey: ['sessions.complete-at-provider', flow],
    queryFn: () => call('sessions.complete-at-provider', { flow, search }),
    staleTime: Infinity,
    retry: false,
  })
  useEffect(() => {
    if (data === undefined) return
    queries.setQueryData(sessionQuery.queryKey, data)
    router.history.replace(pathAfter(next))
  }, [data, next, queries, router])
  if (error === null) return <Card title={texts.signingIn}>{null}</Card>
  return (
    <Card title={texts.signInFailed}>
      <div className={css.ways}>
        <FailureNotice failure={failureOf(error)} code={codeOf(error)} />
        <Again />
      </div>
    </Card>
  )
}

const NotFromHere = (): ReactNode => (
  <Card title={texts.signInFailed}>
    <div className={css.ways}>
      <Notice tone="warn" title={texts.theSignInWasNot}>
        <p>{texts.startAndCompleteTheSign}</p>
      </Notice>
      <Again />
    </div>
  </Card>
)

const Again = (): ReactNode => (
  <Link to="/sign-in" className={buttonClass({ variant: 'primary' })}>
    {texts.signIn}
  </Link>
)

// Signing in, or confirming, at the provider. Nothing where there is none.
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import type { Failure } from '../ui/failure.ts'
import { FailureNotice } from '../ui/failure-notice.tsx'
import { failureOf } from './failure.ts'
import { goToProvider, signInMethodsQuery, type WayThere } from './provider-sign-in.ts'
import { sessionQuery } from './session.ts'
import { texts } from './texts.tsx'

export function ProviderButton({ way }: { readonly way: WayThere }): ReactNode {
  const methods = useQuery(signInMethodsQuery).data
  // Asked by whoever is signed in: nobody else is asked for it here.
  const hasPassword = useQuery({ ...sessionQuery, enabled: false }).data?.account.hasPassword ?? true
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  async function go(): Promise<void> {
    setBusy(true)
    setFailure(null)
    try {
      await goToProvider(way)
    } catch (error) {
      setFailure(failureOf(error))
      setBusy(false)
    }
  }
  const provider = methods?.provider ?? null
  if (provider === null) return null
  return (
    <>
      {failure && <FailureNotice failure={failure} />}
      <Button isBusy={isBusy} onClick={() => void go()}>
        {texts.continueWith(provider.name)}
      </Button>
      {hasPassword && methods?.password === true && <p>{texts.theFirstTimeThisConnects(provider.name)}</p>}
    </>
  )
}

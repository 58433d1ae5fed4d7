// One call with the new key, from here: it goes out without the session's cookie, as any program's call does.
import { useState, type ReactNode } from 'react'
import { readAnswer } from '#clients/typescript/src/answer.ts'
import { ApiError } from '#clients/typescript/src/errors.ts'
import { apiPrefix } from '#contract/route-paths.ts'
import type { Me } from '#contract/me.ts'
import { failureOf } from '../../app/failure.ts'
import { Button } from '../../ui/button.tsx'
import type { Failure } from '../../ui/failure.ts'
import { FailureNotice, Notice } from '../../ui/failure-notice.tsx'
import { Row, Section } from '../../ui/page.tsx'
import { texts } from './texts.tsx'

type Tried =
  | { readonly kind: 'not-yet' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'answered'; readonly me: Me }
  | { readonly kind: 'refused'; readonly failure: Failure }

export function TryIt({ secret }: { readonly secret: string }): ReactNode {
  const [tried, setTried] = useState<Tried>({ kind: 'not-yet' })
  async function tryIt(): Promise<void> {
    setTried({ kind: 'busy' })
    try {
      const response = await fetch(`${apiPrefix}/me`, {
        headers: { authorization: `Bearer ${secret}` },
        credentials: 'omit',
        cache: 'no-store',
      })
      // The service checks its answers against the contract.
      setTried({ kind: 'answered', me: (await readAnswer(response)) as Me })
    } catch (error) {
      setTried({ kind: 'refused', failure: explained(error) })
    }
  }
  return (
    <Section title={texts.tryIt} about={texts.sendsGetMeFromThis(apiPrefix)}>
      <Row>
        <Button icon="send" isBusy={tried.kind === 'busy'} onClick={() => void tryIt()}>
          {texts.tryIt}
        </Button>
      </Row>
      <div aria-live="polite">{resultOf(tried)}</div>
    </Section>
  )
}

function resultOf(tried: Tried): ReactNode {
  if (tried.kind === 'refused') return <FailureNotice failure={tried.failure} />
  if (tried.kind !== 'answered') return null
  const { apiKey, scopes, workspaces } = tried.me
  return (
    <Notice tone="good" title={texts.theKeyWorks}>
      <p>
        {texts.theKeyHasAccessTo(apiKey.name, workspaces.map(({ name }) => name).join(', '))}
        {texts.countOfScopes(scopes.length)}
      </p>
    </Notice>
  )
}

/** A refusal by the key's own list is no mistake of the key: it says what the list does. */
function explained(error: unknown): Failure {
  const failure = failureOf(error)
  if (!(error instanceof ApiError) || error.problem.code !== 'ip_not_allowed') return failure
  return {
    ...failure,
    detail: texts.theIpAllowlistWorksThe,
  }
}

// What is known before a request is sent: that the key is refused, acts elsewhere, or may not do this.
import type { ReactNode } from 'react'
import type { ApiError } from '#clients/typescript/src/errors.ts'
import type { Me } from '#contract/me.ts'
import { covers } from '#contract/scopes.ts'
import { failureOf } from '../../app/failure.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { FailureNotice, Notice } from '../../ui/failure-notice.tsx'
import type { TriedOperation } from './description.ts'
import { texts } from './texts.tsx'

type Props = {
  readonly operation: TriedOperation
  /** Null: with the session. */
  readonly secret: string | null
  readonly apiKey: Me | null
  readonly error: ApiError | null
}

export function BeforeSending({ operation, secret, apiKey, error }: Props): ReactNode {
  const { member, id } = useWorkspace()
  if (secret === null) {
    const { roles } = operation
    if (roles === null || member === null || roles.includes(member.role)) return null
    return (
      <Notice tone="warn" title={texts.yourRoleMayNotSend}>
        <p>{texts.itNeedsOneOfThese(roles.join(', '), member.role)}</p>
      </Notice>
    )
  }
  if (error !== null) return <FailureNotice failure={failureOf(error)} />
  if (apiKey === null) return null
  const { scope } = operation
  const isElsewhere = apiKey.workspaces.every((workspace) => workspace.id !== id)
  return (
    <>
      {scope !== null && !covers(apiKey.scopes, scope) && (
        <Notice tone="warn" title={texts.theKeyLacksAScope}>
          <p>{texts.thisOperationNeedsTheScope(scope)}</p>
        </Notice>
      )}
      {!apiKey.apiKey.surfaces.includes('http') && (
        <Notice tone="warn" title={texts.theKeyIsForMcp}>
          <p>{texts.theRequestWillBeRefused}</p>
        </Notice>
      )}
      {isElsewhere && (
        <Notice tone="warn" title={texts.theKeyIsForAnother}>
          <p>{texts.theRequestActsIn(apiKey.workspaces.map(({ name }) => name).join(', '))}</p>
        </Notice>
      )}
    </>
  )
}

/** Whether all that the request can change is sample data. */
export function useIsSandbox(apiKey: Me | null, isOfSession: boolean): boolean {
  const { member } = useWorkspace()
  if (isOfSession) return member?.sandbox === true
  return apiKey !== null && apiKey.workspaces.every(({ sandbox }) => sandbox)
}

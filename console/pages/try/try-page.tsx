// Sends any operation of the API, with a key that stays in this page, or any of the settings as the person who is
// signed in. No key is made for it: the session does what it may, and another key would have to be guarded.
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { publicPaths } from '#contract/route-paths.ts'
import { failureOf } from '../../app/failure.ts'
import { useFilters } from '../../app/filters.ts'
import { LoadingPage } from '../../app/page-states.tsx'
import { useWorkspace } from '../../app/workspace.ts'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { Page } from '../../ui/page.tsx'
import { SenderFields } from './sender-fields.tsx'
import { operationsIn, type Description } from './description.ts'
import { OperationList } from './operation-list.tsx'
import { TryForm } from './try-form.tsx'
import type { TrySearch } from './try-search.ts'
import { texts } from './texts.tsx'

export function TryPage(): ReactNode {
  const { id: workspaceId } = useWorkspace()
  const { values, set } = useFilters<TrySearch>()
  const isOfSession = values.as === 'me'
  const { data: operations, error, refetch } = useOperations(isOfSession)
  const [secret, setSecret] = useState('')
  if (error !== null)
    return (
      <Page title={texts.tryIt}>
        <FailureNotice failure={failureOf(error)} retry={() => void refetch()} />
      </Page>
    )
  if (operations === undefined) return <LoadingPage />
  const operation = operations.find(({ name }) => name === values.operation)
  return (
    <Page title={texts.tryIt} guide="/docs/reference" about={texts.sendARequestToThe}>
      <SenderFields
        isOfSession={isOfSession}
        secret={secret}
        onSession={(isSession) => set({ ...values, as: isSession ? 'me' : undefined })}
        onSecret={setSecret}
      />
      {operation === undefined ? (
        <OperationList operations={operations} isOfSession={isOfSession} />
      ) : (
        <TryForm
          key={`${operation.method} ${operation.path}`}
          operation={operation}
          workspaceId={workspaceId}
          secret={isOfSession ? null : secret.trim()}
          onChange={() => set({ ...values, operation: undefined })}
        />
      )}
    </Page>
  )
}

/** The description is what the installation tells everybody, so it is asked for without the session. */
const useOperations = (isOfSession: boolean) =>
  useQuery({
    queryKey: ['description', isOfSession],
    queryFn: async ({ signal }) => {
      const address = isOfSession ? publicPaths.settings : publicPaths.json
      const response = await fetch(address, { credentials: 'omit', signal })
      if (!response.ok) throw new Error(`The description of the API could not be loaded: ${response.status}`)
      return operationsIn((await response.json()) as Description, isOfSession)
    },
    staleTime: Infinity,
  })

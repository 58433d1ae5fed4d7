// The second factors of the account, and what every change of them does: one thing at a time, and what depends on them
// is asked for anew.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../app/call.ts'
import { failureOf } from '../../app/failure.ts'
import { sessionQuery } from '../../app/session.ts'
import { announce } from '../../ui/announcements.tsx'

const getSecondFactors = () => call('second-factors.get', {})
export type SecondFactors = Awaited<ReturnType<typeof getSecondFactors>>
export const secondFactorsQuery = { queryKey: ['second-factors.get'], queryFn: getSecondFactors }

export type OnCodes = (codes: readonly string[]) => void

/** One thing at a time; what fails is announced. */
export function useFactorActions() {
  const queries = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  async function attempt(work: () => Promise<unknown>): Promise<void> {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      announce(failureOf(error).detail, 'bad')
    }
    setBusy(false)
  }
  const refresh = async (): Promise<void> => {
    await queries.invalidateQueries({ queryKey: secondFactorsQuery.queryKey })
    await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
    await queries.invalidateQueries({ queryKey: ['sessions.list'] })
  }
  return { isBusy, attempt, refresh }
}

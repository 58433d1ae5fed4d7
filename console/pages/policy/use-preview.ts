// Which keys the policy in the form would stop: asked by a dry run when the typing stops.
import { useEffect, useState } from 'react'
import type { ApiPolicy, PolicyPreview } from '#contract/key-policy.ts'
import { useAnswer } from '../../app/workspace.ts'
import { policyInput, policyMistakes, type PolicyForm } from './policy-form.ts'

const typingMs = 250

export type Preview = {
  /** Of the last form that was asked about; undefined before the first answer. */
  readonly shown: PolicyPreview | undefined
  /** The answer is about the form as it is now. */
  readonly isCurrent: boolean
  readonly error: Error | null
  retry(): void
}

export function usePreview(workspaceId: string, form: PolicyForm, policy: ApiPolicy): Preview {
  const [asked, setAsked] = useState(form)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(form), typingMs)
    return () => clearTimeout(timer)
  }, [form])
  const isReadable = Object.keys(policyMistakes(asked)).length === 0
  const { data, error, isPlaceholderData, refetch } = useAnswer(
    'workspaces.update',
    { ...policyInput(workspaceId, asked, policy), dryRun: true },
    { enabled: isReadable, keepsPrevious: true },
  )
  return {
    shown: data?.policyPreview,
    isCurrent: asked === form && isReadable && data !== undefined && !isPlaceholderData,
    error,
    retry: () => void refetch(),
  }
}

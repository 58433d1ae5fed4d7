// Asks before a page is left on which something would be lost: what was typed, or a secret that is shown once. One
// dialog asks for all of them. A reload is the browser's to ask about, in its own words.
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useSyncExternalStore, type ReactNode } from 'react'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'

type Question = { readonly title: string; readonly text: string; readonly leave: string }
type Guard = { readonly question: Question; isLosing(): boolean }
type Asked = { readonly question: Question; settle(leaves: boolean): void }

const guards = new Set<Guard>()
const losing = (): Guard | undefined => [...guards].find((guard) => guard.isLosing())

/** Would something be lost by leaving this page? */
export const isLosingByLeaving = (): boolean => losing() !== undefined

/** Asks this before the page is left, while `isLosing` says so at that moment. */
export function useLeaveGuard(question: Question, isLosing: () => boolean): void {
  const current = useRef(isLosing)
  current.current = isLosing
  const { title, text, leave } = question
  useEffect(() => {
    const guard = { question: { title, text, leave }, isLosing: () => current.current() }
    guards.add(guard)
    return () => void guards.delete(guard)
  }, [title, text, leave])
}

let asked: Asked | null = null
const listeners = new Set<() => void>()

function ask(question: Question): Promise<boolean> {
  // A question that was not answered, since another way to leave was tried meanwhile, is answered with no.
  asked?.settle(false)
  const { promise, resolve } = Promise.withResolvers<boolean>()
  change({ question, settle: resolve })
  return promise
}

function change(next: Asked | null): void {
  asked = next
  for (const listener of listeners) listener()
}

function answer(leaves: boolean): void {
  asked?.settle(leaves)
  change(null)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Another filter or tab is the same page. */
async function isBlocked({ current, next }: Record<'current' | 'next', { readonly pathname: string }>) {
  const guard = losing()
  return guard !== undefined && current.pathname !== next.pathname && !(await ask(guard.question))
}

export function LeaveDialog(): ReactNode {
  useBlocker({ shouldBlockFn: isBlocked, enableBeforeUnload: isLosingByLeaving })
  const open = useSyncExternalStore(subscribe, () => asked)
  return (
    <ConfirmDialog
      isOpen={open !== null}
      title={open?.question.title ?? ''}
      confirm={open?.question.leave ?? ''}
      onConfirm={() => answer(true)}
      onClose={() => answer(false)}
    >
      <p>{open?.question.text}</p>
    </ConfirmDialog>
  )
}

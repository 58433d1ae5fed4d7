// Keys that lead somewhere: `/` to the search of the page, `n` to what it makes, `g` and a letter to another page. None
// of them works while something is typed or a dialog is open.
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { navigation } from './navigation.ts'

const secondKeyMs = 1_000

export function useShortcuts(): void {
  const { workspaceId = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  useEffect(() => {
    let goUntilMs = 0
    function onKey(event: KeyboardEvent): void {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const isGoing = performance.now() < goUntilMs
      goUntilMs = event.key === 'g' && !isGoing ? performance.now() + secondKeyMs : 0
      const to = isGoing ? entryOf(event.key) : undefined
      if (to !== undefined) return void navigate({ to, params: { workspaceId } })
      const target = document.querySelector<HTMLElement>(`[data-shortcut="${CSS.escape(event.key)}"]`)
      if (target === null) return
      event.preventDefault()
      if (target instanceof HTMLInputElement) target.focus()
      else target.click()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [navigate, workspaceId])
}

const entryOf = (key: string) =>
  navigation.flatMap(({ entries }) => entries).find(({ shortcut }) => shortcut === key)?.to

const isTyping = (target: EventTarget | null): boolean =>
  document.querySelector('dialog[open]') !== null ||
  (target instanceof HTMLElement && target.closest('input, textarea, select, [role="menu"]') !== null)

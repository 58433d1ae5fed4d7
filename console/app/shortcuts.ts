// Keys that lead somewhere: `/` to the search of the page, `n` to what it makes, `g` and a letter to another page, `?`
// to the list of these keys. None of them works while something is typed or a dialog is open. The command palette opens
// from within a field, too.
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { navigation } from './navigation.ts'

const secondKeyMs = 1_000

export function useShortcuts(show: (what: 'palette' | 'shortcuts') => void): void {
  const shown = useRef(show)
  shown.current = show
  const { workspaceId = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  useEffect(() => {
    let goUntilMs = 0
    function onKey(event: KeyboardEvent): void {
      if (opensPalette(event)) {
        event.preventDefault()
        return shown.current('palette')
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const isGoing = performance.now() < goUntilMs
      goUntilMs = event.key === 'g' && !isGoing ? performance.now() + secondKeyMs : 0
      const to = isGoing ? entryOf(event.key) : undefined
      if (event.key === '?') return shown.current('shortcuts')
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

const isDialogOpen = (): boolean => document.querySelector('dialog[open]') !== null

const opensPalette = ({ ctrlKey, metaKey, altKey, shiftKey, key }: KeyboardEvent): boolean =>
  (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'k' && !isDialogOpen()

const entryOf = (key: string) =>
  navigation.flatMap(({ entries }) => entries).find(({ shortcut }) => shortcut === key)?.to

const isTyping = (target: EventTarget | null): boolean =>
  isDialogOpen() || (target instanceof HTMLElement && target.closest('input, textarea, select, [role="menu"]') !== null)

// Light, dark, or as the system is: stored in this browser, and kept on the document, where the stylesheet reads it.
import { useSyncExternalStore } from 'react'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const storageName = 'theme'
const listeners = new Set<() => void>()

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(storageName)
  else localStorage.setItem(storageName, theme)
  applyTheme()
  for (const listener of listeners) listener()
}

/** Called once before the first drawing. */
export function applyTheme(): void {
  const theme = chosenTheme()
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

function chosenTheme(): Theme {
  const stored = localStorage.getItem(storageName)
  return themes.find((theme) => theme === stored) ?? 'system'
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, chosenTheme)

// Short news at the edge of the page, read out when it comes. It goes by itself, so it never holds what is needed.
import { useSyncExternalStore, type ReactNode } from 'react'
import css from './announcements.module.css'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'

type Announcement = { readonly id: number; readonly text: string; readonly tone: 'good' | 'bad' }

const shownMs = 6_000
const shownMax = 3
let shown: readonly Announcement[] = []
let lastId = 0
const listeners = new Set<() => void>()

function show(next: readonly Announcement[]): void {
  shown = next
  for (const listener of listeners) listener()
}

export function announce(text: string, tone: Announcement['tone'] = 'good'): void {
  const id = (lastId += 1)
  show([...shown, { id, text, tone }].slice(-shownMax))
  setTimeout(() => show(shown.filter((each) => each.id !== id)), shownMs)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Announcements(): ReactNode {
  const all = useSyncExternalStore(subscribe, () => shown)
  return (
    <div className={css.region} role="status" aria-live="polite">
      {all.map(({ id, text, tone }) => (
        <p key={id} className={classNames(css.announcement, css[tone])}>
          <Icon name={tone === 'good' ? 'check' : 'warning'} />
          {text}
        </p>
      ))}
    </div>
  )
}

// Whether a webhook may have the address that is being typed: asked when the typing stops.
import { useEffect, useState } from 'react'
import { useAnswer } from '../../app/workspace.ts'
import { texts } from './texts.tsx'

export type UrlCheck =
  | { readonly kind: 'none' }
  | { readonly kind: 'checking' }
  | { readonly kind: 'good'; readonly url: string }
  | { readonly kind: 'bad'; readonly problem: string }

const typingMs = 300

export function useCheckedUrl(typed: string): UrlCheck {
  const [url, setUrl] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setUrl(typed.trim()), typingMs)
    return () => clearTimeout(timer)
  }, [typed])
  const { data } = useAnswer('webhooks.check-url', { url }, { enabled: url !== '' })
  if (typed.trim() === '') return { kind: 'none' }
  if (typed.trim() !== url || data === undefined) return { kind: 'checking' }
  return data.url === null
    ? { kind: 'bad', problem: data.problem ?? texts.thisUrlCannotBeUsed }
    : { kind: 'good', url: data.url }
}

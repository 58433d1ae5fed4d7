// The cookie of a session. Over https its name begins with `__Host-`, which browsers let nobody else set: no other host of
// the domain, and no page over http. On this machine itself it works over http, without that.
import { sessionDays } from '#contract/session-times.ts'
import { sessionEnded } from '#contract/internal/session-record.ts'
import type { Transport } from '../request/transport.ts'

const names = { https: '__Host-session', loopback: 'session' } as const
const tokenForm = /^[\w-]{43}$/
const maxAgeSeconds = sessionDays * 86_400

/** Null where there is none in the right form, or more than one: nobody knows which of them is meant. */
export function sessionTokenIn(cookies: string | undefined, transport: Transport): string | null {
  if (cookies === undefined || transport === 'open') return null
  const start = `${names[transport]}=`
  const own = cookies
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(start))
  const token = own[0]?.slice(start.length) ?? ''
  return own.length === 1 && tokenForm.test(token) ? token : null
}

/** Set-Cookie for what the service has told: a token, or that the session is over. */
export function sessionCookie(told: string, transport: Exclude<Transport, 'open'>): string {
  const [value, maxAge] = told === sessionEnded ? ['', 0] : [told, maxAgeSeconds]
  const secure = transport === 'https' ? '; Secure' : ''
  return `${names[transport]}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`
}

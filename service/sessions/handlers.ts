// The operations on sessions bound to their functions.
import type { Database } from '#prisma/client.ts'
import type { CheckParts } from '../accounts/check-password.ts'
import type { PasswordSignIn } from '../accounts/password-sign-in.ts'
import type { Handlers } from '../execution/call.ts'
import { confirm, current, end, signIn } from './current.ts'
import { list, revoke } from './list.ts'

type Parts = CheckParts & { readonly db: Database; readonly passwordSignIn: PasswordSignIn }

export const sessionHandlers = (parts: Parts) =>
  ({
    'sessions.create': signIn(parts),
    'sessions.current': current,
    'sessions.end': end(parts),
    'sessions.confirm': confirm(parts),
    'sessions.list': list,
    'sessions.revoke': revoke(parts),
  }) satisfies Partial<Handlers>

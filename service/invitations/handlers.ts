// The operations on invitations bound to their functions.
import type { Handlers } from '../execution/handler.ts'
import { accept, type InvitationDeps } from './accept.ts'
import { create, get } from './invite.ts'

export const invitationHandlers = (deps: InvitationDeps) =>
  ({
    'invitations.create': create,
    'invitations.get': get,
    'invitations.accept': accept(deps),
  }) satisfies Partial<Handlers>

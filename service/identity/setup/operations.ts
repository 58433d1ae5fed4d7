// The setup of an installation: a link makes the first account, with the workspace that it owns and a session, once.
import type { CurrentSession } from '#contract/account.ts'
import { Fault } from '#contract/faults/fault.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { memberAdded } from '#contract/members.ts'
import type { DefaultRates } from '#contract/rate-limits.ts'
import type { completeSetup, getSetup } from '#contract/setup.ts'
import type { Account } from '#prisma/generated/client.ts'
import { newId } from '#runtime/new-id.ts'
import { commitChange, runChange, type ChangeDeps, type Notifications } from '../../execution/change.ts'
import type { Handlers, Db, Handler } from '../../execution/call.ts'
import { insertMember, linkAccount } from '../../members/rows.ts'
import { draft as draftMember } from '../../members/rules.ts'
import { create as createWorkspace } from '../../workspaces/operations.ts'
import { findOnlyWorkspace } from '../../workspaces/rows.ts'
import type { KnownBrowsers } from '../accounts/known-browsers.ts'
import { assertNotGuessed } from '../accounts/password-rule.ts'
import type { Passwords } from '../accounts/passwords.ts'
import { insertAccount, isAnyAccount } from '../accounts/rows.ts'
import { foundByLink } from '../accounts/sign-in-attempts.ts'
import { describe } from '../sessions/current-session.ts'
import { openSession, type OpenedSession } from '../sessions/rows.ts'
import { isSetupToken, takeSetupToken } from './rows.ts'

export const setupHandlers = (deps: SetupDeps) =>
  ({
    'setup.get': get,
    'setup.complete': complete(deps),
  }) satisfies Partial<Handlers>

export type SetupDeps = {
  readonly changes: ChangeDeps
  readonly passwords: Passwords
  readonly knownBrowsers: KnownBrowsers
  readonly rates: DefaultRates
}
type Made = Notifications & { readonly account: Account; readonly opened: OpenedSession }
type Person = { readonly name: string; readonly email: string; readonly passwordHash: string }

const firstWorkspaceName = 'My workspace'

const get: Handler<typeof getSetup> = async (_input, { db }) => {
  if (await isAnyAccount(db)) throw isOver()
  return { object: 'setup', hasWorkspace: (await findOnlyWorkspace(db)) !== null }
}

const complete =
  ({ changes, passwords, knownBrowsers, rates }: SetupDeps): Handler<typeof completeSetup> =>
  async ({ token, password, workspaceName, ...person }, call) => {
    const { db, now, principal, withoutSlot, setSession } = call
    if ((await foundByLink(call, () => openSetup(db, token, now))) === null) throw isOver()
    await assertNotGuessed('password', password, [person.name, person.email])
    const passwordHash = await withoutSlot(() => passwords.hash(password))
    const { account, opened } = await commitChange(changes, { principal }, async (tx): Promise<Made> => {
      if (!(await takeSetupToken(tx, token, now))) throw isOver()
      const made = await insertAccount(tx, { ...person, passwordHash }, now)
      // The operator, or the first start with its sample data, may have made a workspace already.
      const joined = workspaceName === undefined ? await findOnlyWorkspace(tx) : null
      const name = workspaceName ?? firstWorkspaceName
      const workspaceId = joined ?? (await makeWorkspace({ changes, rates }, tx, name, principal))
      const notifications = await makeOwner(changes, tx, { ...person, passwordHash }, made, { principal, workspaceId })
      return {
        account: made,
        opened: await openSession(tx, made.id, principal, { now, confirmedAt: now, method: 'link' }),
        ...notifications,
      }
    })
    setSession(opened.token)
    call.setBrowser(knownBrowsers.marked(call.browser, account))
    return await shown(db, opened, account, now)
  }

async function openSetup(db: Db, token: string, now: Date): Promise<true | null> {
  return !(await isAnyAccount(db)) && (await isSetupToken(db, token, now)) ? true : null
}

const shown = (db: Db, { row }: OpenedSession, account: Account, now: Date): Promise<CurrentSession> =>
  describe(db, row, account, now)

const action = { name: 'setup.complete' } as const

async function makeWorkspace(
  { changes, rates }: Pick<SetupDeps, 'changes' | 'rates'>,
  tx: Db,
  name: string,
  principal: Principal,
): Promise<string> {
  const { result } = await runChange(changes, tx, { principal, workspaceId: null, action }, (call) =>
    createWorkspace(rates)({ name }, call),
  )
  return result.id
}

async function makeOwner(
  changes: ChangeDeps,
  tx: Db,
  { name, email }: Person,
  account: Account,
  { principal, workspaceId }: { readonly principal: Principal; readonly workspaceId: string },
): Promise<Notifications> {
  const id = newId()
  const owner: Principal = { ...principal, kind: 'member', id, name, workspaceId }
  return await runChange(changes, tx, { principal: owner, workspaceId, action }, async ({ actor, now, emit }) => {
    const member = draftMember({ name, email, role: 'owner', status: 'active' }, { id, workspaceId, actor, now })
    await insertMember(tx, member)
    await linkAccount(tx, member, account.id)
    emit(memberAdded, member)
  })
}

/** The same for a wrong token and for an installation that is set up. */
const isOver = (): Fault => new Fault('not_found', 'There is nothing to set up with this link.')

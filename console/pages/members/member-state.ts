// The status of a member, and whether the signed-in member may manage it. The server decides; the page only offers what
// is allowed. Pure.
import type { Role } from '#contract/roles.ts'
import type { Member } from '#contract/members.ts'
import { roleWords, rolesToGive } from '../../app/role-words.ts'
import type { Tone } from '../../ui/tone.ts'
import { texts } from './texts.ts'

type Standing = { readonly word: string; readonly tone: Tone }

export const statusNames: Readonly<Record<Member['status'], string>> = {
  invited: texts.invited,
  active: texts.active,
  suspended: texts.memberStateSuspended,
}

/** Members that another program has added are active before they have signed in. */
export function standingOf({ status, lastSeenAt }: Pick<Member, 'status' | 'lastSeenAt'>): Standing {
  if (status === 'suspended') return { word: statusNames.suspended, tone: 'bad' }
  if (status === 'invited') return { word: statusNames.invited, tone: 'accent' }
  return lastSeenAt === null ? { word: texts.neverSignedIn, tone: 'neutral' } : { word: texts.active, tone: 'good' }
}

/** A member who has signed in has an account and needs no invitation link. */
export const canBeInvited = ({ status, lastSeenAt }: Pick<Member, 'status' | 'lastSeenAt'>): boolean =>
  lastSeenAt === null && status !== 'suspended'

type Viewer = { readonly memberId: string; readonly role: Role }

/** Explains why the viewer may not manage this member; null if they may. */
export function whyNotMine({ id, role }: Pick<Member, 'id' | 'role'>, viewer: Viewer | null, mayManage: boolean) {
  if (!mayManage) return texts.onlyAdminsAndOwnersCan
  if (id === viewer?.memberId) return texts.youCannotChangeYourOwn
  if (rolesToGive(viewer?.role).includes(role)) return null
  return texts.onlyOwnersCanChangeOr(roleWords[role].name.toLowerCase())
}

export type Ending = 'remove' | 'suspend'

const namedMax = 3

/** `2 keys: Import, Reports`; with many, the first of them. */
export function heldText(
  noun: 'key' | 'webhook' | 'invitation' | 'sandbox',
  { count, data }: { readonly count: number; readonly data: readonly { readonly name: string }[] },
): string {
  const named = data.slice(0, namedMax).map(({ name }) => name)
  const more = count > named.length ? texts.andMore(count - named.length) : ''
  const plural = noun === 'sandbox' ? 'sandboxes' : `${noun}s`
  return `${count} ${count === 1 ? noun : plural}: ${named.join(', ')}${more}`
}

// The dialog before a member is removed or suspended. It lists the keys, webhooks, invitations, sandboxes and sessions
// that are theirs, and asks what becomes of each kind that can go to someone else.
import { useState, type ReactNode } from 'react'
import type { Member, MemberAccess } from '#contract/members.ts'
import { failureOf } from '../../app/failure.ts'
import { useAnswer, useChange, useWholeList, useWorkspace } from '../../app/workspace.ts'
import { announce } from '../../ui/announcements.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FailureNotice, Notice } from '../../ui/failure-notice.tsx'
import { SelectField } from '../../ui/field.tsx'
import { heldText, type Ending } from './member-state.ts'
import { texts } from './texts.ts'

type Decisions = {
  readonly keys: 'stop' | 'transfer'
  readonly webhooks: (typeof webhookChoices)[number]['value']
  readonly heir: string
}

const webhookChoices = [
  { value: 'pause', label: texts.pause },
  { value: 'delete', label: texts.delete },
  { value: 'transfer', label: texts.transferToAnotherMember },
] as const

const words = {
  remove: {
    title: (name: string) => texts.remove(name),
    confirm: texts.removeMember,
    done: (name: string) => texts.removed(name),
    keys: 'Revoke',
    about: [texts.theMemberLosesAccessTo, texts.theMemberIsRemovedFrom],
  },
  suspend: {
    title: (name: string) => texts.suspend(name),
    confirm: texts.suspendMember,
    done: (name: string) => texts.suspended(name),
    keys: 'Suspend until reactivation',
    about: [texts.theMemberLosesAccessToThis],
  },
} as const satisfies Record<Ending, object>

export function EndAccess({
  member: { id, name },
  ending,
  onDone,
  onClose,
}: {
  readonly member: Member
  /** Null: nothing is asked. */
  readonly ending: Ending | null
  readonly onDone: (ending: Ending) => void
  readonly onClose: () => void
}): ReactNode {
  const remove = useChange('members.remove', ['api-keys', 'webhooks'])
  const suspend = useChange('members.update', ['api-keys', 'webhooks'])
  const held = useAnswer('members.access', { id }, { enabled: ending !== null })
  const [decisions, setDecisions] = useState<Decisions>({ keys: 'stop', webhooks: 'pause', heir: '' })
  if (ending === null) return null
  const { keys, webhooks, heir } = decisions
  const isTransfer = keys === 'transfer' || webhooks === 'transfer'
  const transferTo = isTransfer && heir !== '' ? { transferTo: heir } : {}
  const error = held.error ?? remove.error ?? suspend.error
  async function confirmed(what: Ending): Promise<void> {
    const rest = { webhooks, ...transferTo }
    if (what === 'remove') await remove.mutateAsync({ id, keys: keys === 'stop' ? 'revoke' : keys, ...rest })
    else await suspend.mutateAsync({ id, status: 'suspended', keys: keys === 'stop' ? 'suspend' : keys, ...rest })
    // Also where the list has come without the member meanwhile, and shows this no more.
    announce(words[what].done(name))
    onDone(what)
  }
  return (
    <ConfirmDialog
      isOpen
      isBusy={held.isPending || remove.isPending || suspend.isPending}
      title={words[ending].title(name)}
      confirm={words[ending].confirm}
      // Errors are shown below.
      onConfirm={() => void confirmed(ending).catch(() => {})}
      onClose={onClose}
    >
      {words[ending].about.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {held.data && <Held access={held.data} ending={ending} decisions={decisions} onDecisions={setDecisions} />}
      {error !== null && <FailureNotice failure={failureOf(error)} />}
    </ConfirmDialog>
  )
}

function Held({
  access: { memberId, keys, othersKeys, webhooks, invitations, sandboxes, sessions },
  ending,
  decisions,
  onDecisions,
}: {
  readonly access: MemberAccess
  readonly ending: Ending
  readonly decisions: Decisions
  readonly onDecisions: (decisions: Decisions) => void
}): ReactNode {
  return (
    <>
      {keys.count > 0 && (
        <SelectField
          label={texts.whatHappensTo(heldText('key', keys))}
          hint={decisions.keys === 'transfer' ? texts.theMemberMayKnowThe : undefined}
          value={decisions.keys}
          choices={[
            { value: 'stop', label: words[ending].keys },
            { value: 'transfer', label: texts.transferToAnotherMember },
          ]}
          onValue={(value) => onDecisions({ ...decisions, keys: value === 'transfer' ? value : 'stop' })}
        />
      )}
      {webhooks.count > 0 && (
        <SelectField
          label={texts.whatHappensTo(heldText('webhook', { count: webhooks.count, data: webhooks.data.map(withHost) }))}
          value={decisions.webhooks}
          hint={webhookHints[decisions.webhooks]}
          choices={webhookChoices}
          // The value is one of the choices.
          onValue={(value) => onDecisions({ ...decisions, webhooks: value as Decisions['webhooks'] })}
        />
      )}
      {(decisions.keys === 'transfer' || decisions.webhooks === 'transfer') && (
        <Heir memberId={memberId} value={decisions.heir} onValue={(heir) => onDecisions({ ...decisions, heir })} />
      )}
      {invitations.count > 0 && <p>{texts.cancelled(heldText('invitation', invitations))}</p>}
      {sandboxes.count > 0 && <p>{sandboxText(ending, heldText('sandbox', sandboxes), decisions)}</p>}
      {sessions.count > 0 && <p>{texts.activeSessionsInEndImmediately(sessions.count)}</p>}
      {othersKeys.count > 0 && (
        <Notice tone="warn" title={texts.theMemberHasSeenThe(othersKeys.count, heldText('key', othersKeys))}>
          {texts.rotateTheseKeys(othersKeys.count)}
        </Notice>
      )}
    </>
  )
}

const webhookHints: Readonly<Record<Decisions['webhooks'], string>> = {
  pause: texts.noMoreEventsAreSent,
  delete: texts.noMoreEventsAreSentAnd,
  transfer: texts.theWebhooksKeepSendingEvents,
}

/** Where it sends to says more than its name. */
const withHost = ({ name, url }: { readonly name: string; readonly url: string }) => ({
  name: `${name} (${URL.parse(url)?.host ?? url})`,
})

function sandboxText(ending: Ending, held: string, { heir }: Decisions): string {
  if (ending === 'suspend') return texts.sandboxesAreNotChangedAnd(held)
  return texts.transferredToTheRemovedMembers(heir, held)
}

function Heir({
  memberId,
  value,
  onValue,
}: {
  readonly memberId: string
  readonly value: string
  readonly onValue: (id: string) => void
}): ReactNode {
  const { member } = useWorkspace()
  const { data } = useWholeList('members.list', { status: ['active'], sort: 'name' })
  const others = (data ?? []).flatMap((each) => ('name' in each && each.id !== memberId ? [each] : []))
  return (
    <SelectField
      label={texts.transferTo}
      value={value}
      choices={[
        { value: '', label: texts.chooseAMember },
        ...others.map(({ id, name, email }) => ({
          value: id,
          label: id === member?.memberId ? texts.yourself(name) : `${name} (${email})`,
        })),
      ]}
      onValue={onValue}
    />
  )
}

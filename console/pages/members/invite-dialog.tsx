// Adds a member, and makes the link by which they come to an account.
import { useQuery } from '@tanstack/react-query'
import { input } from 'virtual:input/members.add'
import { useState, type ReactNode } from 'react'
import type { Member } from '#contract/members.ts'
import type { Role } from '#contract/roles.ts'
import { signInMethodsQuery } from '../../app/provider-sign-in.ts'
import { useForm } from '../../app/use-form.ts'
import { useChange } from '../../app/workspace.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogButtons, DialogForm } from '../../ui/dialog.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { TextField } from '../../ui/field.tsx'
import { Stack } from '../../ui/page.tsx'
import { InvitationLink, type Invitation } from './invitation-link.tsx'
import { RoleField } from './role-field.tsx'
import { texts } from './texts.ts'

type Invited = { readonly member: Member; readonly invitation: Invitation }

export function InviteDialog({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
}): ReactNode {
  const [invited, setInvited] = useState<Invited | null>(null)
  function close(): void {
    setInvited(null)
    onClose()
  }
  return (
    <Dialog
      isOpen={isOpen}
      title={invited === null ? texts.inviteMember : titleOf(invited)}
      // The link would be lost by a click beside it.
      isAlert={invited !== null}
      onClose={close}
    >
      {invited === null ? (
        <NewMember onInvited={setInvited} onCancel={close} />
      ) : (
        <Stack>
          <InvitationLink invitation={invited.invitation} member={invited.member} />
          <DialogButtons>
            <Button onClick={close}>{texts.done}</Button>
          </DialogButtons>
        </Stack>
      )}
    </Dialog>
  )
}

const titleOf = ({ member: { name }, invitation: { emailed } }: Invited): string =>
  emailed ? texts.invitationSentTo(name) : texts.invitationLinkFor(name)

const blank: { readonly name: string; readonly email: string; readonly role: Role } = {
  name: '',
  email: '',
  role: 'viewer',
}

function NewMember({
  onInvited,
  onCancel,
}: {
  readonly onInvited: (invited: Invited) => void
  readonly onCancel: () => void
}): ReactNode {
  const { mutateAsync: add } = useChange('members.add')
  const { mutateAsync: invite } = useChange('invitations.create')
  const sendsEmail = useQuery(signInMethodsQuery).data?.sendsEmail === true
  // If the link could not be created, the member exists already. The next attempt only creates the link.
  const [added, setAdded] = useState<Member | null>(null)
  const form = useForm({
    initial: blank,
    schema: input,
    send: async (values) => {
      const member = added ?? (await add({ ...values, name: values.name.trim(), email: values.email.trim() }))
      setAdded(member)
      onInvited({ member, invitation: await invite({ memberId: member.id }) })
    },
  })
  return (
    <DialogForm
      confirm={sendsEmail ? texts.sendInvitation : texts.createInvitationLink}
      isBusy={form.isBusy}
      onConfirm={form.send}
      onCancel={onCancel}
    >
      <TextField {...form.field('name')} label={texts.name} autoComplete="off" />
      <TextField
        {...form.field('email')}
        label={texts.email}
        type="email"
        autoComplete="off"
        hint={sendsEmail ? texts.theInvitationIsSentTo : texts.noEmailIsSentYou}
      />
      <RoleField value={form.values.role} onValue={(role) => form.set({ role })} />
      {form.failure && <FailureNotice failure={form.failure} />}
    </DialogForm>
  )
}

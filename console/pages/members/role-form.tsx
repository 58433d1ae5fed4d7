// The form to change the role of a member.
import { input } from 'virtual:input/members.update'
import type { ReactNode } from 'react'
import type { Member } from '#contract/members.ts'
import { roleWords } from '../../app/role-words.ts'
import { useForm } from '../../app/use-form.ts'
import { useChange } from '../../app/workspace.ts'
import { announce } from '../../ui/announcements.tsx'
import { Button } from '../../ui/button.tsx'
import { FailureNotice, Notice } from '../../ui/failure-notice.tsx'
import { Section, Stack } from '../../ui/page.tsx'
import { RoleField } from './role-field.tsx'
import { texts } from './texts.ts'

export function RoleForm({ member }: { readonly member: Member }): ReactNode {
  const { mutateAsync: update } = useChange('members.update')
  const form = useForm({
    initial: { id: member.id, role: member.role },
    schema: input,
    send: async (values) => {
      await update({ ...values, expectedVersion: member.version })
      announce(texts.roleOfChangedTo(member.name, roleWords[values.role].name))
    },
  })
  const isChanged = form.values.role !== member.role
  return (
    <Section title={texts.role}>
      <form ref={form.ref} onSubmit={(event) => form.submit(event)}>
        <Stack>
          <RoleField isLegendHidden value={form.values.role} onValue={(role) => form.set({ role })} />
          {isChanged && member.lastSeenAt !== null && <Notice tone="info" title={texts.theMemberIsSignedOut} />}
          {form.failure && <FailureNotice failure={form.failure} />}
          <div>
            <Button type="submit" variant="primary" isBusy={form.isBusy} disabled={!isChanged}>
              {texts.changeRole}
            </Button>
          </div>
        </Stack>
      </form>
    </Section>
  )
}

// Who made a webhook, and whose access it uses: the read access that it was granted with its event types, which goes on
// when that person or key is gone. Here it is revoked and granted again.
import { eventKinds } from 'virtual:event-kinds'
import { useState, type ReactNode } from 'react'
import type { Scope } from '#contract/scopes.ts'
import type { Actor } from '#contract/shared-fields.ts'
import type { Webhook } from '#contract/webhook-schema.ts'
import { codeOf } from '../../app/call.ts'
import { failureOf } from '../../app/failure.ts'
import { useAnswer, useChange, useWorkspace } from '../../app/workspace.ts'
import { announce } from '../../ui/announcements.tsx'
import { Tag } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { FailureNotice, Notice } from '../../ui/failure-notice.tsx'
import { Facts, Row, Section } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { isChosen } from './webhook-form.ts'
import css from './webhooks.module.css'
import { texts } from './texts.tsx'

type Props = { readonly webhook: Webhook; readonly mayWrite: boolean }

export function Access({ webhook, mayWrite }: Props): ReactNode {
  const [isAsking, setAsking] = useState(false)
  const { createdBy, grants } = webhook
  return (
    <Section
      title={texts.access}
      about={texts.aWebhookSendsOnlyWhat}
      actions={
        mayWrite &&
        grants.scopes.length > 0 && (
          <Button size="small" onClick={() => setAsking(true)}>
            {texts.revokeAccess}
          </Button>
        )
      }
    >
      <Lacking webhook={webhook} mayWrite={mayWrite} />
      <Facts
        facts={[
          { name: texts.createdBy, value: <Author {...createdBy} /> },
          { name: texts.accessGrantedBy, value: <Author {...grants.grantedBy} /> },
          { name: texts.granted, value: <RelativeTime at={grants.grantedAt} /> },
          { name: texts.canRead, value: <Scopes scopes={grants.scopes} />, isWide: true },
        ]}
      />
      <Dialog isOpen={isAsking} title={texts.revokeAccessOf(webhook.name)} onClose={() => setAsking(false)}>
        <Revoke webhook={webhook} onClose={() => setAsking(false)} />
      </Dialog>
    </Section>
  )
}

/** Says when the person is gone from the workspace. */
export function Author({ type, id, name }: Actor): ReactNode {
  const { may } = useWorkspace()
  const { error } = useAnswer('members.get', { id }, { enabled: type === 'user' && may('members:read') })
  if (type === 'api_key') return texts.key(name)
  return codeOf(error) === 'not_found' ? texts.removedMember(name) : name
}

const Scopes = ({ scopes }: { readonly scopes: readonly string[] }): ReactNode =>
  scopes.length === 0 ? (
    texts.nothing
  ) : (
    <span className={css.tags}>
      {scopes.map((scope) => (
        <Tag key={scope}>{scope}</Tag>
      ))}
    </span>
  )

/** The read scopes that its event types need, and that it was not granted or lost. */
const lackingIn = ({ eventTypes, grants }: Webhook): Scope[] => {
  const needed = eventKinds.flatMap(({ type, scope }) => (isChosen(eventTypes, type) ? [scope] : []))
  return [...new Set(needed)].filter((scope) => !grants.scopes.includes(scope))
}

function Lacking({ webhook, mayWrite }: Props): ReactNode {
  const lacking = lackingIn(webhook)
  const grant = useChange('webhooks.update')
  if (lacking.length === 0) return null
  const { id, name, eventTypes } = webhook
  return (
    <Notice tone="warn" title={texts.someOfTheEventTypes}>
      <p>{texts.theWebhookHasNoAccess(lacking.join(', '))}</p>
      {mayWrite && (
        <Row>
          <Button
            size="small"
            isBusy={grant.isPending}
            onClick={() =>
              grant.mutate(
                { id, eventTypes: [...eventTypes] },
                { onSuccess: () => announce(texts.accessGrantedTo(name)) },
              )
            }
          >
            {texts.grantAccess}
          </Button>
        </Row>
      )}
      {grant.error !== null && <FailureNotice failure={failureOf(grant.error)} />}
    </Notice>
  )
}

function Revoke({ webhook: { id, name, grants }, onClose }: { readonly webhook: Webhook; onClose(): void }): ReactNode {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(grants.scopes))
  const revoke = useChange('webhooks.revoke-grants', ['deliveries'])
  const toggle = (scope: string, isOn: boolean): void =>
    setChosen(isOn ? chosen.union(new Set([scope])) : chosen.difference(new Set([scope])))
  const confirmed = (): void =>
    revoke.mutate(
      // What was granted are read scopes.
      { id, scopes: [...chosen] as Scope[] },
      {
        onSuccess: () => {
          announce(texts.accessOfRevoked(name))
          onClose()
        },
      },
    )
  return (
    <DialogForm
      isDanger
      confirm={texts.revokeAccessNow}
      isBusy={revoke.isPending}
      isReady={chosen.size > 0}
      onConfirm={confirmed}
      onCancel={onClose}
    >
      <p>{texts.eventsThatNeedThisAccess}</p>
      {grants.scopes.map((scope) => (
        <Checkbox key={scope} label={scope} isChecked={chosen.has(scope)} onChecked={(isOn) => toggle(scope, isOn)} />
      ))}
      {revoke.error !== null && <FailureNotice failure={failureOf(revoke.error)} />}
    </DialogForm>
  )
}

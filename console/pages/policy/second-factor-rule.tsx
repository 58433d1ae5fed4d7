// The rule that members need two-factor authentication, with the members whom it would stop.
import { useState, type ReactNode } from 'react'
import type { StoppedMember } from '#contract/key-policy.ts'
import type { Workspace } from '#contract/workspaces.ts'
import { failureOf } from '../../app/failure.ts'
import { AnswerFailure } from '../../app/page-states.tsx'
import { useAnswer, useChange } from '../../app/workspace.ts'
import { announce } from '../../ui/announcements.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import type { Failure } from '../../ui/failure.ts'
import { FailureNotice, Notice } from '../../ui/failure-notice.tsx'
import { SelectField } from '../../ui/field.tsx'
import type { ListState } from '../../ui/list-state.ts'
import { dayText } from '../../ui/moment-text.ts'
import { Row, Section, Stack } from '../../ui/page.tsx'
import { graces } from './policy-form.ts'
import css from './policy.module.css'
import { isToCome } from './rule-words.ts'

type Rule = Pick<Workspace, 'id' | 'requireSecondFactor' | 'requireSecondFactorFrom'>
const usualGrace = '168'

const SecondFactorSection = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <Section
    title="Members"
    about="Members who sign in with single sign-on comply: the sign-in provider is responsible for their second factor."
  >
    {children}
  </Section>
)

export const SecondFactorFact = ({ requireSecondFactor }: Rule): ReactNode => (
  <SecondFactorSection>
    <p>
      Two-factor authentication:{' '}
      <Badge tone={requireSecondFactor ? 'good' : 'neutral'}>{requireSecondFactor ? 'Required' : 'Not required'}</Badge>
    </p>
  </SecondFactorSection>
)

export function SecondFactorRule({ id, requireSecondFactor, requireSecondFactorFrom: from }: Rule): ReactNode {
  const [isRequired, setRequired] = useState(requireSecondFactor)
  const [grace, setGrace] = useState(usualGrace)
  const [failure, setFailure] = useState<Failure | null>(null)
  const { mutateAsync: update, isPending } = useChange('workspaces.update')
  const isChanged = isRequired !== requireSecondFactor
  const isTighter = isChanged && isRequired
  const asked = { id, requireSecondFactor: isRequired, ...(isTighter && { policyGraceHours: Number(grace) }) }
  const preview = useAnswer('workspaces.update', { ...asked, dryRun: true }, { keepsPrevious: true })
  async function save(): Promise<void> {
    setFailure(null)
    try {
      await update(asked)
      announce('Policy saved')
    } catch (error) {
      setFailure(failureOf(error))
    }
  }
  return (
    <SecondFactorSection>
      <Stack>
        <Checkbox
          label={<span className={css.title}>Require two-factor authentication</span>}
          hint="Members without it can only set it up. They cannot see or change anything else in this workspace."
          isChecked={isRequired}
          onChecked={setRequired}
        />
        {isTighter && (
          <div className={css.grace}>
            <SelectField label="Grace period for members" value={grace} choices={graces} onValue={setGrace} />
          </div>
        )}
        {!isChanged && from !== null && isToCome(from) && (
          <p className={css.about}>Grace period for members ends on {dayText(new Date(from))}</p>
        )}
        {preview.error !== null && <AnswerFailure error={preview.error} retry={() => void preview.refetch()} />}
        {isRequired && preview.data?.policyPreview !== undefined && (
          <StoppedMembers {...preview.data.policyPreview} isChanged={isChanged} />
        )}
        {failure && <FailureNotice failure={failure} />}
        <Row>
          <Button variant="primary" isBusy={isPending} disabled={!isChanged} onClick={() => void save()}>
            Save member policy
          </Button>
        </Row>
      </Stack>
    </SecondFactorSection>
  )
}

function StoppedMembers({
  members,
  stoppedMembers,
  isChanged,
}: {
  readonly members: number
  readonly stoppedMembers: readonly StoppedMember[]
  readonly isChanged: boolean
}): ReactNode {
  const counted = members === 1 ? '1 member' : `${members} members`
  return (
    <div aria-live="polite">
      <Stack>
        {members > 0 && (
          <Notice tone="warn" title={`This ${isChanged ? 'change' : 'policy'} affects ${counted}`}>
            <p>
              They have no two-factor authentication.
              {stoppedMembers.length < members && ` The first ${stoppedMembers.length} are listed.`}
            </p>
          </Notice>
        )}
        <DataTable
          label="List of affected members"
          columns={columns}
          state={stateOf(stoppedMembers)}
          idOf={({ id }) => id}
          empty={
            <EmptyState
              icon="check"
              title="All members comply"
              text="All members have two-factor authentication or sign in with single sign-on."
            />
          }
        />
      </Stack>
    </div>
  )
}

const stateOf = (stopped: readonly StoppedMember[]): ListState<StoppedMember> =>
  stopped.length === 0 ? { kind: 'empty' } : { kind: 'rows', rows: stopped, more: null }

const columns: readonly Column<StoppedMember>[] = [
  { head: 'Member', cell: ({ name }) => name },
  {
    head: 'Access denied from',
    cell: ({ refused, from }) =>
      refused ? (
        <Badge tone="bad">Already denied</Badge>
      ) : isToCome(from) ? (
        dayText(new Date(from))
      ) : (
        <Badge tone="warn">Immediately</Badge>
      ),
  },
]

// The rule that members need two-factor authentication, with the members whom it would stop.
import { useState, type ReactNode } from 'react'
import type { StoppedMember } from '#contract/key-policy.ts'
import type { Workspace } from '#contract/workspaces.ts'
import { failureOf } from '../../app/failure.ts'
import { AnswerFailure } from '../../app/page-states.tsx'
import { useAnswer, useChange, useWorkspace } from '../../app/workspace.ts'
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
import { texts } from './texts.ts'

type Rule = Pick<Workspace, 'id' | 'requireSecondFactor' | 'requireSecondFactorFrom'>
const usualGrace = '168'

const SecondFactorSection = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <Section title={texts.members} about={texts.membersWhoSignInWith}>
    {children}
  </Section>
)

export const SecondFactorFact = ({ requireSecondFactor }: Rule): ReactNode => (
  <SecondFactorSection>
    <p>
      {texts.twoFactorAuthentication}
      <Badge tone={requireSecondFactor ? 'good' : 'neutral'}>
        {requireSecondFactor ? texts.required : texts.notRequired}
      </Badge>
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
      announce(texts.policySaved)
    } catch (error) {
      setFailure(failureOf(error))
    }
  }
  return (
    <SecondFactorSection>
      <Stack>
        <Checkbox
          label={<span className={css.title}>{texts.requireTwoFactorAuthentication}</span>}
          hint={texts.membersWithoutItCanOnly}
          isChecked={isRequired}
          onChecked={setRequired}
        />
        {isTighter && (
          <div className={css.grace}>
            <SelectField label={texts.gracePeriodForMembers} value={grace} choices={graces} onValue={setGrace} />
          </div>
        )}
        {!isChanged && from !== null && isToCome(from) && (
          <p className={css.about}>{texts.gracePeriodForMembersEnds(dayText(new Date(from)))}</p>
        )}
        {preview.error !== null && <AnswerFailure error={preview.error} retry={() => void preview.refetch()} />}
        {isRequired && preview.data?.policyPreview !== undefined && (
          <StoppedMembers {...preview.data.policyPreview} isChanged={isChanged} />
        )}
        {failure && <FailureNotice failure={failure} />}
        <Row>
          <Button variant="primary" isBusy={isPending} disabled={!isChanged} onClick={() => void save()}>
            {texts.saveMemberPolicy}
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
  const ownId = useWorkspace().member?.memberId
  const counted = members === 1 ? texts.oneMember : texts.secondFactorRuleMembers(members)
  return (
    <div aria-live="polite">
      <Stack>
        {members > 0 && (
          <Notice tone="warn" title={texts.thisAffects(isChanged, counted)}>
            <p>
              {texts.theyHaveNoTwoFactor}
              {stoppedMembers.length < members && texts.theFirstAreListed(stoppedMembers.length)}
              {stoppedMembers.some(({ id }) => id === ownId) && texts.youAreAmongThem}
            </p>
          </Notice>
        )}
        <DataTable
          label={texts.listOfAffectedMembers}
          columns={columns(ownId)}
          state={stateOf(stoppedMembers)}
          idOf={({ id }) => id}
          empty={<EmptyState icon="check" title={texts.allMembersComply} text={texts.allMembersHaveTwoFactor} />}
        />
      </Stack>
    </div>
  )
}

const stateOf = (stopped: readonly StoppedMember[]): ListState<StoppedMember> =>
  stopped.length === 0 ? { kind: 'empty' } : { kind: 'rows', rows: stopped, more: null }

const columns = (ownId: string | undefined): readonly Column<StoppedMember>[] => [
  { head: texts.member, cell: ({ id, name }) => (id === ownId ? texts.yourself(name) : name) },
  {
    head: texts.accessDeniedFrom,
    cell: ({ refused, from }) =>
      refused ? (
        <Badge tone="bad">{texts.alreadyDenied}</Badge>
      ) : isToCome(from) ? (
        dayText(new Date(from))
      ) : (
        <Badge tone="warn">{texts.immediately}</Badge>
      ),
  },
]

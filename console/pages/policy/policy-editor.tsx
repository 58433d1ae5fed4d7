import { input } from 'virtual:input/workspaces.update'
import type { ReactNode } from 'react'
import type { Workspace } from '#contract/workspaces.ts'
import { useForm } from '../../app/use-form.ts'
import { useChange } from '../../app/workspace.ts'
import { announce } from '../../ui/announcements.tsx'
import { Button } from '../../ui/button.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Row, Section } from '../../ui/page.tsx'
import { changesIn, formOf, graces, isTighter, policyInput, policyMistakes } from './policy-form.ts'
import css from './policy.module.css'
import { RuleFields } from './rule-fields.tsx'
import { StoppedKeys } from './stopped-keys.tsx'
import { usePreview } from './use-preview.ts'
import { texts } from './texts.ts'

export function PolicyEditor({
  workspace: { id, apiPolicy, apiPolicyFrom },
}: {
  readonly workspace: Workspace
}): ReactNode {
  // A key shows which rules refuse it.
  const { mutateAsync: update } = useChange('workspaces.update', ['api-keys'])
  const form = useForm({
    initial: formOf(apiPolicy),
    schema: input,
    inputOf: (values) => policyInput(id, values, apiPolicy),
    check: policyMistakes,
    send: async (values) => {
      const saved = await update(policyInput(id, values, apiPolicy))
      form.set(formOf(saved.apiPolicy))
      announce(texts.policySaved)
    },
  })
  const preview = usePreview(id, form.values, apiPolicy)
  const changes = changesIn(form.values, apiPolicy)
  const isChanged = Object.keys(changes).length > 0
  const keys = preview.shown?.keys ?? 0
  return (
    <form ref={form.ref} className={css.editor} noValidate onSubmit={(event) => form.submit(event)}>
      <Section title={texts.apiKeys}>
        <RuleFields form={form} from={apiPolicyFrom} preview={preview} />
      </Section>
      {isTighter(changes, apiPolicy) && (
        <Section title={texts.existingKeys} about={texts.newKeysMustComplyImmediately}>
          <div className={css.grace}>
            <SelectField
              label={texts.gracePeriod}
              value={form.values.grace}
              choices={graces}
              onValue={(grace) => form.set({ grace })}
            />
          </div>
        </Section>
      )}
      <StoppedKeys preview={preview} isChanged={isChanged} />
      {form.failure && <FailureNotice failure={form.failure} />}
      <div className={css.save}>
        <Row>
          <Button type="submit" variant="primary" isBusy={form.isBusy} disabled={!isChanged}>
            {texts.savePolicy}
          </Button>
          <Button variant="quiet" disabled={!isChanged} onClick={() => form.set(formOf(apiPolicy))}>
            {texts.discardChanges}
          </Button>
          {isChanged && keys > 0 && <span aria-busy={!preview.isCurrent}>{texts.keysAffected(keys)}</span>}
        </Row>
      </div>
    </form>
  )
}

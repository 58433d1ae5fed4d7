// The name of the workspace; the time zone, currency and country that apply where a value has none of its own; whether
// uploaded files wait for a virus scanner; and its sandboxes.
import { input } from 'virtual:input/workspaces.update'
import type { ReactNode } from 'react'
import type { Workspace } from '#contract/workspaces.ts'
import { AnswerFailure } from '../../app/page-states.tsx'
import { useForm, type Form as FormState } from '../../app/use-form.ts'
import { useAnswer, useChange, useWorkspace } from '../../app/workspace.ts'
import { announce } from '../../ui/announcements.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { FailureNotice, Notice } from '../../ui/failure-notice.tsx'
import { TextField } from '../../ui/field.tsx'
import { Page, Row, Section } from '../../ui/page.tsx'
import css from './general-page.module.css'
import { Notifications } from './notifications.tsx'
import { Sandboxes } from './sandboxes.tsx'
import { texts } from './texts.ts'

export function GeneralPage(): ReactNode {
  const { id, may } = useWorkspace()
  const { data, error, refetch } = useAnswer('workspaces.get', { id })
  return (
    <Page title={texts.general} guide="/docs/limits" about={texts.theNameOfThisWorkspace}>
      {data !== undefined && (
        <>
          <GeneralForm key={data.version} workspace={data} canChange={may('workspaces:write')} />
          <Notifications canChange={may('workspaces:write')} />
          <Sandboxes workspace={data} canChange={may('workspaces:write')} />
        </>
      )}
      {data === undefined && error === null && <div className={css.loading} role="status" aria-label={texts.loading} />}
      {data === undefined && error !== null && <AnswerFailure error={error} retry={() => void refetch()} />}
    </Page>
  )
}

type Shown = Pick<
  Workspace,
  'id' | 'version' | 'name' | 'timeZone' | 'defaultCurrency' | 'defaultCountry' | 'holdFiles'
>
type Values = {
  readonly name: string
  readonly timeZone: string
  readonly defaultCurrency: string
  /** Empty: none. */
  readonly defaultCountry: string
  readonly holdFiles: boolean
}

const valuesOf = ({ name, timeZone, defaultCurrency, defaultCountry, holdFiles }: Shown): Values => ({
  name,
  timeZone,
  defaultCurrency,
  defaultCountry: defaultCountry ?? '',
  holdFiles,
})

/**
 * The changes to send. Codes are written in capitals. `holdFiles` is sent only when it changes, since the password is
 * asked for then.
 */
const inputOf = ({ name, timeZone, defaultCurrency, defaultCountry, holdFiles }: Values, before: Values) => ({
  name,
  timeZone,
  defaultCurrency: defaultCurrency.trim().toUpperCase(),
  defaultCountry: defaultCountry.trim() === '' ? null : defaultCountry.trim().toUpperCase(),
  ...(holdFiles !== before.holdFiles && { holdFiles }),
})

function GeneralForm({ workspace, canChange }: { readonly workspace: Shown; readonly canChange: boolean }): ReactNode {
  const { mutateAsync: update } = useChange('workspaces.update')
  const { id, version } = workspace
  const before = valuesOf(workspace)
  const form = useForm({
    initial: before,
    schema: input,
    inputOf: (values) => ({ id, ...inputOf(values, before) }),
    send: async (values) => {
      await update({ id, expectedVersion: version, ...inputOf(values, before) })
      announce(texts.settingsSaved)
    },
  })
  const isChanged = JSON.stringify(inputOf(form.values, before)) !== JSON.stringify(inputOf(before, before))
  return (
    <form ref={form.ref} className={css.form} noValidate onSubmit={(event) => form.submit(event)}>
      {!canChange && (
        <Notice tone="info" title={texts.youCanViewTheseSettings}>
          <p>{texts.onlyAdminsAndOwnersCan}</p>
        </Notice>
      )}
      <fieldset className={css.fields} disabled={!canChange}>
        <GeneralFields form={form} />
      </fieldset>
      {form.failure && <FailureNotice failure={form.failure} />}
      {canChange && (
        <Row>
          <Button type="submit" variant="primary" isBusy={form.isBusy} disabled={!isChanged}>
            {texts.saveChanges}
          </Button>
          <Button variant="quiet" disabled={!isChanged} onClick={() => form.set(before)}>
            {texts.discardChanges}
          </Button>
        </Row>
      )}
    </form>
  )
}

const GeneralFields = ({ form }: { readonly form: FormState<Values> }): ReactNode => (
  <>
    <Section title={texts.workspace}>
      <TextField label={texts.name} {...form.field('name')} />
      <TextField
        label={texts.timeZone}
        placeholder={texts.europeBerlin}
        hint={texts.anIanaTimeZoneSuch}
        {...form.field('timeZone')}
      />
    </Section>
    <Section title={texts.defaults}>
      <TextField label={texts.currency} placeholder={texts.eur} maxLength={3} {...form.field('defaultCurrency')} />
      <TextField
        isOptional
        label={texts.country}
        placeholder={texts.de}
        maxLength={2}
        hint={countryHint(form.values.defaultCountry)}
        {...form.field('defaultCountry')}
      />
    </Section>
    <Section title={texts.files}>
      <Checkbox
        label={texts.holdUploadedFilesForA}
        hint={texts.nobodyCanReadANew}
        isChecked={form.values.holdFiles}
        onChecked={(holdFiles) => form.set({ holdFiles })}
      />
    </Section>
  </>
)

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** Says which country the code stands for, as soon as it stands for one. */
function countryHint(code: string): string {
  const about = texts.usedForPhoneNumbersWithout
  const name = /^[A-Z]{2}$/i.test(code) ? countries.of(code.toUpperCase()) : undefined
  return name === undefined ? about : `${name}. ${about}`
}

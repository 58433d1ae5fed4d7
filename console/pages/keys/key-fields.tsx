// The fields of a key, for a new one and for one that is changed.
import type { ReactNode } from 'react'
import { toolNamesChoices, type ToolNames } from '#contract/surface.ts'
import { useSession } from '../../app/session.ts'
import type { Form as FormState } from '../../app/use-form.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { FieldGroup } from '../../ui/field-group.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { dayText } from '../../ui/moment-text.ts'
import { Row, Section } from '../../ui/page.tsx'
import { AccessFields } from './access-fields.tsx'
import { AddressField } from './address-field.tsx'
import { expiresAt, expiries, rotateBy, type Expiry, type KeyForm } from './key-form.ts'
import { OwnerField } from './owner-field.tsx'
import { texts } from './texts.tsx'

type Part = { readonly form: FormState<KeyForm> }

/** `nowMs`: from when on spans count. */
export const KeyFields = ({
  form,
  isNew,
  nowMs,
}: Part & { readonly isNew: boolean; readonly nowMs: number }): ReactNode => (
  <>
    <Naming form={form} />
    <Section title={texts.scopes} about={texts.thePermissionsOfTheKey}>
      <AccessFields values={form.values} mistake={form.mistakes['scopes']} onChange={form.set} />
    </Section>
    <Limits form={form} nowMs={nowMs} />
    <Rate form={form} />
    <Addresses form={form} isNew={isNew} />
  </>
)

const Naming = ({ form: { values, mistakes, set } }: Part): ReactNode => (
  <Section title={texts.general}>
    <TextField
      label={texts.name}
      hint={texts.theProgramThatUsesThe}
      value={values.name}
      mistake={mistakes['name']}
      autoComplete="off"
      onValue={(name) => set({ name })}
    />
    <TextField
      isOptional
      label={texts.description}
      value={values.description}
      mistake={mistakes['description']}
      autoComplete="off"
      onValue={(description) => set({ description })}
    />
    <OwnerField value={values.ownerId} mistake={mistakes['ownerId']} onValue={(ownerId) => set({ ownerId })} />
  </Section>
)

const expiryNames: Readonly<Record<Expiry, string>> = {
  never: texts.never,
  '30': 'In 30 days',
  '90': 'In 90 days',
  '365': 'In 1 year',
  date: texts.onACustomDate,
}
const toolNamesTexts: Readonly<Record<ToolNames, string>> = {
  auto: texts.automaticDependingOnTheClient,
  dots: texts.withDotsSuchAsTasks,
  underscores: texts.withUnderscoresSuchAsTasks,
}
const toolNamesOptions = toolNamesChoices.map((value) => ({ value, label: toolNamesTexts[value] }))

const expiryChoices = expiries.map((value) => ({ value, label: expiryNames[value] }))

function Limits({ form: { values, mistakes, set }, nowMs }: Part & { readonly nowMs: number }): ReactNode {
  const until = expiresAt(values, nowMs)
  const due = rotateBy(values.maxAge, nowMs)
  return (
    <Section title={texts.limits}>
      <FieldGroup legend={texts.surfaces} hint={mistakes['http']}>
        <Row>
          <Checkbox label={texts.httpApi} isChecked={values.http} onChecked={(http) => set({ http })} />
          <Checkbox label={texts.mcpAiAssistants} isChecked={values.mcp} onChecked={(mcp) => set({ mcp })} />
        </Row>
      </FieldGroup>
      {values.mcp && (
        <SelectField
          label={texts.mcpToolNames}
          value={values.toolNames}
          choices={toolNamesOptions}
          hint={texts.changeThisOnlyIfA}
          // The value is one of the choices.
          onValue={(toolNames) => set({ toolNames: toolNames as ToolNames })}
        />
      )}
      <SelectField
        label={texts.expires}
        value={values.expiry}
        choices={expiryChoices}
        mistake={mistakes['expiry']}
        hint={until === null ? texts.theKeyWorksUntilIt : texts.theKeyExpiresOn(dayText(until))}
        // The value is one of the choices.
        onValue={(expiry) => set({ expiry: expiry as Expiry })}
      />
      {values.expiry === 'date' && (
        <TextField
          type="date"
          label={texts.expirationDate}
          value={values.expiryDate}
          mistake={mistakes['expiryDate']}
          onValue={(expiryDate) => set({ expiryDate })}
        />
      )}
      <TextField
        isOptional
        label={texts.maximumSecretAgeDays}
        inputMode="numeric"
        value={values.maxAge}
        mistake={mistakes['maxAge']}
        hint={due === null ? texts.leaveEmptyIfTheSecret : texts.aSecretCreatedTodayMust(dayText(due))}
        onValue={(maxAge) => set({ maxAge })}
      />
    </Section>
  )
}

const Rate = ({ form: { values, mistakes, set } }: Part): ReactNode => (
  <Section title={texts.rateLimit} about={texts.leaveBothEmptyToUse}>
    <TextField
      isOptional
      label={texts.requestsPerMinute}
      inputMode="numeric"
      value={values.perMinute}
      mistake={mistakes['perMinute']}
      onValue={(perMinute) => set({ perMinute })}
    />
    <TextField
      isOptional
      label={texts.burstRequestsAtOnce}
      inputMode="numeric"
      value={values.burst}
      mistake={mistakes['burst']}
      onValue={(burst) => set({ burst })}
    />
  </Section>
)

function Addresses({ form: { values, mistakes, set }, isNew }: Part & { readonly isNew: boolean }): ReactNode {
  const { ip } = useSession()
  return (
    <Section title={texts.ipAllowlist}>
      <AddressField
        value={values.ipAllowlist}
        mistake={mistakes['ipAllowlist']}
        ownAddress={ip}
        isTriedNext={isNew && values.http}
        onValue={(ipAllowlist) => set({ ipAllowlist })}
      />
    </Section>
  )
}

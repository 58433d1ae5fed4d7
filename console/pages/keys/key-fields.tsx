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

type Part = { readonly form: FormState<KeyForm> }

/** `nowMs`: from when on spans count. */
export const KeyFields = ({ form, nowMs }: Part & { readonly nowMs: number }): ReactNode => (
  <>
    <Naming form={form} />
    <Section title="Scopes" about="The permissions of the key in this workspace. The key has no other permissions.">
      <AccessFields values={form.values} mistake={form.mistakes['scopes']} onChange={form.set} />
    </Section>
    <Limits form={form} nowMs={nowMs} />
    <Rate form={form} />
    <Addresses form={form} />
  </>
)

const Naming = ({ form: { values, mistakes, set } }: Part): ReactNode => (
  <Section title="General">
    <TextField
      label="Name"
      hint="The program that uses the key, such as “CRM import”. The name is shown in the audit log."
      value={values.name}
      mistake={mistakes['name']}
      autoComplete="off"
      onValue={(name) => set({ name })}
    />
    <TextField
      isOptional
      label="Description"
      value={values.description}
      mistake={mistakes['description']}
      autoComplete="off"
      onValue={(description) => set({ description })}
    />
    <OwnerField value={values.ownerId} mistake={mistakes['ownerId']} onValue={(ownerId) => set({ ownerId })} />
  </Section>
)

const expiryNames: Readonly<Record<Expiry, string>> = {
  never: 'Never',
  '30': 'In 30 days',
  '90': 'In 90 days',
  '365': 'In 1 year',
  date: 'On a custom date',
}
const toolNamesTexts: Readonly<Record<ToolNames, string>> = {
  auto: 'Automatic, depending on the client',
  dots: 'With dots, such as tasks.list',
  underscores: 'With underscores, such as tasks_list',
}
const toolNamesOptions = toolNamesChoices.map((value) => ({ value, label: toolNamesTexts[value] }))

const expiryChoices = expiries.map((value) => ({ value, label: expiryNames[value] }))

function Limits({ form: { values, mistakes, set }, nowMs }: Part & { readonly nowMs: number }): ReactNode {
  const until = expiresAt(values, nowMs)
  const due = rotateBy(values.maxAge, nowMs)
  return (
    <Section title="Limits">
      <FieldGroup legend="Surfaces" hint={mistakes['http']}>
        <Row>
          <Checkbox label="HTTP API" isChecked={values.http} onChecked={(http) => set({ http })} />
          <Checkbox label="MCP (AI assistants)" isChecked={values.mcp} onChecked={(mcp) => set({ mcp })} />
        </Row>
      </FieldGroup>
      {values.mcp && (
        <SelectField
          label="MCP tool names"
          value={values.toolNames}
          choices={toolNamesOptions}
          hint="Change this only if a client lists no tools or shows wrong names."
          // The value is one of the choices.
          onValue={(toolNames) => set({ toolNames: toolNames as ToolNames })}
        />
      )}
      <SelectField
        label="Expires"
        value={values.expiry}
        choices={expiryChoices}
        mistake={mistakes['expiry']}
        hint={until === null ? 'The key works until it is revoked.' : `The key expires on ${dayText(until)}.`}
        // The value is one of the choices.
        onValue={(expiry) => set({ expiry: expiry as Expiry })}
      />
      {values.expiry === 'date' && (
        <TextField
          type="date"
          label="Expiration date"
          value={values.expiryDate}
          mistake={mistakes['expiryDate']}
          onValue={(expiryDate) => set({ expiryDate })}
        />
      )}
      <TextField
        isOptional
        label="Maximum secret age (days)"
        inputMode="numeric"
        value={values.maxAge}
        mistake={mistakes['maxAge']}
        hint={
          due === null
            ? 'Leave empty if the secret does not need to be rotated.'
            : `A secret created today must be rotated by ${dayText(due)}.`
        }
        onValue={(maxAge) => set({ maxAge })}
      />
    </Section>
  )
}

const Rate = ({ form: { values, mistakes, set } }: Part): ReactNode => (
  <Section
    title="Rate limit"
    about="Leave both empty to use the default limit. The rate limit of the workspace always applies as well."
  >
    <TextField
      isOptional
      label="Requests per minute"
      inputMode="numeric"
      value={values.perMinute}
      mistake={mistakes['perMinute']}
      onValue={(perMinute) => set({ perMinute })}
    />
    <TextField
      isOptional
      label="Burst (requests at once)"
      inputMode="numeric"
      value={values.burst}
      mistake={mistakes['burst']}
      onValue={(burst) => set({ burst })}
    />
  </Section>
)

function Addresses({ form: { values, mistakes, set } }: Part): ReactNode {
  const { ip } = useSession()
  return (
    <Section title="IP allowlist">
      <AddressField
        value={values.ipAllowlist}
        mistake={mistakes['ipAllowlist']}
        ownAddress={ip}
        onValue={(ipAllowlist) => set({ ipAllowlist })}
      />
    </Section>
  )
}

// The fields of a webhook, for a new one and for one that is changed.
import type { ReactNode } from 'react'
import type { Form as FormState } from '../../app/use-form.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { FieldGroup } from '../../ui/field-group.tsx'
import { SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { Row, Section } from '../../ui/page.tsx'
import { EventPicker } from './event-picker.tsx'
import { IgnoredKeysField } from './ignored-keys.tsx'
import { useCheckedUrl, type UrlCheck } from './use-checked-url.ts'
import { crmKinds, type WebhookValues } from './webhook-form.ts'

type Part = { readonly form: Pick<FormState<WebhookValues>, 'values' | 'mistakes' | 'set'> }

/** `moved`: what follows from another host, shown beside the address. `headers`: in place of the field for them. */
export const WebhookFields = ({
  form,
  moved,
  headers,
}: Part & { readonly moved?: ReactNode; readonly headers?: ReactNode }): ReactNode => (
  <>
    <WhereTo form={form} moved={moved} />
    <WhatOf form={form} />
    <Filter form={form} />
    <Pace form={form} />
    <Section title="Headers" about="Sent with every delivery. Their values can be written, never read again.">
      {headers ?? <HeadersField form={form} />}
    </Section>
  </>
)

function WhereTo({ form: { values, mistakes, set }, moved }: Part & { readonly moved: ReactNode }): ReactNode {
  const check = useCheckedUrl(values.url)
  return (
    <Section title="Where to">
      <TextField label="Name" value={values.name} mistake={mistakes['name']} onValue={(name) => set({ name })} />
      <TextField
        label="Address"
        type="url"
        inputMode="url"
        placeholder="https://hooks.acme.example/workspace"
        value={values.url}
        mistake={mistakes['url'] ?? (check.kind === 'bad' ? check.problem : undefined)}
        hint={<span aria-live="polite">{urlHint(check)}</span>}
        onValue={(url) => set({ url })}
      />
      {moved}
    </Section>
  )
}

const urlHints: Readonly<Record<Exclude<UrlCheck['kind'], 'good'>, string>> = {
  none: 'https, on a public address. It gets a POST for each event, with a signature.',
  checking: 'Checking…',
  bad: '',
}

const urlHint = (check: UrlCheck): string =>
  check.kind === 'good' ? `May be used. It is called as ${check.url}` : urlHints[check.kind]

const WhatOf = ({ form: { values, mistakes, set } }: Part): ReactNode => (
  <Section title="What of">
    <SelectField
      label="Form"
      value={values.payload}
      choices={[
        { value: 'full', label: 'Full: the object and what has changed' },
        { value: 'thin', label: 'Thin: only what happened to which object' },
      ]}
      onValue={(payload) => set({ payload: payload === 'thin' ? 'thin' : 'full' })}
    />
    <EventPicker
      patterns={values.eventTypes}
      payload={values.payload}
      mistake={mistakes['eventTypes']}
      onPatterns={(eventTypes) => set({ eventTypes })}
    />
  </Section>
)

const kindNames: Readonly<Record<(typeof crmKinds)[number], string>> = {
  company: 'Companies',
  contact: 'Contacts',
  deal: 'Deals',
}

const Filter = ({ form: { values, mistakes, set } }: Part): ReactNode => (
  <Section title="Only some of them" about="May all stay empty.">
    <TextField
      isOptional
      label="Of updates, only those of these fields"
      placeholder="status, assigneeIds"
      hint="With commas between. Holds for events such as tasks.updated; other kinds are delivered all the same."
      value={values.changedFields}
      mistake={mistakes['filter']}
      onValue={(changedFields) => set({ changedFields })}
    />
    <TextField
      isOptional
      label="Only of these projects"
      placeholder="WEB"
      hint="Keys or ids, with commas between."
      value={values.projectIds}
      onValue={(projectIds) => set({ projectIds })}
    />
    <FieldGroup legend="Only CRM entities of these kinds">
      <Row>
        {crmKinds.map((kind) => (
          <Checkbox
            key={kind}
            label={kindNames[kind]}
            isChecked={values.kinds.includes(kind)}
            onChecked={(isOn) =>
              set({ kinds: crmKinds.filter((each) => (each === kind ? isOn : values.kinds.includes(each))) })
            }
          />
        ))}
      </Row>
    </FieldGroup>
    <IgnoredKeysField
      ids={values.ignoredKeyIds}
      mistake={mistakes['ignoredKeyIds']}
      onIds={(ignoredKeyIds) => set({ ignoredKeyIds })}
    />
  </Section>
)

const Pace = ({ form: { values, mistakes, set } }: Part): ReactNode => (
  <Section title="In which order, how fast">
    <SelectField
      label="Order"
      value={values.order}
      choices={[
        { value: 'none', label: 'None: beside each other, as fast as it answers' },
        { value: 'object', label: 'Of each object: changes of one object one after the other' },
        { value: 'webhook', label: 'Of all: one after the other' },
      ]}
      hint={
        values.order === 'none' ? undefined : 'One that fails holds those behind it, for as long as it is tried again.'
      }
      onValue={(order) => set({ order: order === 'webhook' || order === 'object' ? order : 'none' })}
    />
    <TextField
      isOptional
      label="Deliveries a minute"
      inputMode="numeric"
      placeholder="60"
      hint="No more than these are sent, tries and replays together; the others wait. Empty: as fast as it answers."
      value={values.maxPerMinute}
      mistake={mistakes['maxPerMinute']}
      onValue={(maxPerMinute) => set({ maxPerMinute })}
    />
  </Section>
)

export const HeadersField = ({ form: { values, mistakes, set } }: Part): ReactNode => (
  <TextArea
    isOptional
    isCode
    label="Headers of your own"
    placeholder="x-tenant: acme"
    hint="One in a line, at most 20."
    value={values.headers}
    mistake={mistakes['headers']}
    onValue={(headers) => set({ headers })}
  />
)

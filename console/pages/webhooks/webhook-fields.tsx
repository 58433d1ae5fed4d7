// The fields of a webhook, for a new one and for one that is changed.
import type { ReactNode } from 'react'
import { inspectorUrl } from '#contract/inspector.ts'
import type { Form as FormState } from '../../app/use-form.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { FieldGroup } from '../../ui/field-group.tsx'
import { SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { Row, Section } from '../../ui/page.tsx'
import { ConditionsField } from './conditions-field.tsx'
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
    <Section
      title="Headers"
      about="Custom headers are sent with each delivery. The values cannot be viewed after saving."
    >
      {headers ?? <HeadersField form={form} />}
    </Section>
  </>
)

function WhereTo({ form: { values, mistakes, set }, moved }: Part & { readonly moved: ReactNode }): ReactNode {
  const check = useCheckedUrl(values.url)
  return (
    <Section title="Endpoint">
      <TextField label="Name" value={values.name} mistake={mistakes['name']} onValue={(name) => set({ name })} />
      <TextField
        label="Endpoint URL"
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
  none: `A public HTTPS URL. Each event is sent to it as a signed POST request. In a sandbox, you can also enter ${inspectorUrl} to view the requests here.`,
  checking: 'Checking…',
  bad: '',
}

const urlHint = (check: UrlCheck): string =>
  check.kind === 'good' ? `This URL can be used. Requests are sent to ${check.url}` : urlHints[check.kind]

const WhatOf = ({ form: { values, mistakes, set } }: Part): ReactNode => (
  <Section title="Events">
    <SelectField
      label="Payload"
      value={values.payload}
      choices={[
        { value: 'full', label: 'Full: with the object and its changes' },
        { value: 'thin', label: 'Thin: only the event type and the object ID' },
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
  <Section title="Filters" about="All filters are optional.">
    <TextField
      isOptional
      label="Changed fields"
      placeholder="status, assigneeIds"
      hint="Separate fields with commas. Applies to update events such as tasks.updated. Other events are always sent."
      value={values.changedFields}
      mistake={mistakes['filter']}
      onValue={(changedFields) => set({ changedFields })}
    />
    <TextField
      isOptional
      label="Projects"
      placeholder="WEB"
      hint="Separate project keys or IDs with commas."
      value={values.projectIds}
      onValue={(projectIds) => set({ projectIds })}
    />
    <FieldGroup legend="CRM entity kinds">
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
    <ConditionsField
      conditions={values.conditions}
      showsMistakes={mistakes['conditions'] !== undefined}
      onConditions={(conditions) => set({ conditions })}
    />
    <IgnoredKeysField
      ids={values.ignoredKeyIds}
      mistake={mistakes['ignoredKeyIds']}
      onIds={(ignoredKeyIds) => set({ ignoredKeyIds })}
    />
    <Checkbox
      label="Include events of objects that are imported from another system"
      isChecked={values.includeImports}
      onChecked={(includeImports) => set({ includeImports })}
    />
  </Section>
)

const Pace = ({ form: { values, mistakes, set } }: Part): ReactNode => (
  <Section title="Order and rate">
    <SelectField
      label="Order"
      value={values.order}
      choices={[
        { value: 'none', label: 'None: deliveries are sent in parallel' },
        { value: 'object', label: 'Per object: events of the same object are sent in order' },
        { value: 'webhook', label: 'Strict: all events are sent in order' },
      ]}
      hint={
        values.order === 'none' ? undefined : 'A failed delivery holds back later deliveries until its last attempt.'
      }
      onValue={(order) => set({ order: order === 'webhook' || order === 'object' ? order : 'none' })}
    />
    <TextField
      isOptional
      label="Deliveries per minute"
      inputMode="numeric"
      placeholder="60"
      hint="The maximum, including retries and resends. Other deliveries wait. Leave empty for no limit."
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
    label="Custom headers"
    placeholder="x-tenant: acme"
    hint="Enter one header per line, at most 20."
    value={values.headers}
    mistake={mistakes['headers']}
    onValue={(headers) => set({ headers })}
  />
)

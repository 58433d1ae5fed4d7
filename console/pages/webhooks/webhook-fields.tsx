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
import { texts } from './texts.tsx'

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
    <Section title={texts.headers} about={texts.customHeadersAreSentWith}>
      {headers ?? <HeadersField form={form} />}
    </Section>
  </>
)

function WhereTo({ form: { values, mistakes, set }, moved }: Part & { readonly moved: ReactNode }): ReactNode {
  const check = useCheckedUrl(values.url)
  return (
    <Section title={texts.endpoint}>
      <TextField label={texts.name} value={values.name} mistake={mistakes['name']} onValue={(name) => set({ name })} />
      <TextField
        label={texts.endpointUrl}
        type="url"
        inputMode="url"
        placeholder={texts.httpsHooksAcmeExampleWorkspace}
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
  none: texts.aPublicHttpsUrlEach(inspectorUrl),
  checking: texts.checking,
  bad: '',
}

const urlHint = (check: UrlCheck): string =>
  check.kind === 'good' ? texts.thisUrlCanBeUsed(check.url) : urlHints[check.kind]

const WhatOf = ({ form: { values, mistakes, set } }: Part): ReactNode => (
  <Section title={texts.events}>
    <SelectField
      label={texts.payload}
      value={values.payload}
      choices={[
        { value: 'full', label: texts.fullWithTheObjectAnd },
        { value: 'thin', label: texts.thinOnlyTheEventType },
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
  company: texts.companies,
  contact: texts.contacts,
  deal: texts.deals,
}

const Filter = ({ form: { values, mistakes, set } }: Part): ReactNode => (
  <Section title={texts.filters} about={texts.allFiltersAreOptional}>
    <TextField
      isOptional
      label={texts.changedFields}
      placeholder={texts.statusAssigneeids}
      hint={texts.separateFieldsWithCommasApplies}
      value={values.changedFields}
      mistake={mistakes['filter']}
      onValue={(changedFields) => set({ changedFields })}
    />
    <TextField
      isOptional
      label={texts.projects}
      placeholder={texts.web}
      hint={texts.separateProjectKeysOrIds}
      value={values.projectIds}
      onValue={(projectIds) => set({ projectIds })}
    />
    <FieldGroup legend={texts.crmEntityKinds}>
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
      label={texts.includeEventsOfObjectsThat}
      isChecked={values.includeImports}
      onChecked={(includeImports) => set({ includeImports })}
    />
  </Section>
)

const Pace = ({ form: { values, mistakes, set } }: Part): ReactNode => (
  <Section title={texts.orderAndRate}>
    <SelectField
      label={texts.order}
      value={values.order}
      choices={[
        { value: 'none', label: texts.noneDeliveriesAreSentIn },
        { value: 'object', label: texts.perObjectEventsOfThe },
        { value: 'webhook', label: texts.strictAllEventsAreSent },
      ]}
      hint={values.order === 'none' ? undefined : texts.aFailedDeliveryHoldsBack}
      onValue={(order) => set({ order: order === 'webhook' || order === 'object' ? order : 'none' })}
    />
    <TextField
      isOptional
      label={texts.deliveriesPerMinute}
      inputMode="numeric"
      placeholder={texts.noLimit}
      hint={texts.theMaximumIncludingRetriesAnd}
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
    label={texts.customHeaders}
    placeholder={texts.xTenantAcme}
    hint={texts.enterOneHeaderPerLine}
    value={values.headers}
    mistake={mistakes['headers']}
    onValue={(headers) => set({ headers })}
  />
)

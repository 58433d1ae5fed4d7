// Makes a key: its name, what it may do, its limits, and where it may be used from. Then the secret, once.
import { Link, useNavigate } from '@tanstack/react-router'
import { input } from 'virtual:input/api-keys.create'
import { useState, type ReactNode } from 'react'
import { useAnswer, useChange, useWorkspace } from '../../app/workspace.ts'
import { useSession } from '../../app/session.ts'
import { useForm, type Form as FormState } from '../../app/use-form.ts'
import { Checkbox, FieldGroup, SelectField, TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { dayText } from '../../ui/moment-text.ts'
import { Page, Row, Section } from '../../ui/page.tsx'
import { AccessFields } from './access-fields.tsx'
import { AddressField } from './address-field.tsx'
import {
  emptyForm,
  expiresAt,
  expiries,
  keyInputOf,
  keyMistakes,
  rotateBy,
  type Expiry,
  type KeyForm,
} from './key-form.ts'
import { SecretStep, type MadeKey } from './secret-step.tsx'

export function NewKeyPage(): ReactNode {
  const { id: workspaceId } = useWorkspace()
  const navigate = useNavigate()
  const [made, setMade] = useState<MadeKey | null>(null)
  if (made === null) return <NewKey onMade={setMade} />
  return (
    <SecretStep
      made={made}
      title="The key is made"
      onDone={() => void navigate({ to: '/w/$workspaceId/keys/$id', params: { workspaceId, id: made.id } })}
    />
  )
}

function NewKey({ onMade }: { readonly onMade: (made: MadeKey) => void }): ReactNode {
  const { id: workspaceId } = useWorkspace()
  const policy = useAnswer('workspaces.get', { id: workspaceId }).data?.apiPolicy ?? null
  const { mutateAsync: create } = useChange('api-keys.create')
  const [openedAtMs] = useState(() => Date.now())
  const form = useForm({
    initial: emptyForm,
    schema: input,
    inputOf: (values) => keyInputOf(values, openedAtMs),
    check: (values) => keyMistakes(values, policy, openedAtMs),
    send: async (values) => onMade(await create(keyInputOf(values, Date.now()))),
  })
  return (
    <Page
      isNarrow
      title="Create a key"
      above={
        <Link to="/w/$workspaceId/keys" params={{ workspaceId }}>
          Keys
        </Link>
      }
    >
      <Form form={form} submit="Create key">
        <Naming form={form} />
        <Section title="Access" about="What the key may do in this workspace. Nothing else is possible with it.">
          <AccessFields
            held={form.values.scopes}
            mistake={form.mistakes['scopes']}
            onHeld={(scopes) => form.set({ scopes })}
          />
        </Section>
        <Limits form={form} nowMs={openedAtMs} />
        <Addresses form={form} />
      </Form>
    </Page>
  )
}

type Part = { readonly form: FormState<KeyForm> }

const Naming = ({ form: { values, mistakes, set } }: Part): ReactNode => (
  <Section title="What it is for">
    <TextField
      label="Name"
      hint="The program that it is for, such as “CRM import”. The audit log names it."
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
  </Section>
)

const expiryNames: Readonly<Record<Expiry, string>> = {
  never: 'Never',
  '30': 'In 30 days',
  '90': 'In 90 days',
  '365': 'In a year',
  date: 'On a day of your choice',
}
const expiryChoices = expiries.map((value) => ({ value, label: expiryNames[value] }))

function Limits({ form: { values, mistakes, set }, nowMs }: Part & { readonly nowMs: number }): ReactNode {
  const until = expiresAt(values, nowMs)
  const due = rotateBy(values.maxAge, nowMs)
  return (
    <Section title="Limits">
      <FieldGroup legend="Surfaces" hint={mistakes['http']}>
        <Row>
          <Checkbox label="HTTP API" isChecked={values.http} onChecked={(http) => set({ http })} />
          <Checkbox label="MCP, for assistants" isChecked={values.mcp} onChecked={(mcp) => set({ mcp })} />
        </Row>
      </FieldGroup>
      <SelectField
        label="Expires"
        value={values.expiry}
        choices={expiryChoices}
        mistake={mistakes['expiry']}
        hint={until === null ? 'The key works until somebody revokes it.' : `On ${dayText(until)} it stops, for good.`}
        // What is chosen is one of the choices.
        onValue={(expiry) => set({ expiry: expiry as Expiry })}
      />
      {values.expiry === 'date' && (
        <TextField
          type="date"
          label="Last day"
          value={values.expiryDate}
          mistake={mistakes['expiryDate']}
          onValue={(expiryDate) => set({ expiryDate })}
        />
      )}
      <TextField
        isOptional
        label="Maximum age of the secret, in days"
        inputMode="numeric"
        value={values.maxAge}
        mistake={mistakes['maxAge']}
        hint={due === null ? 'Empty: it need never change.' : `To be rotated by ${dayText(due)}.`}
        onValue={(maxAge) => set({ maxAge })}
      />
    </Section>
  )
}

function Addresses({ form: { values, mistakes, set } }: Part): ReactNode {
  const { ip } = useSession()
  return (
    <Section title="Where it may be used from">
      <AddressField
        value={values.ipAllowlist}
        mistake={mistakes['ipAllowlist']}
        ownAddress={ip}
        onValue={(ipAllowlist) => set({ ipAllowlist })}
      />
    </Section>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { input } from 'virtual:input/sessions.create'
import type { ReactNode } from 'react'
import { consolePrefix } from '#contract/route-paths.ts'
import { call } from '../../app/call.ts'
import { sessionQuery } from '../../app/session.ts'
import { Plain } from '../../app/shell.tsx'
import { useForm } from '../../app/use-form.ts'
import { Card } from '../../ui/card.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'

const route = getRouteApi('/sign-in')

export function SignInPage(): ReactNode {
  const queries = useQueryClient()
  const router = useRouter()
  const { next } = route.useSearch()
  const form = useForm({
    initial: { email: '', password: '' },
    schema: input,
    send: async (values) => {
      queries.setQueryData(sessionQuery.queryKey, await call('sessions.create', values))
      router.history.replace(pathAfter(next))
    },
  })
  return (
    <Plain isTinted>
      <Card title="Sign in" about="To make keys, watch deliveries and see who did what.">
        <Form form={form} submit="Sign in">
          <TextField
            label="E-mail"
            type="email"
            autoComplete="username"
            value={form.values.email}
            mistake={form.mistakes['email']}
            onValue={(email) => form.set({ email })}
          />
          <TextField
            label="Password"
            type="password"
            autoComplete="current-password"
            value={form.values.password}
            mistake={form.mistakes['password']}
            onValue={(password) => form.set({ password })}
          />
        </Form>
      </Card>
    </Plain>
  )
}

/** Below the console's own path, so that an address that somebody else has made leads nowhere else. */
const pathAfter = (next = ''): string => (/^\/(?![/\\])/.test(next) ? `${consolePrefix}${next}` : consolePrefix)

// Answers that a caller has kept with their validators, and what a search must find.
import { expect } from 'vitest'
import { must, type Answer, type Tenant } from '../../support/system.ts'

type Body = Answer['body']
type Kept = { readonly etag: string; readonly body: Body }
/** By path. */
export type Answers = Map<string, Kept>

const keptMost = 12
const variants: Readonly<Record<string, readonly string[]>> = {
  projects: ['', '?expand=owner', '?expand=taskCounts', '?expand=company,members', '?fields=name'],
  tasks: ['', '?expand=project', '?expand=assignees', '?expand=crmEntities', '?fields=identifier'],
  'crm-entities': ['', '?expand=owner', '?expand=company'],
  documents: ['', '?expand=project,crmEntity'],
}

/** Keeps the answers for an object, and forgets the oldest ones. */
export async function keep(answers: Answers, tenant: Tenant, kind: string, id: string): Promise<void> {
  for (const variant of variants[kind] ?? []) {
    const path = `/api/v1/${kind}/${id}${variant}`
    const { status, headers, body } = await tenant.api('GET', path)
    const etag = headers.get('etag')
    if (status === 200 && etag !== null) answers.set(path, { etag, body })
  }
  for (const path of answers.keys()) if (answers.size > keptMost) answers.delete(path)
}

/** What is not modified is what was kept. */
export async function assertKept(answers: Answers, tenant: Tenant, label: string): Promise<void> {
  for (const [path, { etag, body }] of answers) {
    const { status } = await tenant.api('GET', path, undefined, { 'if-none-match': etag })
    if (status === 304) expect([label, path, must(await tenant.api('GET', path))]).toEqual([label, path, body])
    else answers.delete(path)
  }
}

/** An object is found by its name, and where it has one by its identifier, as it is now. */
export async function assertFound(kind: string, object: Body, tenant: Tenant, label: string): Promise<void> {
  const title = object.title ?? object.name
  for (const words of [title, object.identifier ?? object.key].filter((text) => typeof text === 'string')) {
    const path = `/api/v1/search?q=${encodeURIComponent(words)}&includeArchived=true&limit=50`
    const { data } = must(await tenant.api('GET', path))
    const hit = data.find(({ id }: Body) => id === object.id)
    expect([label, words, hit?.type, hit?.title, hit?.identifier, hit?.updatedAt]).toEqual([
      label,
      words,
      kind,
      title,
      object.identifier ?? object.key ?? null,
      object.updatedAt,
    ])
  }
}

/** Nothing is found by a name that no object has any more. */
export async function assertNotFound(id: string, title: string, tenant: Tenant, label: string): Promise<void> {
  const { data } = must(await tenant.api('GET', `/api/v1/search?q=${title}&includeArchived=true`))
  expect([label, title, data.filter((hit: Body) => hit.id === id)]).toEqual([label, title, []])
}

// Answers that a caller has kept with their validators, and what a search must find.
import { expect } from 'vitest'
import type { Tenant } from '../../support/system.ts'
import { callsOf, type Body } from '../calls.ts'

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
    const path = `/${kind}/${id}${variant}`
    const { status, headers, body } = await callsOf(tenant).call('GET', path)
    const etag = headers.get('etag')
    if (status === 200 && etag !== null) answers.set(path, { etag, body })
  }
  for (const path of answers.keys()) if (answers.size > keptMost) answers.delete(path)
}

/** What is not modified is what was kept. */
export async function assertKept(answers: Answers, tenant: Tenant, label: string): Promise<void> {
  const { call, get } = callsOf(tenant)
  for (const [path, { etag, body }] of answers) {
    const { status } = await call('GET', path, undefined, { 'if-none-match': etag })
    if (status === 304) expect([label, path, await get(path)]).toEqual([label, path, body])
    else answers.delete(path)
  }
}

/** An object is found by its name, and where it has one by its identifier, as it is now. */
export async function assertFound(type: string, object: Body, tenant: Tenant, label: string): Promise<void> {
  const { id, updatedAt, title = object.name, identifier = object.key ?? null } = object
  for (const words of [title, identifier].filter((text) => typeof text === 'string')) {
    const { data } = await callsOf(tenant).get(`/search?q=${encodeURIComponent(words)}&includeArchived=true&limit=50`)
    const hit = data.find((each: Body) => each.id === id)
    expect([label, words, hit]).toMatchObject([label, words, { type, title, identifier, updatedAt }])
  }
}

/** Nothing is found by a name that no object has any more. */
export async function assertNotFound(id: string, title: string, tenant: Tenant, label: string): Promise<void> {
  const { data } = await callsOf(tenant).get(`/search?q=${title}&includeArchived=true`)
  expect([label, title, data.filter((hit: Body) => hit.id === id)]).toEqual([label, title, []])
}
